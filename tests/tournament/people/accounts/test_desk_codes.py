"""Tests of the desk's sign-in codes: who can get one, how long it works, and who is notified."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.models import Seat
from tests.factories import make_organizer, make_registrations
from tests.games.helpers import make_match
from tests.tournament.helpers import get_refusal_code, run_concurrently
from tournament.common.refusals import RefusedError
from tournament.models import AuditEntry, DeskSignIn, Event, Registration, User
from tournament.people.accounts.desk_codes import LETTERS, create_desk_code, use_desk_code
from tournament.registration.services import withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(title="Chem Fest")]


@pytest.fixture
def organizer(event: Event) -> User:
    return make_organizer(event, name="Odile")


@pytest.fixture
def player(event: Event) -> Registration:
    return make_registrations(event, 1)[0]


def list_audit_entries(event: Event) -> list[tuple[str, str]]:
    return list(AuditEntry.objects.filter(event=event).order_by("pk").values_list("action", "text"))


def test_desk_code_signs_in_its_player(player: Registration, organizer: User) -> None:
    assert use_desk_code(create_desk_code(player, organizer).code) == player


@pytest.mark.parametrize("changed", [str.lower, lambda code: f" {code.replace('-', ' ')} "])
def test_desk_code_may_be_typed_in_lowercase_with_spaces(
    player: Registration, organizer: User, changed: Callable[[str], str]
) -> None:
    assert use_desk_code(changed(create_desk_code(player, organizer).code)) == player


def test_desk_code_has_eight_unambiguous_letters(player: Registration, organizer: User) -> None:
    code = create_desk_code(player, organizer).code
    assert (len(code), code[4]) == (9, "-")
    assert set(code.replace("-", "")) <= set(LETTERS)
    assert not set("01ILOU") & set(LETTERS)


def test_desk_code_works_once(player: Registration, organizer: User) -> None:
    code = create_desk_code(player, organizer).code
    use_desk_code(code)
    assert get_refusal_code(use_desk_code, code) == "no-code"


@pytest.mark.parametrize(("seconds", "works"), [(299, True), (300, False)])
def test_desk_code_is_valid_for_five_minutes(
    player: Registration, organizer: User, seconds: int, works: bool
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        shown = create_desk_code(player, organizer)
        assert shown.expires_at == timezone.now() + timedelta(minutes=5)
        clock.shift(seconds)
        if works:
            assert use_desk_code(shown.code) == player
        else:
            assert get_refusal_code(use_desk_code, shown.code) == "no-code"


def test_new_desk_code_invalidates_the_previous_one(player: Registration, organizer: User) -> None:
    before, now = create_desk_code(player, organizer), create_desk_code(player, organizer)
    assert get_refusal_code(use_desk_code, before.code) == "no-code"
    assert use_desk_code(now.code) == player


def test_unknown_desk_code_is_refused() -> None:
    assert get_refusal_code(use_desk_code, "AAAA-AAAA") == "no-code"


def test_desk_code_is_not_stored_in_plain_text(player: Registration, organizer: User) -> None:
    code = create_desk_code(player, organizer).code
    [row] = DeskSignIn.objects.values()
    assert code not in str(row)
    assert code.replace("-", "") not in str(row)


def test_creating_and_using_a_desk_code_is_logged_without_the_code(
    event: Event, player: Registration, organizer: User
) -> None:
    code = create_desk_code(player, organizer).code
    use_desk_code(code)
    assert list_audit_entries(event) == [
        ("desk-sign-in", f"Showed {player.name} a code for signing in at the desk."),
        ("desk-signed-in", f"{player.name} signed in with a code from the desk."),
    ]
    assert {entry.actor for entry in AuditEntry.objects.filter(event=event)} == {organizer}
    assert {str(entry.data) for entry in AuditEntry.objects.filter(event=event)} == {
        str({"registration": player.pk})
    }


def test_player_is_emailed_the_name_of_the_organizer(
    player: Registration,
    organizer: User,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    code = create_desk_code(player, organizer).code
    with django_capture_on_commit_callbacks(execute=True):
        use_desk_code(code)
    [mail] = mailoutbox
    assert (mail.to, mail.subject) == (
        [player.user.email],
        "You were signed in at the desk of Chem Fest",
    )
    assert "Odile" in str(mail.body)
    assert "Sign out everywhere" in str(mail.body)
    assert code not in str(mail.body)


# People who cannot use a desk code


def make_staff(player: Registration) -> None:
    User.objects.filter(pk=player.user.pk).update(is_staff=True)


def make_superuser(player: Registration) -> None:
    User.objects.filter(pk=player.user.pk).update(is_superuser=True)


def deactivate(player: Registration) -> None:
    User.objects.filter(pk=player.user.pk).update(is_active=False)


def withdraw_player(player: Registration) -> None:
    withdraw(player, player.user)


def refuse_registration(player: Registration) -> None:
    Registration.objects.filter(pk=player.pk).update(state=Registration.State.REFUSED)


def finish_event(player: Registration) -> None:
    Event.objects.filter(pk=player.event.pk).update(state=Event.State.FINISHED)


def unpublish_event(player: Registration) -> None:
    Event.objects.filter(pk=player.event.pk).update(state=Event.State.DRAFT)


def connect_at_table(player: Registration, seconds_ago: float = 1) -> None:
    seen = timezone.now() - timedelta(seconds=seconds_ago)
    Seat.objects.filter(pk=make_match().seats.all()[0].pk).update(user=player.user, seen_at=seen)


INELIGIBLE_PLAYERS = pytest.mark.parametrize(
    ("change", "code"),
    [
        (make_staff, "staff"),
        (make_superuser, "staff"),
        (deactivate, "inactive"),
        (withdraw_player, "not-registered"),
        (refuse_registration, "not-registered"),
        (finish_event, "not-now"),
        (unpublish_event, "not-now"),
        (connect_at_table, "connected"),
    ],
)


def reload_registration(player: Registration) -> Registration:
    return Registration.objects.select_related("event", "user").get(pk=player.pk)


@INELIGIBLE_PLAYERS
def test_ineligible_players_get_no_desk_code(
    player: Registration, organizer: User, change: Callable[[Registration], None], code: str
) -> None:
    change(player)
    assert get_refusal_code(create_desk_code, reload_registration(player), organizer) == code
    assert not DeskSignIn.objects.exists()


@INELIGIBLE_PLAYERS
def test_desk_code_is_invalid_once_its_player_is_ineligible(
    player: Registration, organizer: User, change: Callable[[Registration], None], code: str
) -> None:
    shown = create_desk_code(player, organizer)
    change(player)
    assert get_refusal_code(use_desk_code, shown.code) == code
    assert DeskSignIn.objects.get().used_at is None


def test_disconnected_player_can_sign_in_with_a_desk_code(
    player: Registration, organizer: User
) -> None:
    connect_at_table(player, seconds_ago=10)
    assert use_desk_code(create_desk_code(player, organizer).code) == player


def test_sign_in_is_allowed_while_another_player_is_connected(
    event: Event, player: Registration, organizer: User
) -> None:
    connect_at_table(make_registrations(event, 1)[0])
    assert use_desk_code(create_desk_code(player, organizer).code) == player


@pytest.mark.django_db(transaction=True)
def test_simultaneous_use_of_a_desk_code_succeeds_once(
    player: Registration, organizer: User
) -> None:
    code = create_desk_code(player, organizer).code
    answers = run_concurrently(lambda _user, _number: use_desk_code(code), 4)
    assert sorted(answers) == ["", "no-code", "no-code", "no-code"]


def test_refusal_of_a_desk_code_has_a_message(player: Registration, organizer: User) -> None:
    make_staff(player)
    with pytest.raises(
        RefusedError,
        match=r"^If an account has access to the desk, no one else can sign its owner in",
    ):
        create_desk_code(reload_registration(player), organizer)
