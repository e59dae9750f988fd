"""Strength of a session's sign-in. The admin and account changes require a strong session.

A session is weak if other people may know the code that opened it. This applies to codes shown at
the desk and, for staff, to codes from emails. Until the user enters the password or second factor,
a weak session cannot change sign-in methods, open the admin or see open cards.
"""

from importlib import import_module
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy

from tournament.models import Event, User

DESK, FACTOR = "desk", "mfa"
# The sign-in method if the college's issuer has checked a second factor that OIDC_SECOND_FACTOR
# lists.
ISSUER_FACTOR = "issuer_factor"
# Sign-in methods that rely on an emailed code.
MAILS = {"code", "password_reset"}
STRONG = {"password", FACTOR, ISSUER_FACTOR}
TOTP, PASSKEY = Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN

# Pages that add or remove a way to sign in.
CHANGES = {
    "account_email",
    "account_set_password",
    "college-part",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_generate_recovery_codes",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
}

# The name of a page outside the admin that needs the same protection.
OPEN_CARDS = "commentary"

SET_UP = gettext_lazy(
    "The desk requires two-factor authentication. Set it up here with an app on "
    "your phone or a passkey."
)
NO_WAY = gettext_lazy(
    "You signed in with an emailed code, but that isn’t enough for the desk. Your "
    "account has no password yet: ask a superuser of this site to set one, then "
    "sign in with it."
)
BY_DESK = gettext_lazy(
    "You were signed in with a code from the desk, which is enough for that event. For "
    "anything else, sign out and sign in again with a code from your own email."
)


def list_sign_in_methods(request: HttpRequest) -> set[str]:
    """Return the methods by which the session's user signed in or confirmed their identity.

    Possible methods are `password`, `code`, `password_reset`, `mfa`, `desk`, `socialaccount` and
    `issuer_factor`.
    """
    return {record["method"] for record in get_authentication_records(request, request.user)}


def is_weak(request: HttpRequest) -> bool:
    """Return whether other people may have the credentials that opened this session."""
    used = list_sign_in_methods(request)
    if used & STRONG:
        return False
    # Every sign-in page records its method. A session without a record was created by a command on
    # the server, and is not weak.
    return DESK in used or bool(used & MAILS and request.user.is_staff)


def list_second_factors(user: User) -> set[str]:
    """Return the types of the account's second factors. Recovery codes do not count."""
    own = Authenticator.objects.filter(user=user, type__in=[TOTP, PASSKEY])
    return set(own.values_list("type", flat=True))


def needs_second_factor(user: User) -> bool:
    """Return whether the user needs a second factor.

    The site may require one for all staff, and an event for everyone with a role in it.
    """
    if settings.STAFF_SECOND_FACTOR:
        return True
    demanding = Event.objects.filter(second_factor=True)
    return (demanding if user.is_superuser else demanding.filter(roles__user=user)).exists()


def is_email_enough_for_admin(user: User) -> bool:
    """Return whether access to the user's email would be enough to open the admin.

    This applies to staff without a second factor, because they can reset their password by email.
    """
    return user.is_staff and not list_second_factors(user)


def redirect_weak_sign_in(request: HttpRequest) -> HttpResponse | None:
    """Return a redirect if the sign-in of a staff member is too weak for the admin, or None."""
    if lacks_second_factor(request):
        return _redirect_to_factor(request)
    return redirect_to_reauthentication(request) if is_weak(request) else None


def lacks_second_factor(request: HttpRequest) -> bool:
    """Return whether the session still lacks a required second factor."""
    assert isinstance(request.user, User)
    if not needs_second_factor(request.user):
        return False
    used = list_sign_in_methods(request)
    if ISSUER_FACTOR in used:
        return False
    return FACTOR not in used or not list_second_factors(request.user)


def is_strong_session(user: User, session_key: str) -> bool:
    """Return whether the session with this key is strong enough for the admin.

    Sockets use this, because they have no request.
    """
    request = HttpRequest()
    request.user = user
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return not (lacks_second_factor(request) or is_weak(request))


def _redirect_to_factor(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    if own := list_second_factors(request.user):
        page = "mfa_reauthenticate" if TOTP in own else "mfa_reauthenticate_webauthn"
        return _redirect_with_return(request, reverse(page))
    messages.warning(request, SET_UP)
    return redirect("mfa_index")


def redirect_to_reauthentication(request: HttpRequest) -> HttpResponse:
    """Redirect to the page that asks for the password or second factor, and then back.

    If the account has neither, redirect to the profile with a message that explains what to do.
    """
    if options := get_adapter().get_reauthentication_methods(request.user):
        return _redirect_with_return(request, options[0]["url"])
    messages.error(request, BY_DESK if DESK in list_sign_in_methods(request) else NO_WAY)
    return redirect("profile")


def _redirect_with_return(request: HttpRequest, url: str) -> HttpResponse:
    return redirect(f"{url}?{urlencode({'next': request.get_full_path()})}")


class WeakSessions:
    """Middleware that prevents weak sessions from changing sign-in methods or seeing open cards."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response: HttpResponse = self.get_response(request)
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        page = getattr(request.resolver_match, "url_name", None)
        if page in CHANGES and request.user.is_authenticated and is_weak(request):
            return redirect_to_reauthentication(request)
        if page == OPEN_CARDS and request.user.is_staff:
            return redirect_weak_sign_in(request)
        return None
