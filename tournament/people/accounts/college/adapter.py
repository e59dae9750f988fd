"""Matching of college accounts to accounts on this site.

A college account is matched to the account with the same address if both the college and this site
have confirmed the address. Otherwise, a new account is created.
"""

import logging
import ssl
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest
from jwt import ExpiredSignatureError, ImmatureSignatureError
from requests import ConnectionError, Session, Timeout
from requests.adapters import HTTPAdapter

from tournament.common.refusals import RefusedError
from tournament.models import User
from tournament.people.accounts.college import refusals

logger = logging.getLogger(__name__)

# Sign-in is refused for this many seconds after the issuer could not be reached, because waiting
# would block a page thread.
AWAY, AWAY_FOR = "issuer:away", 10
NO_ANSWER = (ConnectionError, Timeout)
OVERLOADED = {"server_error", "temporarily_unavailable"}


class SystemCertificates(HTTPAdapter):
    """HTTP adapter that also trusts the certificates installed on the machine.

    A college's provider may use a certificate from the college's own authority.
    """

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=ssl.create_default_context(), **kwargs)


class CollegeAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def get_requests_session(self) -> Session:
        """Return the HTTP session for requests to the issuer.

        Raises RefusedError with the code `issuer-away` if the issuer could not be reached in the
        last few seconds.
        """
        if cache.get(AWAY):
            raise refusals.make_unavailable_error()
        session: Session = super().get_requests_session()
        session.mount("https://", SystemCertificates())
        return session

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """Return the account with an address confirmed by the issuer and by this site, or None.

        The address is returned with the account.
        """
        condition = Q()
        for email in list_verified_emails(sociallogin):
            condition |= Q(email__iexact=email)
        matches = EmailAddress.objects.filter(condition, verified=True).select_related("user")
        match = matches.first() if condition else None
        return (match.user, match.email) if match else None

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Check that a new college account may be connected.

        Raises RefusedError with the code `issuer-unproved` if its address is unconfirmed, or
        `issuer-claimed` if the address belongs to an account here.
        """
        if sociallogin.is_existing:
            return
        addresses = list_verified_emails(sociallogin)
        if not addresses:
            raise refusals.make_unconfirmed_error()
        for email in addresses:
            if _belongs_to_account(email):
                raise refusals.make_claimed_error(email)

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Set no field of the new account except the name shown at tables."""
        name_only = {**data, "name": "", "username": ""}
        user: User = super().populate_user(request, sociallogin, name_only)
        user.display_name = data.get("name") or ""
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save the account, its address and its link to the issuer in one transaction.

        Raises RefusedError with the code `issuer-state` if the person is signing in from two
        windows at the same time.
        """
        try:
            with transaction.atomic():
                user: User = super().save_user(request, sociallogin, form)
        except IntegrityError:
            raise refusals.make_lost_error() from None
        return user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Raise the appropriate refusal instead of showing allauth's error page."""
        raise choose_refusal(request, exception, "state" in (extra_context or {}))


def list_verified_emails(sociallogin: SocialLogin) -> list[str]:
    return [each.email for each in sociallogin.email_addresses if each.verified]


def _belongs_to_account(email: str) -> bool:
    claimed = EmailAddress.objects.filter(email__iexact=email).exists()
    return claimed or User.objects.filter(email__iexact=email).exists()


def choose_refusal(
    request: HttpRequest, error: Exception | None, known: bool = True
) -> RefusedError:
    """Return the refusal for a failed sign-in at the issuer, and log the issuer's error.

    `known` is true if the sign-in was started recently in this browser.
    """
    issuer_error = request.GET.get("error", "")
    if issuer_error == "access_denied":
        return refusals.make_denied_error()
    if issuer_error or error:
        logger.warning(
            "the issuer of accounts: %s", repr(error)[:300] if error else issuer_error[:80]
        )
    if isinstance(error, NO_ANSWER):
        cache.set(AWAY, True, AWAY_FOR)
    if isinstance(error, NO_ANSWER) or issuer_error in OVERLOADED:
        return refusals.make_unavailable_error()
    if not known:
        return refusals.make_lost_error()
    if isinstance(error and error.__cause__, ExpiredSignatureError | ImmatureSignatureError):
        return refusals.make_wrong_clock_error()
    return refusals.make_unreadable_error()
