"""Changes to allauth's behaviour that its settings do not allow."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.utils import perform_login
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.services import remove_guest, transfer_practice
from tournament.common.moments import time_text
from tournament.mail import letters
from tournament.models import Registration, User
from tournament.people.accounts import assurance, devices, limits, security_log
from tournament.people.accounts.allauth_private import RateLimitUsage, record_authentication
from tournament.people.accounts.desk_sessions import find_event_limit
from tournament.people.accounts.services import hand_over_account

HANDED_OVER = gettext_lazy(
    "Your address has now been confirmed for the first time. Any password or name "
    "set before that, perhaps by someone else, has been removed. You can set both "
    "under “Your account”."
)

HELD_UP = gettext_lazy(
    "The mail server isn’t accepting emails right now. Your email will be sent as "
    "soon as the server accepts it. Until then, an organizer can sign you in at "
    "the desk."
)


# Anyone can request these emails for any address.
REQUESTED_BY_ANYONE = {
    "account/email/account_already_exists",
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/login_code",
    "account/email/password_reset_code",
    "account/email/unknown_account",
}

# How the security log describes these error codes of allauth.
GUESS_INCIDENTS = {
    "incorrect_code": "wrong code of an email",
    "too_many_login_attempts": "too many tries",
}


def set_session_expiry(request: HttpRequest) -> None:
    """Let the session expire at a fixed time, regardless of activity.

    Organizers have to sign in again every day, so that a lost or lent phone does not give permanent
    access to the desk.
    """
    seconds = settings.SESSION_COOKIE_AGE
    if request.user.is_staff:
        seconds = settings.STAFF_SESSION_SECONDS
    elif assurance.DESK in assurance.list_sign_in_methods(request):
        seconds = settings.DESK_SESSION_SECONDS
    request.session.set_expiry(timezone.now() + timedelta(seconds=seconds))


def sign_in_at_desk(request: HttpRequest, registration: Registration) -> HttpResponse:
    """Sign in the person of this registration after the desk has checked their identity.

    The session is limited to the registration's event and begins at the player's table. A second
    factor is still required if the account has one.
    """
    event, user = registration.event, registration.user
    record_authentication(request, user, assurance.DESK, event=event.pk)
    response: HttpResponse = perform_login(
        request,
        user,
        EmailVerificationMethod.NONE,
        redirect_url=reverse("my-table", args=[event.slug]),
    )
    return response


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    # allauth's own messages use different terms from the rest of the site.
    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": gettext_lazy("Wrong email address or password."),
        "same_as_current": gettext_lazy("That’s already your email address."),
        "duplicate_email": gettext_lazy("Your account already has this email address."),
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return True if sign-up with a password is open, or redirect to the sign-in page."""
        if settings.PASSWORD_SIGN_UP:
            return True
        page = request.get_full_path().replace(request.path, reverse("account_login"), 1)
        raise ImmediateHttpResponse(redirect(page))

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        sociallogin = (kwargs.get("signal_kwargs") or {}).get("sociallogin")
        if sociallogin and sociallogin.factor:
            record_authentication(request, user, assurance.ISSUER_FACTOR)
        response: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return response

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        set_session_expiry(request)
        if guest := remove_guest(request):
            transfer_practice(guest, user)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if find_event_limit(request) is None:
            devices.remember_device(request, response, user)
        return response

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key for counting failed sign-ins, made from the account and the network.

        allauth counts by account alone, so a stranger's failures would lock out the owner.
        """
        return limits.make_attempt_key(request, _read_address(credentials))

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        self._check_password_wait(request, **credentials)
        strangers = limits.count_guess(request, _read_address(credentials))
        if strangers is None:
            raise self.validation_error("too_many_login_attempts")
        # After a correct password, allauth reverts its own usage. This makes it revert ours too.
        self._login_failed_rl_usage.usage += strangers.usage

    def _check_password_wait(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse the attempt if the browser must still wait after failures from its network.

        Attempts after the wait are allowed, but count as well.
        """
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError as error:
            if wait := limits.compute_password_wait(request, _read_address(credentials)):
                raise ValidationError(_describe_wait(wait), error.code) from error
            self._login_failed_rl_usage = RateLimitUsage(usage=[])

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        limits.count_failure(request, _read_address(credentials))
        security_log.log_wrong_password(request, _read_address(credentials))

    def validation_error(self, code: str, *args: object) -> ValidationError:
        """Return the error for allauth's forms, and log wrong codes and excessive attempts."""
        if code in GUESS_INCIDENTS:
            security_log.log_incident(allauth_context.request, GUESS_INCIDENTS[code])
        refusal: ValidationError = super().validation_error(code, *args)
        return refusal

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """Queue the email, so that the request does not wait for the mail server.

        Raises ImmediateHttpResponse with status 429 if the visitor has requested too many emails.
        """
        request = allauth_context.request
        kind = template_prefix.removesuffix("_signup")
        if template_prefix in REQUESTED_BY_ANYONE and not limits.may_send_email(
            request, email, kind
        ):
            raise ImmediateHttpResponse(respond_429(request))
        defaults = {"request": request, "email": email, "current_site": get_current_site(request)}
        message = self.render_mail(template_prefix, email, defaults | context)
        patience = letters.CODE_SEND_LIMIT if "code" in context else letters.SEND_LIMIT
        letters.queue_letters([letters.write_letter(message, urgent=True, patience=patience)])
        if letters.is_delivery_delayed():
            messages.warning(request, HELD_UP)


def _read_address(credentials: Mapping[str, object]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "").lower()


def hand_over_after_code(
    request: HttpRequest, user: User, method: str, email: str = "", **_more: Any
) -> None:
    """Hand over the account after a sign-in by code, before allauth confirms the address.

    Otherwise, allauth would keep a password that another person may have set. This is a signal
    receiver.
    """
    if method == "code" and email and hand_over_account(user, email):
        messages.info(request, HANDED_OVER)


def record_new_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **_more: Any
) -> None:
    """Record a new second factor as used in this session. This is a signal receiver."""
    if authenticator.type == assurance.TOTP:
        # During setup, allauth only compares the code. Validating it also marks it as used.
        authenticator.wrap().validate_code(request.POST.get("code", ""))
    record_authentication(
        request, user, assurance.FACTOR, id=authenticator.pk, type=authenticator.type
    )


def _describe_wait(wait: limits.PasswordWait) -> str:
    if wait.contested:
        # Failures stop counting this long after the last one.
        until = timezone.now() + timedelta(seconds=limits.FORGET_AFTER)
        text = _(
            "Someone else on your network keeps trying passwords for this account, and only one is "
            "checked every {n} seconds. Sign in with a code from an email or the desk. Passwords "
            "may be refused until {time} or later, except on devices you have used before."
        )
        return text.format(n=wait.seconds, time=time_text(until))
    text = ngettext(
        "Too many wrong passwords for this account from your network. Wait {n} second "
        "and sign in again, or sign in with a code from an email or the desk.",
        "Too many wrong passwords for this account from your network. Wait {n} seconds "
        "and sign in again, or sign in with a code from an email or the desk.",
        wait.seconds,
    )
    return text.format(n=wait.seconds)
