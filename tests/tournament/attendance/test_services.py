"""Tests of check-in at the desk or with the door code, of absences and of returns."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_event, make_players, make_registrations
from tests.tournament.helpers import first_stage, get_refusal_code, make_organized_event
from tournament.attendance.services import (
    check_in,
    check_in_by_code,
    mark_absent,
    set_check_in,
    undo_absence,
    undo_check_in,
)
from tournament.models import AuditEntry, Event, Registration, User
from tournament.people.presence import make_attendee
from tournament.registration.services import withdraw
from tournament.seating.queries import list_entrants

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(check_in=True)]
HOUR = timedelta(hours=1)


@pytest.fixture
def player(event: Event) -> Registration:
    return make_players(event, 1)[0]


def reload_registration(registration: Registration) -> Registration:
    return Registration.objects.get(pk=registration.pk)


def get_attendee_part(registration: Registration) -> str:
    return make_attendee(reload_registration(registration), set()).part


def list_audit_entries(event: Event) -> list[tuple[str, str]]:
    rows = AuditEntry.objects.filter(event=event).order_by("pk")
    return list(rows.values_list("action", "text"))


def test_desk_check_in_is_logged(player: Registration, organizer: User) -> None:
    assert check_in([player], organizer) == 1
    row = reload_registration(player)
    assert (get_attendee_part(row), row.checked_in_by) == ("checked-in", organizer)
    assert list_audit_entries(player.event) == [("check-in", f"{player.name} is checked in.")]


def test_players_are_checked_in_together_and_only_once(event: Event, organizer: User) -> None:
    players = make_players(event, 3)
    check_in(players[:1], organizer)
    assert check_in(players, organizer) == 2
    assert len(list_audit_entries(event)) == 3


def test_empty_selection_is_refused(organizer: User) -> None:
    assert get_refusal_code(check_in, [], organizer) == "nobody"
    assert get_refusal_code(mark_absent, [], organizer) == "nobody"


def test_check_in_is_refused_if_the_event_has_no_check_in(
    organizer: User, player: Registration
) -> None:
    Event.objects.update(check_in=False)
    player.event.refresh_from_db()
    assert get_refusal_code(check_in, [player], organizer) == "not-used"
    assert get_refusal_code(check_in_by_code, player) == "not-used"


@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED])
def test_check_in_is_refused_when_the_event_is_not_running(
    organizer: User, player: Registration, state: str
) -> None:
    Event.objects.update(state=state)
    assert get_refusal_code(check_in, [player], organizer) == "not-now"


def test_withdrawn_player_cannot_check_in(organizer: User, player: Registration) -> None:
    withdraw(player, player.user)
    assert get_refusal_code(check_in, [player], organizer) == "state"


def test_waitlisted_player_can_check_in(organizer: User) -> None:
    event = make_event(check_in=True, capacity=2)
    waiting = make_registrations(event, 3)[2]
    check_in([waiting], organizer)
    assert make_attendee(reload_registration(waiting), set()).here
    assert get_attendee_part(waiting) == "waitlist"


@pytest.mark.parametrize(
    ("opens", "closes", "code"), [(HOUR, None, "early"), (None, -HOUR, "late"), (None, HOUR, "")]
)
def test_check_in_hours_apply_to_the_door_but_not_the_desk(
    organizer: User, opens: timedelta | None, closes: timedelta | None, code: str
) -> None:
    now = timezone.now()
    times = {"opens": opens and now + opens, "closes": closes and now + closes}
    event = make_event(check_in=True, **{f"check_in_{key}": at for key, at in times.items()})
    one, other = make_players(event, 2)
    if code:
        assert get_refusal_code(check_in_by_code, one) == code
    else:
        assert check_in_by_code(one).checked_in_by is None
    assert check_in([other], organizer) == 1


def test_check_in_can_be_undone_once(organizer: User, player: Registration) -> None:
    check_in([player], organizer)
    undo_check_in(player, organizer)
    assert get_attendee_part(player) == "approved"
    assert get_refusal_code(undo_check_in, player, organizer) == "same"


def test_absent_player_keeps_the_spot_and_returns_by_checking_in(
    organizer: User, player: Registration
) -> None:
    assert mark_absent([player], organizer, "Gone home.") == 1
    assert mark_absent([player], organizer) == 0
    assert (reload_registration(player).state, get_attendee_part(player)) == ("approved", "absent")
    assert AuditEntry.objects.get(action="absent").reason == "Gone home."
    check_in([player], organizer)
    assert get_attendee_part(player) == "checked-in"


def test_returning_player_is_no_longer_absent(organizer: User, player: Registration) -> None:
    check_in([player], organizer)
    mark_absent([player], organizer)
    undo_absence(player, organizer)
    assert get_attendee_part(player) == "checked-in"
    assert get_refusal_code(undo_absence, player, organizer) == "same"


def test_only_players_with_a_spot_can_be_absent(organizer: User, player: Registration) -> None:
    withdraw(player, player.user)
    assert get_refusal_code(mark_absent, [player], organizer) == "state"


def test_check_in_must_open_before_it_closes(event: Event, organizer: User) -> None:
    event.check_in_opens, event.check_in_closes = timezone.now(), timezone.now() - HOUR
    assert get_refusal_code(set_check_in, event, organizer, {"check_in_opens"}) == "window"


def test_check_in_settings_are_logged_with_their_values(event: Event, organizer: User) -> None:
    event.check_in = False
    set_check_in(event, organizer, {"check_in", "title"})
    [entry] = AuditEntry.objects.filter(event=event)
    assert entry.text == "Changed: players check in before they are seated."
    assert [change["before"] for change in entry.data["changes"]] == ["yes"]


def test_only_checked_in_players_are_seated(organizer: User) -> None:
    event, organizer = make_organized_event(4, check_in=True)
    here, missing, absent, late = event.registrations.order_by("pk")
    check_in([here, absent], organizer)
    mark_absent([absent], organizer)
    stage = first_stage(event)
    assert list_entrants(stage, 1) == [here]
    assert list_entrants(stage, 1, staying=[missing.pk]) == [here, missing]
    check_in([late], organizer)
    assert list_entrants(stage, 1) == [here, late]


def test_all_players_with_a_spot_are_seated_before_check_in_opens() -> None:
    event, organizer = make_organized_event(3, check_in=True, check_in_opens=timezone.now() + HOUR)
    gone = event.registrations.order_by("pk")[0]
    mark_absent([gone], organizer)
    assert gone not in list_entrants(first_stage(event), 1)
    assert len(list_entrants(first_stage(event), 1)) == 2
