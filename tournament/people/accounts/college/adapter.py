"""Matching of college accounts to accounts on the site.

A college account is matched to the account whose address both sides have confirmed, or else
gets a new one.
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

# While the issuer is away, sign-in is refused immediately, because waiting occupies a page
# thread.
AWAY, AWAY_FOR = "issuer:away", 10
NO_ANSWER = (ConnectionError, Timeout)
OVERLOADED = {"server_error", "temporarily_unavailable"}


class SystemCertificates(HTTPAdapter):
    """HTTP adapter that also trusts the machine's certificates.

    A college's provider may have a certificate from the college's own authority.
    """

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, ssl_context=ssl.create_default_context(), **kwargs)


class CollegeAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def get_requests_session(self) -> Session:
        """Return the session for requests to the issuer.

        Refused with: issuer-away, if the issuer was unreachable a moment ago.
        """
        if cache.get(AWAY):
            raise refusals.away()
        session: Session = super().get_requests_session()
        session.mount("https://", SystemCertificates())
        return session

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return True

    def authenticate_by_email(self, sociallogin: SocialLogin) -> tuple[User, str] | None:
        """Return the account with this confirmed address, and the address.

        Return None if no account has it or the issuer has not confirmed it.
        """
        mine = Q()
        for each in list_verified_emails(sociallogin):
            mine |= Q(email__iexact=each)
        known = EmailAddress.objects.filter(mine, verified=True).select_related("user")
        found = known.first() if mine else None
        return (found.user, found.email) if found else None

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse a new college account whose address is unconfirmed or belongs to an account here.

        Refused with: issuer-unproved, issuer-claimed.
        """
        if sociallogin.is_existing:
            return
        addresses = list_verified_emails(sociallogin)
        if not addresses:
            raise refusals.refuse_unproved()
        for email in addresses:
            if _is_somebodys(email):
                raise refusals.refuse_claimed(email)

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: Any) -> User:
        """Fill in only the name shown at tables."""
        named = {**data, "name": "", "username": ""}
        user: User = super().populate_user(request, sociallogin, named)
        user.display_name = data.get("name") or ""
        return user

    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save the account, its address and its identity at the issuer, or none of them.

        Refused with: issuer-state, if the person is signing in from two windows at the same time.
        """
        try:
            with transaction.atomic():
                user: User = super().save_user(request, sociallogin, form)
        except IntegrityError:
            raise refusals.refuse_lost() from None
        return user

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> None:
        """Raise the refusal that fits the error, instead of showing allauth's own error page."""
        raise reason(request, exception, "state" in (extra_context or {}))


def list_verified_emails(sociallogin: SocialLogin) -> list[str]:
    return [each.email for each in sociallogin.email_addresses if each.verified]


def _is_somebodys(email: str) -> bool:
    claimed = EmailAddress.objects.filter(email__iexact=email).exists()
    return claimed or User.objects.filter(email__iexact=email).exists()


def reason(request: HttpRequest, error: Exception | None, known: bool = True) -> RefusedError:
    """Return the refusal that fits a failed sign-in at the issuer.

    `known`: the sign-in was started recently in this browser.
    The issuer's answer is logged for the operators of the site.
    """
    said = request.GET.get("error", "")
    if said == "access_denied":
        return refusals.refuse_denied()
    if said or error:
        logger.warning("the issuer of accounts: %s", repr(error)[:300] if error else said[:80])
    if isinstance(error, NO_ANSWER):
        cache.set(AWAY, True, AWAY_FOR)
    if isinstance(error, NO_ANSWER) or said in OVERLOADED:
        return refusals.away()
    if not known:
        return refusals.refuse_lost()
    if isinstance(error and error.__cause__, ExpiredSignatureError | ImmatureSignatureError):
        return refusals.clocks()
    return refusals.unreadable()
