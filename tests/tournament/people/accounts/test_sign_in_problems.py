"""Tests of the report on sign-in problems for the server's operator."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from tests.factories import make_registrations, make_user
from tests.tournament.second_factor import give_app
from tournament.mail.letters import PRINTING_BACKEND
from tournament.models import Event, Letter, Registration, User
from tournament.people.accounts.sign_in_problems import describe_sign_in_state

pytestmark = [pytest.mark.django_db, pytest.mark.event(title="Chem Fest")]

NO_PROBLEMS = ["It has never signed in."]


@pytest.fixture
def asha() -> User:
    return make_user("Asha", email="asha@college.example")


def list_problems(user: User) -> list[str]:
    return list(describe_sign_in_state(user, user.email))


def test_account_without_problems_has_a_short_report(asha: User) -> None:
    assert list_problems(asha) == NO_PROBLEMS
    asha.last_login = timezone.now()
    [sentence] = list_problems(asha)
    assert sentence.startswith("It last signed in on ")


def test_closed_account_is_reported(asha: User) -> None:
    asha.is_active = False
    assert list_problems(asha) == [
        "The account is closed. A superuser can reopen it on its admin page.",
        *NO_PROBLEMS,
    ]


def test_unverified_address_is_reported(asha: User) -> None:
    EmailAddress.objects.update(verified=False)
    sentence = "This address was never confirmed: signing in requires an emailed code first."
    assert list_problems(asha) == [sentence, *NO_PROBLEMS]


def test_account_without_a_password_is_reported(asha: User) -> None:
    asha.set_unusable_password()
    sentence = "It has no password: sign in with an emailed code or a college account."
    assert list_problems(asha) == [sentence, *NO_PROBLEMS]


def test_linked_college_account_is_reported(asha: User) -> None:
    SocialAccount.objects.create(user=asha, provider="college", uid="asha")
    sentence = "A college account is linked to it. A superuser can unlink it on its admin page."
    assert list_problems(asha) == [sentence, *NO_PROBLEMS]


def test_second_factor_is_reported_by_type(asha: User) -> None:
    give_app(asha)
    assert list_problems(asha) == ["It uses two-factor authentication (totp).", *NO_PROBLEMS]


def test_delayed_emails_are_reported_with_the_server_answer(asha: User) -> None:
    now = timezone.now()
    later = now + timedelta(hours=1)
    for address, due, error in [
        ("Asha@college.example", later, ""),
        ("asha@college.example", later, "refused 550"),
        ("asha@college.example", None, "refused 551"),
        ("ben@college.example", later, "refused 552"),
    ]:
        Letter.objects.create(address=address, due=due, error=error, written_at=now, until=later)
    assert list_problems(asha) == ["Unsent emails to it: 2 (refused 550).", *NO_PROBLEMS]
    Letter.objects.update(error="")
    assert list_problems(asha) == ["Unsent emails to it: 2 (not tried yet).", *NO_PROBLEMS]


def test_missing_mail_server_is_reported(asha: User, settings: Settings) -> None:
    settings.MAILERS = {"default": {"BACKEND": PRINTING_BACKEND}}
    sentence = "The site has no mail server (EMAIL_HOST): codes are printed to the log."
    assert list_problems(asha) == [sentence, *NO_PROBLEMS]


def test_report_states_which_desks_can_show_a_code(event: Event) -> None:
    [player] = make_registrations(event, 1)
    helps = "Chem Fest: the desk can show a sign-in code."
    assert list_problems(player.user) == [*NO_PROBLEMS, helps]
    Registration.objects.update(state=Registration.State.WITHDRAWN)
    not_now = "Chem Fest: the desk cannot show a code. This person is not registered for the event."
    assert list_problems(player.user) == [*NO_PROBLEMS, not_now]


def test_command_finds_the_account_for_any_spelling_of_its_address(
    asha: User, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("account_state", "Asha@College.example")
    head, *sentences = capsys.readouterr().out.splitlines()
    assert head == f"Asha@College.example is account {asha.pk} in the log."
    assert sentences == [f"  {sentence}" for sentence in NO_PROBLEMS]


def test_report_on_an_unknown_address_suggests_similar_ones(asha: User) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("account_state", "asha@gmail.example")
    alike = "No account has this address. Similar addresses:\n  asha@college.example"
    assert str(refused.value) == alike
    with pytest.raises(CommandError) as refused:
        call_command("account_state", "nobody@college.example")
    assert str(refused.value) == "No account has this address."
