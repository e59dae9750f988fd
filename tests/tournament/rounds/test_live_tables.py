"""A player's current event and seats, and the progress of an event's stages."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import make_event, make_players, make_user
from tests.tournament.staging import make_stage
from tournament.models import Event, Registration, Round, Stage, Table, TableSeat, User
from tournament.rounds.live_tables import (
    CurrentSeat,
    annotate_players,
    find_current_event,
    is_imminent,
    list_current_seats,
    list_stage_views,
)
from tournament.stages.texts import stage_text

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
State = Registration.State


@pytest.fixture
def user() -> User:
    return make_user()


def register_user(user: User, state: str = State.APPROVED, **fields: Any) -> Registration:
    """Register the user for a new event, and set the state of the registration."""
    (row,) = make_players(make_event(**fields), 1)
    Registration.objects.filter(pk=row.pk).update(user=user, state=state)
    row.refresh_from_db()
    return row


def create_seat(row: Registration, state: str = Round.State.PUBLISHED, **fields: Any) -> TableSeat:
    """Create a seat for the player at table 3 of a new round."""
    stage = row.event.stages.first() or make_stage(row.event)
    number = stage.rounds.count() + 1
    played = Round.objects.create(
        stage=stage, number=number, ordinal=number, name=f"Round {number}", state=state
    )
    table = Table.objects.create(round=played, number=3)
    return TableSeat.objects.create(table=table, number=1, registration=row, **fields)


# -- the current event -------------------------------------------------------------------------


def test_user_without_events_has_no_current_event(user: User) -> None:
    assert find_current_event(user) is None
    register_user(user)
    assert find_current_event(user) is None


def test_running_event_is_current(user: User) -> None:
    register_user(user)
    row = register_user(user, state=State.APPROVED)
    Event.objects.filter(pk=row.event_id).update(state=Event.State.RUNNING)
    assert find_current_event(user) == row.event


def test_event_with_a_seat_takes_precedence_over_a_running_event(user: User) -> None:
    other = register_user(user)
    Event.objects.filter(pk=other.event_id).update(state=Event.State.RUNNING)
    row = register_user(user)
    create_seat(row)
    assert find_current_event(user) == row.event


def test_user_with_seats_in_two_events_has_no_current_event(user: User) -> None:
    rows = [register_user(user), register_user(user)]
    for row in rows:
        create_seat(row)
    assert find_current_event(user) is None


@pytest.mark.parametrize(
    "state", [State.PENDING, State.WAITLIST, State.REFUSED, State.WITHDRAWN, State.DISQUALIFIED]
)
def test_user_without_a_spot_has_no_current_event(user: User, state: str) -> None:
    row = register_user(user, state)
    create_seat(row)
    assert find_current_event(user) is None


@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED])
def test_draft_or_finished_event_is_not_current(user: User, state: str) -> None:
    row = register_user(user)
    create_seat(row)
    Event.objects.filter(pk=row.event_id).update(state=state)
    assert find_current_event(user) is None


# -- seats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "is_shown"),
    [
        (Round.State.DRAFT, False),
        (Round.State.PUBLISHED, True),
        (Round.State.RUNNING, True),
        (Round.State.CLOSED, False),
    ],
)
def test_seat_is_shown_from_publication_to_the_end_of_the_round(
    user: User, state: str, *, is_shown: bool
) -> None:
    row = register_user(user)
    create_seat(row, state)
    seat = CurrentSeat(table=3, seat=2, playing=False)
    assert list_current_seats(user) == ({row.event_id: seat} if is_shown else {})


def test_forfeited_seat_is_not_current(user: User) -> None:
    create_seat(register_user(user), forfeited=True)
    assert list_current_seats(user) == {}


def test_seat_with_a_substitute_is_current_for_the_substitute(user: User) -> None:
    row = register_user(user)
    (other,) = make_players(row.event, 1)
    seat = create_seat(row, substitute=other)
    assert list_current_seats(user) == {}
    assert list_current_seats(other.user) == {row.event_id: CurrentSeat(3, 2, playing=False)}
    seat.substitute = None
    seat.save()
    assert (len(list_current_seats(user)), list_current_seats(other.user)) == (1, {})


def test_current_seats_are_listed_by_event(user: User) -> None:
    rows = [register_user(user), register_user(user)]
    for row in rows:
        create_seat(row)
    assert list_current_seats(user).keys() == {row.event_id for row in rows}
    assert list_current_seats(make_user()) == {}


# -- the event ---------------------------------------------------------------------------------


def test_only_registrations_with_a_spot_count_as_players() -> None:
    event = make_event()
    rows = make_players(event, len(State.choices))
    for row, state in zip(rows, State.values, strict=True):
        Registration.objects.filter(pk=row.pk).update(state=state)
    [found] = annotate_players(Event.objects.filter(pk=event.pk))
    assert vars(found)["players"] == 2  # the approved player and the one waiting for approval


def close_stage(stage: Stage) -> None:
    Stage.objects.filter(pk=stage.pk).update(state=Stage.State.CLOSED)


def make_round_adder(state: str, **fields: Any) -> Callable[[Stage], None]:
    def add_round(stage: Stage) -> None:
        number = stage.rounds.count() + 1
        Round.objects.create(
            stage=stage, number=number, ordinal=number, name=f"R{number}", state=state, **fields
        )

    return add_round


@pytest.mark.parametrize(
    ("steps", "progress", "percent"),
    [
        ([], "", 0),
        ([make_round_adder(Round.State.DRAFT)], "", 0),
        ([make_round_adder(Round.State.PUBLISHED)], "now", 1),
        ([make_round_adder(Round.State.RUNNING)], "now", 1),
        ([make_round_adder(Round.State.CLOSED)], "", 1),
        ([make_round_adder(Round.State.CLOSED), make_round_adder(Round.State.DRAFT)], "", 1),
        ([make_round_adder(Round.State.CLOSED), make_round_adder(Round.State.RUNNING)], "now", 2),
        ([make_round_adder(Round.State.RUNNING, is_final=True)], "now", 1),
        ([make_round_adder(Round.State.CLOSED, is_final=True)], "done", 1),
        ([make_round_adder(Round.State.CLOSED), close_stage], "done", 1),
    ],
)
def test_stage_progress_follows_from_its_published_rounds(
    steps: list[Callable[[Stage], None]], progress: str, percent: int
) -> None:
    stage = make_stage(make_event())
    for step in steps:
        step(stage)
    [view] = list_stage_views(stage.event)
    assert (view.stage, view.progress, len(view.rounds)) == (stage, progress, percent)


def test_stages_are_listed_in_order() -> None:
    event = make_event()
    second = make_stage(event, 2, format="bracket")
    first = make_stage(event, 1)
    views = list_stage_views(event)
    assert [view.stage for view in views] == [first, second]
    # The text of a stage depends on the next one.
    assert [view.text for view in views] == [stage_text(first), stage_text(second)]
    Stage.objects.filter(pk=first.pk).update(state=Stage.State.CLOSED)
    assert list_stage_views(event)[0].text.endswith("No one advanced. The standings decide.")
    assert list_stage_views(make_event()) == []


def test_event_is_imminent_while_running_and_around_its_start() -> None:
    now = timezone.now()
    cases = [
        (Event.State.RUNNING, None, True),
        (Event.State.OPEN, None, False),
        (Event.State.OPEN, now + timedelta(hours=3), True),
        (Event.State.OPEN, now + timedelta(days=2), False),
        (Event.State.FINISHED, now, False),
    ]
    for state, starts_at, expected in cases:
        assert is_imminent(Event(state=state, starts_at=starts_at)) is expected
