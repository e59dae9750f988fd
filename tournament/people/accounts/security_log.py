"""Log of sign-ins, failed attempts and refusals, for the site's operators.

Accounts are identified by number, and visitors by IPv4 address or IPv6 network. Names, email
addresses, passwords and codes are never logged. docs/security.md lists the incidents.
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


def log_incident(
    request: HttpRequest, incident: str, account: int | None = None, *, harmless: bool = False
) -> None:
    """Write a line to the security log.

    * `account`: the account's number. Needed only if the session does not contain it yet.
    * `harmless`: whether the incident is no cause for concern.
    """
    level = logging.INFO if harmless else logging.WARNING
    subject = f"account {account}" if account else _describe_visitor(request)
    logger.log(
        level,
        "%s: %s from %s at %s",
        incident,
        subject,
        address_of(request),
        _describe_path(request),
    )


def log_wrong_password(request: HttpRequest, address: str) -> None:
    """Log a wrong password.

    The address is looked up even if no account has it, so that response times do not reveal which
    addresses have accounts.
    """
    owner = EmailAddress.objects.filter(email__iexact=address).values_list("user", flat=True)
    log_incident(request, "wrong password", owner.first())


def log_refused_requests(get_response: GetResponse) -> GetResponse:
    """Return middleware that logs refused requests.

    For signed-in users these include 404, the response for pages of other people.
    """

    def log_refusals(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        status = response.status_code
        if status in REFUSED or (status == 404 and _find_account(request)):
            log_incident(request, f"refused {status} {request.method}")
        return response

    return log_refusals


def _find_account(request: HttpRequest) -> int | None:
    """Return the signed-in account, or None.

    Also returns None if the page has not used the session, because the log must not load it.
    """
    if not request.session.accessed or not isinstance(request.user, User):
        return None
    return request.user.pk


def _describe_visitor(request: HttpRequest) -> str:
    key = _find_account(request)
    return f"account {key}" if key else "visitor"


def _describe_path(request: HttpRequest) -> str:
    """Return the path of the request, with a placeholder instead of a secret code."""
    match = request.resolver_match
    return f"/{match.route}" if match and "code" in match.kwargs else request.path


# The functions below are receivers of allauth's signals. tournament/apps.py connects them.


def log_sign_in(request: HttpRequest, user: User, **_more: Any) -> None:
    """Log a sign-in and its methods.

    No method is recorded when a code confirms the address of a new account.
    """
    methods = [str(record["method"]) for record in get_authentication_records(request, user)]
    log_incident(request, f"signed in ({', '.join(methods) or 'sign-up'})", user.pk, harmless=True)


def log_sign_out(request: HttpRequest, user: User | None, **_more: Any) -> None:
    log_incident(request, "signed out", user.pk if user else None, harmless=True)


def log_wrong_factor(request: HttpRequest, user: User, **_more: Any) -> None:
    log_incident(request, "wrong second factor", user.pk)


def log_linked_account(request: HttpRequest, sociallogin: SocialLogin, **_more: Any) -> None:
    log_incident(request, "college account joined", sociallogin.user.pk, harmless=True)


def log_account_change(incident: str, request: HttpRequest, user: User, **_more: Any) -> None:
    """Log a change to an account's sign-in methods."""
    log_incident(request, incident, user.pk, harmless=True)
