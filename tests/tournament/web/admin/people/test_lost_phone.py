"""Tests of turning off two-factor authentication for a person who has lost a phone."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.factories import give_role, make_event, make_organizer
from tests.tournament.helpers import get_refusal_code
from tests.tournament.second_factor import give_app, give_codes, list_factors
from tests.tournament.visitors import make_asha
from tests.typed import Response
from tournament.models import AuditEntry, Event, User
from tournament.people.accounts.services import remove_factors

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest")]

REASON = "Met her at the desk, knows her since the first year."


@pytest.fixture
def locked_out_organizer(event: Event) -> User:
    """Provide an organizer who has lost the phone with the second factor."""
    user = make_asha(is_staff=True)
    give_role(event, user)
    give_app(user)
    give_codes(user)
    return user


@pytest.fixture
def superuser() -> User:
    return make_organizer(name="Root", is_superuser=True)


@pytest.fixture
def client(superuser: User) -> Client:
    client = Client()
    client.force_login(superuser)
    return client


def get_page_address(person: User) -> str:
    return reverse("admin:tournament_user_lost_phone", args=[person.pk])


def remove_second_factor(client: Client, person: User, reason: str = REASON) -> Response:
    return client.post(get_page_address(person), {"reason": reason}, follow=True)


def test_account_page_links_to_second_factor_removal(
    client: Client, locked_out_organizer: User
) -> None:
    account = reverse("admin:tournament_user_change", args=[locked_out_organizer.pk])
    assert (
        f'href="{get_page_address(locked_out_organizer)}"' in client.get(account).content.decode()
    )
    assert "Turn off" in client.get(get_page_address(locked_out_organizer)).content.decode()


def test_superuser_removes_the_second_factor_and_sees_confirmation(
    client: Client, locked_out_organizer: User
) -> None:
    shown = remove_second_factor(client, locked_out_organizer).content.decode()
    assert "Two-factor authentication is now off for Asha. They’ll be notified by email." in shown
    assert list_factors(locked_out_organizer) == set()


def test_removal_ends_the_sessions_of_the_account(
    client: Client, locked_out_organizer: User
) -> None:
    phone = Client()
    phone.force_login(locked_out_organizer)
    remove_second_factor(client, locked_out_organizer)
    assert phone.get(reverse("profile")).status_code == 302


def test_removal_is_logged_with_the_reason_in_each_event_of_the_user(
    client: Client, locked_out_organizer: User, superuser: User, event: Event
) -> None:
    other = make_event()
    remove_second_factor(client, locked_out_organizer)
    [entry] = AuditEntry.objects.all()
    assert (entry.event, entry.actor, entry.action) == (event, superuser, "second-factor")
    assert (entry.text, entry.reason) == ("Turned off two-factor authentication for Asha.", REASON)
    assert not other.audit.exists()


def test_removal_is_recorded_in_the_account_history(
    client: Client, locked_out_organizer: User, superuser: User
) -> None:
    remove_second_factor(client, locked_out_organizer)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (superuser, str(locked_out_organizer.pk))
    assert entry.change_message == f"Turned off two-factor authentication for Asha. {REASON}"


def test_user_is_informed_of_the_actor_and_the_reason(
    locked_out_organizer: User,
    superuser: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        remove_factors(locked_out_organizer, superuser, REASON)
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == (
        ["asha@college.example"],
        "Two-factor authentication turned off for your account",
    )
    assert "Root turned off two-factor authentication and wrote:" in str(mail.body)
    assert f"    {REASON}" in str(mail.body)


@pytest.mark.parametrize("reason", ["", "  "])
def test_removal_requires_a_reason(client: Client, locked_out_organizer: User, reason: str) -> None:
    assert (
        "Give a reason"
        in remove_second_factor(client, locked_out_organizer, reason).content.decode()
    )
    assert list_factors(locked_out_organizer) == {"totp", "recovery_codes"}


def test_superuser_cannot_remove_own_second_factor(client: Client, superuser: User) -> None:
    give_app(superuser)
    assert get_refusal_code(remove_factors, superuser, superuser, REASON) == "own"
    assert "You can turn off your own" in remove_second_factor(client, superuser).content.decode()


def test_account_without_a_second_factor_is_reported(
    client: Client, locked_out_organizer: User
) -> None:
    Authenticator.objects.all().delete()
    assert (
        "This account doesn’t use two-factor authentication."
        in client.get(get_page_address(locked_out_organizer)).content.decode()
    )
    assert get_refusal_code(remove_factors, locked_out_organizer, None, REASON) == "no-factor"


def test_organizers_cannot_remove_a_second_factor(locked_out_organizer: User, event: Event) -> None:
    organizer = Client()
    organizer.force_login(make_organizer(event))
    assert organizer.get(get_page_address(locked_out_organizer)).status_code == 403
    assert remove_second_factor(organizer, locked_out_organizer).status_code == 403
    assert list_factors(locked_out_organizer) == {"totp", "recovery_codes"}


def test_unknown_account_is_not_found(client: Client) -> None:
    assert client.get(reverse("admin:tournament_user_lost_phone", args=[0])).status_code == 404


# On the server


def test_command_can_remove_the_second_factor_of_the_last_superuser(
    locked_out_organizer: User, event: Event, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("take_off_second_factor", "Asha@college.example", reason=REASON)
    assert "Two-factor authentication is off" in capsys.readouterr().out
    assert list_factors(locked_out_organizer) == set()
    assert event.audit.get().actor is None
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("nobody@college.example", "No account has this address."),
        ("asha@college.example", "This account doesn’t use two-factor authentication."),
    ],
)
def test_command_reports_what_it_cannot_do(
    locked_out_organizer: User, address: str, fault: str
) -> None:
    Authenticator.objects.all().delete()
    with pytest.raises(CommandError, match=fault):
        call_command("take_off_second_factor", address, reason=REASON)
