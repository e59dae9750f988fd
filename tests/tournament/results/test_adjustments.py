"""Rounds that a player missed count as the event says, and the standings say so."""

from dataclasses import replace

import pytest

from tests.factories import make_players
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.results.test_queries_forfeits import make_table_result
from tournament.models import Event, Registration, Round, Ruling, User
from tournament.registration.services import withdraw
from tournament.results.adjustments import adjustments
from tournament.seating.services import seat_round
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow

pytestmark = pytest.mark.django_db


def play(event: Event, organizer: User, points: list[int]) -> Round:
    drawn = seat_round(first_stage(event), organizer)
    return finish_paper_round(start_drafted_round(drawn, organizer), organizer, points)


def late(**fields: str) -> tuple[Event, User, Registration]:
    """Three have played a round; a fourth comes for the second one."""
    event, organizer = make_organized_event(3, table_size=4, **fields)
    play(event, organizer, [90, 60, 30])
    (comer,) = make_players(event, 1)
    play(event, organizer, [101, 101, 101, 101])
    return event, organizer, comer


def row_of(event: Event, registration: Registration) -> LeaderRow:
    rows = leaderboard(event, event.stages.get(number=1), figures=True).rows
    return next(row for row in rows if row.registration.pk == registration.pk)


def test_a_missed_round_is_not_counted_unless_the_event_says_so() -> None:
    event, _organizer, comer = late()
    row = row_of(event, comer)
    assert (row.points, row.matches) == (101, 1)
    assert "missed" not in row.separated_by


def test_by_the_average_who_came_late_gets_as_much_as_in_the_own_matches() -> None:
    event, _organizer, comer = late(missed_rounds="average")
    row = row_of(event, comer)
    assert row.points == 202
    assert row.separated_by.endswith(
        "+101 for 1 missed round, based on the average of the player’s own matches."
    )


def test_as_a_loss_a_missed_round_gives_no_points_and_lowers_the_share() -> None:
    event, _organizer, comer = late(missed_rounds="loss")
    row = row_of(event, comer)
    assert row.points == 101
    assert row.separated_by.endswith("+0 for 1 missed round, which counts as a loss.")
    assert "0.12" in row.metrics


def test_where_few_points_are_good_a_lost_round_gives_as_many_as_the_worst_there() -> None:
    event, organizer = make_organized_event(
        3, table_size=4, options={"scoring": "lowest"}, missed_rounds="loss"
    )
    play(event, organizer, [90, 60, 30])
    (comer,) = make_players(event, 1)
    play(event, organizer, [100, 100, 100, 100])
    row = row_of(event, comer)
    assert row.points == 190
    assert "95" in row.metrics


def test_who_has_missed_nothing_or_is_no_longer_in_gets_nothing() -> None:
    event, organizer, comer = late(missed_rounds="average")
    first = event.registrations.order_by("queue_number")[0]
    assert "missed" not in row_of(event, first).separated_by
    withdraw(comer, organizer, "Gone home.")
    assert "missed" not in row_of(event, comer).separated_by


def test_who_has_played_nothing_yet_has_missed_nothing() -> None:
    event, _organizer, _comer = late(missed_rounds="average")
    (idle,) = make_players(event, 1)
    row = row_of(event, idle)
    assert (row.points, row.separated_by) == (0, "Hasn’t finished a match.")


def test_a_bye_is_no_missed_round() -> None:
    event, _organizer, comer = late(missed_rounds="average")
    first = Round.objects.get(number=1)
    first.seating = replace(first.seating, byes=(comer.pk,))
    first.save()
    assert "missed" not in row_of(event, comer).separated_by


@pytest.mark.parametrize(("low", "points"), [(False, -15), (True, 15)])
def test_a_penalty_is_the_worse_for_the_player(low: bool, points: int) -> None:
    ruling = Ruling(registration_id=2, points=15)
    (penalty,) = adjustments(Event(), [make_table_result(low=low)], [ruling], playing=[])[2]
    assert penalty.points == points
