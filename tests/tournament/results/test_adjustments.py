"""Missed rounds, scored by the event's setting and explained in the standings."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.factories import make_players
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.results.test_queries_forfeits import make_table_result
from tournament.models import Event, Registration, Round, Ruling, Sitting, Stage, Table, User
from tournament.pure.arrangement import RoundSeating
from tournament.pure.ranking import StandingsRow, order_for, standings
from tournament.registration.services import withdraw
from tournament.results.adjustments import adjustments
from tournament.results.queries import TableResult
from tournament.seating.services import seat_round
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow

pytestmark = pytest.mark.django_db


def play(event: Event, organizer: User, points: list[int]) -> Round:
    drawn = seat_round(first_stage(event), organizer)
    return finish_paper_round(start_drafted_round(drawn, organizer), organizer, points)


def late(**fields: str) -> tuple[Event, User, Registration]:
    """Create an event whose fourth player joins after the first round.

    The other three played the first round, and all four have played the second.
    """
    event, organizer = make_organized_event(3, table_size=4, **fields)
    play(event, organizer, [90, 60, 30])
    (comer,) = make_players(event, 1)
    play(event, organizer, [101, 101, 101, 101])
    return event, organizer, comer


def row_of(event: Event, registration: Registration) -> LeaderRow:
    rows = leaderboard(event, event.stages.get(number=1), figures=True).rows
    return next(row for row in rows if row.registration.pk == registration.pk)


def test_missed_round_does_not_count_unless_the_event_says_so() -> None:
    event, _organizer, comer = late()
    row = row_of(event, comer)
    assert (row.points, row.matches) == (101, 1)
    assert "missed" not in row.separated_by


def test_average_setting_credits_latecomers_with_their_own_mean() -> None:
    event, _organizer, comer = late(missed_rounds="average")
    row = row_of(event, comer)
    assert row.points == 202
    assert row.separated_by.endswith(
        "+101 for 1 missed round, the average of the player’s own matches."
    )


def test_loss_setting_gives_a_missed_round_no_points_and_lowers_the_share() -> None:
    event, _organizer, comer = late(missed_rounds="loss")
    row = row_of(event, comer)
    assert row.points == 101
    assert row.separated_by.endswith("+0 for 1 missed round, which counts as a loss.")
    assert "0.12" in row.metrics


def test_missed_round_counts_as_the_worst_score_with_lowest_scoring() -> None:
    event, organizer = make_organized_event(
        3, table_size=4, options={"scoring": "lowest"}, missed_rounds="loss"
    )
    play(event, organizer, [90, 60, 30])
    (comer,) = make_players(event, 1)
    play(event, organizer, [100, 100, 100, 100])
    row = row_of(event, comer)
    assert row.points == 190
    assert "95" in row.metrics


def test_player_without_missed_rounds_or_no_longer_playing_gets_no_credit() -> None:
    event, organizer, comer = late(missed_rounds="average")
    first = event.registrations.order_by("queue_number")[0]
    assert "missed" not in row_of(event, first).separated_by
    withdraw(comer, organizer, "Gone home.")
    assert "missed" not in row_of(event, comer).separated_by


def test_player_without_any_matches_has_missed_nothing() -> None:
    event, _organizer, _comer = late(missed_rounds="average")
    (idle,) = make_players(event, 1)
    row = row_of(event, idle)
    assert (row.points, row.separated_by) == (0, "Hasn’t finished a match.")


@pytest.mark.parametrize("missed", ["nothing", "loss", "average"])
def test_bye_counts_as_the_average_under_any_setting(missed: str) -> None:
    event, _organizer, comer = late(missed_rounds=missed)
    first = Round.objects.get(number=1)
    first.seating = replace(first.seating, byes=(comer.pk,))
    first.save()
    row = row_of(event, comer)
    assert row.points == 202
    assert row.separated_by.endswith("+101 for 1 bye, the average of the player’s own matches.")


# Points in the matches that were played. The others were missed ("-") or byes ("b").
Season = list[int | str]


def make_adjusted(seasons: list[Season], **fields: Any) -> list[StandingsRow]:
    """Rank players by seasons of equal length, each against a separate bot."""
    event = Event(missed_rounds="average", **fields)
    stage = Stage(pk=1, event=event, number=1, format=Stage.Format.ROUNDS)
    tables = []
    for number in range(len(seasons[0])):
        byes = tuple(n for n, season in enumerate(seasons, 1) if season[number] == "b")
        played = Round(pk=number + 1, stage=stage, number=number + 1, state=Round.State.CLOSED)
        played.seating = RoundSeating(byes=byes)
        for player, season in enumerate(seasons, 1):
            points = season[number]
            if isinstance(points, int):
                seats = [
                    Sitting(9 * player + n, n, pk, None, None, False, False)
                    for n, pk in enumerate((player, None))
                ]
                table = Table(pk=10 * number + player, round=played, number=player)
                tables.append(
                    TableResult(table, None, seats, False, "paper", True, [points, 0], [0])
                )
    keys = range(1, len(seasons) + 1)
    beside = adjustments(event, tables, [], keys)
    order = order_for("winner-takes")
    names = {pk: f"Player {pk}" for pk in keys}
    return standings(names, [at.as_counted() for at in tables], order, adjustments=beside)


def map_ranks(rows: list[StandingsRow]) -> dict[int, int]:
    return {row.player: row.rank for row in rows}


def test_staying_away_after_a_good_match_does_not_win() -> None:
    """Check that 400 points in one match and three absences do not beat 850 in four matches.

    In the event that was reported, they did.
    """
    rows = make_adjusted([[400, "-", "-", "-"], [300, 200, 200, 150], [250, 250, 200, 200]])
    assert [(row.player, row.points) for row in rows] == [(3, 900), (2, 850), (1, 800)]


@given(
    st.lists(st.integers(0, 500), min_size=2, max_size=6),
    st.data(),
)
def test_absence_brings_no_advantage(points: list[int], data: st.DataObject) -> None:
    """Check that missed rounds give no advantage over playing on with the same mean.

    A latecomer, an absentee and a player with byes are compared with a player of the same mean who
    played every round.
    """
    cut = data.draw(st.integers(1, len(points) - 1))
    kept = points[:cut]
    away, free = ["-"] * (len(points) - cut), ["b"] * (len(points) - cut)
    mean = sum(kept) // cut
    full: Season = [*kept, *[mean] * len(away)]
    rows = make_adjusted([full, [*away, *kept], [*kept, *away], [*kept, *free]])
    ranks, total = map_ranks(rows), {row.player: row.points for row in rows}
    assert ranks[1] < ranks[2] == ranks[3]
    assert total[2] == total[3] <= total[1] <= total[4]
    assert ranks[4] < ranks[2]


@pytest.mark.parametrize(("low", "points"), [(False, -15), (True, 15)])
def test_penalty_always_worsens_the_score(low: bool, points: int) -> None:
    ruling = Ruling(registration_id=2, points=15)
    (penalty,) = adjustments(Event(), [make_table_result(low=low)], [ruling], playing=[])[2]
    assert penalty.points == points
