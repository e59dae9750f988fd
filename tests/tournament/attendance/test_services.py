"""Presence: check-in by the desk or the door's code, absence and return."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_event, make_players, make_registrations
from tests.tournament.helpers import code_of, first_stage, make_organized_event
from tournament.attendance.services import (
    check_in,
    check_in_here,
    come_back,
    mark_absent,
    set_check_in,
    take_back,
)
from tournament.models import AuditEntry, Event, Registration, User
from tournament.people.presence import attendee
from tournament.registration.services import withdraw
from tournament.seating.queries import entrants

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(check_in=True)]
HOUR = timedelta(hours=1)


@pytest.fixture
def player(event: Event) -> Registration:
    return make_players(event, 1)[0]


def again(registration: Registration) -> Registration:
    return Registration.objects.get(pk=registration.pk)


def part(registration: Registration) -> str:
    return attendee(again(registration), set()).part


def list_audit_entries(event: Event) -> list[tuple[str, str]]:
    rows = AuditEntry.objects.filter(event=event).order_by("pk")
    return list(rows.values_list("action", "text"))


def test_the_desk_checks_in_and_the_log_has_it(player: Registration, organizer: User) -> None:
    assert check_in([player], organizer) == 1
    row = again(player)
    assert (part(row), row.checked_in_by) == ("checked-in", organizer)
    assert list_audit_entries(player.event) == [("check-in", f"{player.name} is checked in.")]


def test_several_are_checked_in_together_and_nobody_twice(event: Event, organizer: User) -> None:
    players = make_players(event, 3)
    check_in(players[:1], organizer)
    assert check_in(players, organizer) == 2
    assert len(list_audit_entries(event)) == 3


def test_nobody_ticked_is_refused(organizer: User) -> None:
    assert code_of(check_in, [], organizer) == "nobody"
    assert code_of(mark_absent, [], organizer) == "nobody"


def test_an_event_without_check_in_refuses(organizer: User, player: Registration) -> None:
    Event.objects.update(check_in=False)
    player.event.refresh_from_db()
    assert code_of(check_in, [player], organizer) == "not-used"
    assert code_of(check_in_here, player) == "not-used"


@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED])
def test_nobody_checks_in_while_the_event_is_not_on(
    organizer: User, player: Registration, state: str
) -> None:
    Event.objects.update(state=state)
    assert code_of(check_in, [player], organizer) == "not-now"


def test_who_has_withdrawn_is_not_expected(organizer: User, player: Registration) -> None:
    withdraw(player, player.user)
    assert code_of(check_in, [player], organizer) == "state"


def test_who_waits_for_a_place_can_say_that_they_are_here(organizer: User) -> None:
    event = make_event(check_in=True, capacity=2)
    waiting = make_registrations(event, 3)[2]
    check_in([waiting], organizer)
    assert attendee(again(waiting), set()).here
    assert part(waiting) == "waitlist"


@pytest.mark.parametrize(
    ("opens", "closes", "code"), [(HOUR, None, "early"), (None, -HOUR, "late"), (None, HOUR, "")]
)
def test_the_door_has_its_times_and_the_desk_has_none(
    organizer: User, opens: timedelta | None, closes: timedelta | None, code: str
) -> None:
    now = timezone.now()
    times = {"opens": opens and now + opens, "closes": closes and now + closes}
    event = make_event(check_in=True, **{f"check_in_{key}": at for key, at in times.items()})
    one, other = make_players(event, 2)
    if code:
        assert code_of(check_in_here, one) == code
    else:
        assert check_in_here(one).checked_in_by is None
    assert check_in([other], organizer) == 1


def test_a_check_in_can_be_taken_back_once(organizer: User, player: Registration) -> None:
    check_in([player], organizer)
    take_back(player, organizer)
    assert part(player) == "approved"
    assert code_of(take_back, player, organizer) == "same"


def test_who_is_absent_keeps_the_place_and_is_back_by_checking_in(
    organizer: User, player: Registration
) -> None:
    assert mark_absent([player], organizer, "Gone home.") == 1
    assert mark_absent([player], organizer) == 0
    assert (again(player).state, part(player)) == ("approved", "absent")
    assert AuditEntry.objects.get(action="absent").reason == "Gone home."
    check_in([player], organizer)
    assert part(player) == "checked-in"


def test_who_comes_back_is_no_more_absent(organizer: User, player: Registration) -> None:
    check_in([player], organizer)
    mark_absent([player], organizer)
    come_back(player, organizer)
    assert part(player) == "checked-in"
    assert code_of(come_back, player, organizer) == "same"


def test_only_who_has_a_place_can_be_absent(organizer: User, player: Registration) -> None:
    withdraw(player, player.user)
    assert code_of(mark_absent, [player], organizer) == "state"


def test_check_in_opens_before_it_closes(event: Event, organizer: User) -> None:
    event.check_in_opens, event.check_in_closes = timezone.now(), timezone.now() - HOUR
    assert code_of(set_check_in, event, organizer, {"check_in_opens"}) == "window"


def test_a_change_of_the_check_in_is_logged_with_its_values(event: Event, organizer: User) -> None:
    event.check_in = False
    set_check_in(event, organizer, {"check_in", "title"})
    [entry] = AuditEntry.objects.filter(event=event)
    assert entry.text == "Changed: players check in before they are seated."
    assert [change["before"] for change in entry.data["changes"]] == ["yes"]


def test_seats_are_drawn_for_who_is_here(organizer: User) -> None:
    event, organizer = make_organized_event(4, check_in=True)
    here, missing, absent, late = event.registrations.order_by("pk")
    check_in([here, absent], organizer)
    mark_absent([absent], organizer)
    stage = first_stage(event)
    assert entrants(stage, 1) == [here]
    assert entrants(stage, 1, kept=[missing.pk]) == [here, missing]
    check_in([late], organizer)
    assert entrants(stage, 1) == [here, late]


def test_before_check_in_opens_everybody_with_a_place_is_seated() -> None:
    event, organizer = make_organized_event(3, check_in=True, check_in_opens=timezone.now() + HOUR)
    gone = event.registrations.order_by("pk")[0]
    mark_absent([gone], organizer)
    assert gone not in entrants(first_stage(event), 1)
    assert len(entrants(first_stage(event), 1)) == 2
