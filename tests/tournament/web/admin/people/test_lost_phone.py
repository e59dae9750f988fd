"""Help for a lost phone, given by a superuser with a reason, and logged."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from tests.factories import give_role, make_event, make_organizer
from tests.tournament.helpers import code_of
from tests.tournament.second_factor import factors_of, give_app, give_codes
from tests.tournament.visitors import asha
from tests.typed import Response
from tournament.models import AuditEntry, Event, User
from tournament.people.accounts.services import remove_factors

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest")]

REASON = "Met her at the desk, knows her since the first year."


@pytest.fixture
def person(event: Event) -> User:
    """Provide an organizer whose phone is lost."""
    user = asha(is_staff=True)
    give_role(event, user)
    give_app(user)
    give_codes(user)
    return user


@pytest.fixture
def helper() -> User:
    return make_organizer(name="Root", is_superuser=True)


@pytest.fixture
def client(helper: User) -> Client:
    client = Client()
    client.force_login(helper)
    return client


def page(person: User) -> str:
    return reverse("admin:tournament_user_lost_phone", args=[person.pk])


def take_off(client: Client, person: User, reason: str = REASON) -> Response:
    return client.post(page(person), {"reason": reason}, follow=True)


def test_account_page_links_to_second_factor_removal(client: Client, person: User) -> None:
    account = reverse("admin:tournament_user_change", args=[person.pk])
    assert f'href="{page(person)}"' in client.get(account).content.decode()
    assert "Turn off" in client.get(page(person)).content.decode()


def test_superuser_removes_the_second_factor_and_sees_confirmation(
    client: Client, person: User
) -> None:
    shown = take_off(client, person).content.decode()
    assert "Two-factor authentication is now off for Asha. They’ll be notified by email." in shown
    assert factors_of(person) == set()


def test_removal_ends_the_sessions_of_the_account(client: Client, person: User) -> None:
    phone = Client()
    phone.force_login(person)
    take_off(client, person)
    assert phone.get(reverse("profile")).status_code == 302


def test_removal_is_logged_with_the_reason_in_each_event_of_the_user(
    client: Client, person: User, helper: User, event: Event
) -> None:
    other = make_event()
    take_off(client, person)
    [entry] = AuditEntry.objects.all()
    assert (entry.event, entry.actor, entry.action) == (event, helper, "second-factor")
    assert (entry.text, entry.reason) == ("Turned off two-factor authentication for Asha.", REASON)
    assert not other.audit.exists()


def test_removal_is_recorded_in_the_account_history(
    client: Client, person: User, helper: User
) -> None:
    take_off(client, person)
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_id) == (helper, str(person.pk))
    assert entry.change_message == f"Turned off two-factor authentication for Asha. {REASON}"


def test_user_is_informed_of_the_actor_and_the_reason(
    person: User,
    helper: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        remove_factors(person, helper, REASON)
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == (
        ["asha@college.example"],
        "Two-factor authentication turned off for your account",
    )
    assert "Root turned off two-factor authentication and wrote:" in str(mail.body)
    assert f"    {REASON}" in str(mail.body)


@pytest.mark.parametrize("reason", ["", "  "])
def test_removal_requires_a_reason(client: Client, person: User, reason: str) -> None:
    assert "Give a reason" in take_off(client, person, reason).content.decode()
    assert factors_of(person) == {"totp", "recovery_codes"}


def test_superuser_cannot_remove_own_second_factor(client: Client, helper: User) -> None:
    give_app(helper)
    assert code_of(remove_factors, helper, helper, REASON) == "own"
    assert "You can turn off your own" in take_off(client, helper).content.decode()


def test_account_without_a_second_factor_is_reported(client: Client, person: User) -> None:
    Authenticator.objects.all().delete()
    assert (
        "This account doesn’t use two-factor authentication."
        in client.get(page(person)).content.decode()
    )
    assert code_of(remove_factors, person, None, REASON) == "no-factor"


def test_organizers_cannot_remove_a_second_factor(person: User, event: Event) -> None:
    organizer = Client()
    organizer.force_login(make_organizer(event))
    assert organizer.get(page(person)).status_code == 403
    assert take_off(organizer, person).status_code == 403
    assert factors_of(person) == {"totp", "recovery_codes"}


def test_unknown_account_is_not_found(client: Client) -> None:
    assert client.get(reverse("admin:tournament_user_lost_phone", args=[0])).status_code == 404


# On the server


def test_command_can_remove_the_second_factor_of_the_last_superuser(
    person: User, event: Event, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("take_off_second_factor", "Asha@college.example", reason=REASON)
    assert "Two-factor authentication is off" in capsys.readouterr().out
    assert factors_of(person) == set()
    assert event.audit.get().actor is None
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("nobody@college.example", "No account has this address."),
        ("asha@college.example", "This account doesn’t use two-factor authentication."),
    ],
)
def test_command_reports_what_it_cannot_do(person: User, address: str, fault: str) -> None:
    Authenticator.objects.all().delete()
    with pytest.raises(CommandError, match=fault):
        call_command("take_off_second_factor", address, reason=REASON)
