"""An authenticator app for tests, made from RFC 6238 and not from the library that it checks."""

import base64
import hashlib
import hmac
import struct
import time
from collections.abc import Iterator

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.urls import reverse

from tests.typed import Response
from tournament.models import User

PERIOD = 30


def app_code(secret: str, now: float | None = None) -> str:
    """What the app shows at this moment."""
    counter = int(time.time() if now is None else now) // PERIOD
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def give_app(user: User) -> str:
    """The secret of the app that the account has from now on."""
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def give_codes(user: User) -> list[str]:
    """The account's recovery codes."""
    return RecoveryCodes.activate(user).generate_codes()


def factors_of(user: User) -> set[str]:
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def give_factor(client: Client, code: str) -> Response:
    """Answer the question for the second factor, in the middle of signing in."""
    return client.post(reverse("mfa_authenticate"), {"code": code})


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """The beginning of one of the app's half minutes; time stands still unless it is moved."""
    now = time.time()
    with time_machine.travel(now - now % PERIOD, tick=False) as traveller:
        yield traveller
