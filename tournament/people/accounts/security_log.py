"""The security log for the site's operators: sign-ins, failed attempts and refusals.

Accounts are identified by number and visitors by address (IPv6: the network). Names, email
addresses, passwords and codes are never logged. docs/security.md lists the logged events.
"""

import logging
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialLogin
from django.http import HttpRequest, HttpResponse

from tournament.models import User
from tournament.site.middleware import GetResponse, address_of

logger = logging.getLogger("lastcard.security")

REFUSED = {403, 429}


def note(
    request: HttpRequest, incident: str, account: int | None = None, *, well: bool = False
) -> None:
    """Write one line; `account` is the account's key if the session does not have it."""
    level = logging.INFO if well else logging.WARNING
    named = f"account {account}" if account else _describe_visitor(request)
    logger.log(
        level, "%s: %s from %s at %s", incident, named, address_of(request), _describe_path(request)
    )


def wrong_password(request: HttpRequest, address: str) -> None:
    """Log a wrong password; an unknown address costs the same query."""
    owner = EmailAddress.objects.filter(email__iexact=address).values_list("user", flat=True)
    note(request, "wrong password", owner.first())


def refusals(get_response: GetResponse) -> GetResponse:
    """Middleware that logs refused requests.

    It also logs a 404 for a signed-in user, because pages of others are not found.
    """

    def log_refusals(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        status = response.status_code
        if status in REFUSED or (status == 404 and _find_account(request)):
            note(request, f"refused {status} {request.method}")
        return response

    return log_refusals


def _find_account(request: HttpRequest) -> int | None:
    """Return the account of a request whose page used the session, else None.

    The log itself never opens a session.
    """
    if not request.session.accessed or not isinstance(request.user, User):
        return None
    return request.user.pk


def _describe_visitor(request: HttpRequest) -> str:
    key = _find_account(request)
    return f"account {key}" if key else "visitor"


def _describe_path(request: HttpRequest) -> str:
    """Return the path of the request without any secrets."""
    match = request.resolver_match
    return f"/{match.route}" if match and "code" in match.kwargs else request.path


# Receivers of allauth's signals; tournament/apps.py connects them.


def signed_in(request: HttpRequest, user: User, **_more: Any) -> None:
    """Log a sign-in with its methods.

    The code that confirms a new account's address leaves no record of a method.
    """
    methods = [str(record["method"]) for record in get_authentication_records(request, user)]
    note(request, f"signed in ({', '.join(methods) or 'sign-up'})", user.pk, well=True)


def signed_out(request: HttpRequest, user: User | None, **_more: Any) -> None:
    note(request, "signed out", user.pk if user else None, well=True)


def wrong_factor(request: HttpRequest, user: User, **_more: Any) -> None:
    note(request, "wrong second factor", user.pk)


def note_joined_account(request: HttpRequest, sociallogin: SocialLogin, **_more: Any) -> None:
    note(request, "college account joined", sociallogin.user.pk, well=True)


def note_account_change(incident: str, request: HttpRequest, user: User, **_more: Any) -> None:
    """Log a change to an account's sign-in methods."""
    note(request, incident, user.pk, well=True)
