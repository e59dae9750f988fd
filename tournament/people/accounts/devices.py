"""Devices that are known to an account, because its owner has signed in there before.

A signed cookie identifies them. When the password is changed or the user signs out everywhere, all
devices become unknown to the account.
"""

import secrets
from dataclasses import dataclass, field

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from tournament.models import User

SALT = "tournament.device"
MAX_AGE = 400 * 24 * 3600  # The maximum lifetime of a cookie in browsers.
# A shared computer, such as one in a library, may have many users. Its cookie contains only the
# latest accounts.
MAX_ACCOUNTS = 8


@dataclass
class Device:
    """A browser in which accounts have signed in.

    * `number`: a random id of the browser.
    * `marks`: values that prove the sign-ins, by account key.
    """

    number: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    marks: dict[str, str] = field(default_factory=dict)


def read_device(request: HttpRequest) -> Device | None:
    """Return the device from the signed cookie, or None if there is no valid cookie."""
    try:
        return Device(*signing.loads(_read_cookie(request), salt=SALT, max_age=MAX_AGE))
    except signing.BadSignature:
        return None


def find_known_device(request: HttpRequest, email: str) -> str:
    """Return the device's number if the account with this address knows it, or ""."""
    if (device := read_device(request)) is None:
        return ""
    users = User.objects.filter(emailaddress__email__iexact=email, pk__in=device.marks)
    marks = [(device.marks[str(user.pk)], _make_mark(user)) for user in users]
    return device.number if any(constant_time_compare(*pair) for pair in marks) else ""


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Set the cookie that makes this device known to the account."""
    device = read_device(request) or Device()
    others = [(key, mark) for key, mark in device.marks.items() if key != str(user.pk)]
    marks = dict([*others[-MAX_ACCOUNTS + 1 :], (str(user.pk), _make_mark(user))])
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps([device.number, marks], salt=SALT),
        max_age=MAX_AGE,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def _read_cookie(request: HttpRequest) -> str:
    return str(request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""))


def _make_mark(user: User) -> str:
    return salted_hmac(
        SALT, f"{user.pk}:{user.password}:{user.sign_outs}", algorithm="sha256"
    ).hexdigest()
