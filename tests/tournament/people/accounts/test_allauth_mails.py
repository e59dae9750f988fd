"""Tests of the emails that allauth sends about an account."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import allauth
import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.tournament.second_factor import Passkey, compute_app_code, give_app, give_codes
from tests.tournament.visitors import PASSWORD, make_asha, read_code, sign_in, sign_up
from tournament.models import User

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "asha@college.example"
NEW_ADDRESS = "asha@home.example"
WARNING = "If this wasn’t you, choose a new password right away and tell the organizers."
# This site never sends these emails, because it uses codes instead of links, and does not serve
# the page for disconnecting an account.
UNSENT_TEMPLATES = {
    "account/email/email_confirm_subject.txt",
    "account/email/password_reset_key_subject.txt",
    "socialaccount/email/account_disconnected_subject.txt",
}
# This template of allauth only includes the one without `_signup`, which this project overrides.
INCLUDING_TEMPLATES = {"account/email/email_confirmation_signup_subject.txt"}


@pytest.fixture(autouse=True)
def evening_in_berlin(settings: Settings) -> Iterator[None]:
    cache.clear()
    settings.TIME_ZONE = "Europe/Berlin"
    with time_machine.travel(datetime(2026, 11, 26, 19, tzinfo=UTC), tick=False):
        yield


@pytest.fixture
def client() -> Client:
    return Client(headers={"user-agent": "Firefox"})


@dataclass
class MailVisit:
    """A browser, and the emails sent since the visit began."""

    client: Client
    mails: list[EmailMessage]

    def request_code(self, page: str, email: str = ADDRESS) -> str:
        """Request a code by email, and return the URL of the page for entering it."""
        return self.client.post(reverse(page), {"email": email})["Location"]

    def sign_in(self, **user: object) -> User:
        """Sign in with a password, and enter it again to confirm the identity."""
        account = make_asha(**user)
        sign_in(self.client)
        self.client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        return account


def set_up_app(visit: MailVisit) -> None:
    visit.sign_in()
    page = reverse("mfa_activate_totp")
    secret = visit.client.get(page).context["form"].secret
    visit.client.post(page, {"code": compute_app_code(secret)})


def deactivate_app(visit: MailVisit) -> None:
    give_app(visit.sign_in())
    visit.client.post(reverse("mfa_deactivate_totp"))


def add_passkey(visit: MailVisit) -> None:
    visit.sign_in()
    Passkey().add(visit.client)


def remove_passkey(visit: MailVisit) -> None:
    user = visit.sign_in()
    Passkey().add(visit.client)
    visit.mails.clear()
    key = Authenticator.objects.get(user=user, type="webauthn")
    visit.client.post(reverse("mfa_remove_webauthn", args=[key.pk]))


def create_recovery_codes(visit: MailVisit) -> None:
    user = visit.sign_in()
    give_app(user)
    give_codes(user)
    visit.client.post(reverse("mfa_generate_recovery_codes"))


def change_password(visit: MailVisit) -> None:
    visit.sign_in()
    new = {"oldpassword": PASSWORD, "password1": "eight-lucky-cards"}
    visit.client.post(reverse("account_change_password"), new)


def set_password(visit: MailVisit) -> None:
    user = make_asha()
    user.set_unusable_password()
    user.save()
    waiting = visit.request_code("account_request_login_code")
    visit.client.post(waiting, {"code": read_code(visit.mails.pop())})
    visit.client.post(reverse("account_set_password"), {"password1": "eight-lucky-cards"})


def reset_password(visit: MailVisit) -> None:
    make_asha()
    waiting = visit.request_code("account_reset_password")
    form = visit.client.post(waiting, {"code": read_code(visit.mails.pop())})["Location"]
    visit.client.post(form, {"password1": "eight-lucky-cards"})


def change_address(visit: MailVisit) -> None:
    visit.sign_in()
    page = reverse("account_email")
    asked = visit.client.post(page, {"action_add": "", "email": NEW_ADDRESS})
    visit.client.post(asked["Location"], {"code": read_code(visit.mails.pop())})


def remove_unconfirmed_address(visit: MailVisit) -> None:
    user = visit.sign_in()
    EmailAddress.objects.create(user=user, email=NEW_ADDRESS)
    remove = {"action_remove": "", "email": NEW_ADDRESS}
    visit.client.post(reverse("account_email"), remove)


@pytest.mark.parametrize(
    ("trigger", "subject", "first"),
    [
        (
            set_up_app,
            "Authenticator app turned on",
            "An authenticator app was set up for your Lastcard account.",
        ),
        (
            deactivate_app,
            "Authenticator app turned off",
            "The authenticator app for your Lastcard account was turned off.",
        ),
        (add_passkey, "Passkey added", "A passkey was added to your Lastcard account."),
        (remove_passkey, "Passkey removed", "A passkey was removed from your Lastcard account."),
        (
            create_recovery_codes,
            "New recovery codes created",
            "New recovery codes were created for your Lastcard account. "
            "The old ones no longer work.",
        ),
        (
            change_password,
            "Password changed",
            "The password for your Lastcard account was changed.",
        ),
        (set_password, "Password set", "Your Lastcard account now has a password."),
        (
            reset_password,
            "Password reset",
            "The password for your Lastcard account was reset with a code sent to this address.",
        ),
        (
            change_address,
            "Email address changed",
            "The email address for your Lastcard account was changed "
            f"from {ADDRESS} to {NEW_ADDRESS}.",
        ),
        (
            remove_unconfirmed_address,
            "Email address removed",
            f"{NEW_ADDRESS} was removed from your Lastcard account.",
        ),
    ],
)
def test_security_email_states_the_time_and_next_step(
    client: Client,
    mailoutbox: list[EmailMessage],
    trigger: Callable[[MailVisit], None],
    subject: str,
    first: str,
) -> None:
    trigger(MailVisit(client, mailoutbox))
    [mail] = [each for each in mailoutbox if each.subject == subject]
    assert mail.to == [ADDRESS]
    assert str(mail.body).splitlines() == [
        "Hello,",
        "",
        f"{first} {WARNING}",
        "",
        "When: Thu 26 November 2026, 20:00 CET",
        "From: 127.0.0.1, Firefox",
        "",
        "Lastcard, http://testserver",
    ]


ENTER_CODE = "Enter this code in the window where you asked for it:"


def sign_up_again(visit: MailVisit) -> None:
    make_asha()
    sign_up(visit.client)


def request_sign_in_code(visit: MailVisit) -> None:
    make_asha()
    visit.request_code("account_request_login_code")


def request_password_reset(visit: MailVisit) -> None:
    make_asha()
    visit.request_code("account_reset_password")


@pytest.mark.parametrize(
    ("trigger", "subject", "first", "last"),
    [
        (
            lambda visit: sign_up(visit.client),
            "Confirm your email address",
            "Enter this code in the window where you typed this email address:",
            "This code expires after ten minutes. If you didn’t ask for it, ignore this "
            "email: your account stays the same.",
        ),
        (
            sign_up_again,
            "You already have an account",
            "Sign in with your password, or choose a new one here:",
            f"Someone, probably you, tried to create an account for {ADDRESS}, but there is "
            "already an account with this address. If this wasn’t you, ignore this email: "
            "nothing has changed.",
        ),
        (
            request_sign_in_code,
            "Your sign-in code",
            ENTER_CODE,
            "This code works once and expires after ten minutes. If you didn’t ask for it, "
            "ignore this email: no one can sign in without the code. No one from Lastcard "
            "will ever ask you for it.",
        ),
        (
            request_password_reset,
            "Your password reset code",
            ENTER_CODE,
            "This code works once and expires after ten minutes. If you didn’t ask for it, "
            "ignore this email: your password stays the same.",
        ),
        (
            lambda visit: visit.request_code("account_request_login_code"),
            "No account with this email address",
            "Sign in with another address, or create an account here:",
            f"Someone, probably you, tried to sign in with {ADDRESS}, but there is no account with "
            "this address. If this wasn’t you, ignore this email.",
        ),
    ],
)
def test_email_that_anyone_can_request_begins_with_instructions(
    client: Client,
    mailoutbox: list[EmailMessage],
    trigger: Callable[[MailVisit], object],
    subject: str,
    first: str,
    last: str,
) -> None:
    trigger(MailVisit(client, mailoutbox))
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == ([ADDRESS], subject)
    hello, found, _code_or_page, why, sender = str(mail.body).strip().split("\n\n")
    assert (hello, found, why) == ("Hello,", first, last)
    assert sender == "Lastcard, http://testserver"


def test_email_to_an_unknown_address_suggests_the_college_account(
    client: Client, mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    settings.PASSWORD_SIGN_UP = False
    MailVisit(client, mailoutbox).request_code("account_request_login_code")
    [mail] = mailoutbox
    first = (
        "Sign in with another address. Or sign in with your college account, and a "
        "Lastcard account will be created for you:"
    )
    assert first in str(mail.body)


def test_every_allauth_email_has_a_custom_template() -> None:
    theirs = Path(allauth.__file__).parent / "templates"
    names = {str(path.relative_to(theirs)) for path in theirs.rglob("email/*_subject.txt")}
    assert names >= UNSENT_TEMPLATES | INCLUDING_TEMPLATES
    for subject in names - UNSENT_TEMPLATES - INCLUDING_TEMPLATES:
        for name in (subject, subject.replace("_subject", "_message")):
            assert (django_settings.BASE_DIR / "templates" / name).is_file(), name
