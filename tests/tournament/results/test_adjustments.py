"""Tests of missed rounds and byes: how they count, and how the standings explain them."""

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
from tests.tournament.place_readers import read_people_places
from tests.tournament.results.test_queries_forfeits import make_table_result
from tournament.models import Event, Registration, Round, Ruling, Sitting, Stage, Table, User
from tournament.pure.arrangement import RoundSeating
from tournament.pure.ranking import StandingsRow, metric_keys_for, rank_players
from tournament.registration.services import withdraw
from tournament.results.adjustments import adjustments
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.results.table_result import TableResult
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule, compute_cut
from tournament.standings.freezing import freeze
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow

pytestmark = pytest.mark.django_db


def play_round(event: Event, organizer: User, points: list[int]) -> Round:
    drawn = seat_round(first_stage(event), organizer)
    return finish_paper_round(start_drafted_round(drawn, organizer), organizer, points)


def make_event_with_late_player(**fields: str) -> tuple[Event, User, Registration]:
    """Create an event whose fourth player joins after the first round.

    The other three played the first round, and all four have played the second.
    """
    event, organizer = make_organized_event(3, table_size=4, **fields)
    play_round(event, organizer, [90, 60, 30])
    (latecomer,) = make_players(event, 1)
    play_round(event, organizer, [101, 101, 101, 101])
    return event, organizer, latecomer


def get_leaderboard_row(event: Event, registration: Registration) -> LeaderRow:
    rows = leaderboard(event, event.stages.get(number=1), figures=True).rows
    return next(row for row in rows if row.registration.pk == registration.pk)


def test_missed_round_does_not_count_by_default() -> None:
    event, _organizer, latecomer = make_event_with_late_player()
    row = get_leaderboard_row(event, latecomer)
    assert (row.points, row.matches) == (101, 1)
    assert "missed" not in row.separated_by


def test_average_setting_credits_latecomers_with_their_own_mean() -> None:
    event, _organizer, latecomer = make_event_with_late_player(missed_rounds="average")
    row = get_leaderboard_row(event, latecomer)
    assert row.points == 202
    assert row.separated_by.endswith(
        "+101 for 1 missed round, the average of the player’s own matches."
    )


def test_loss_setting_gives_a_missed_round_no_points_and_lowers_the_share() -> None:
    event, _organizer, latecomer = make_event_with_late_player(missed_rounds="loss")
    row = get_leaderboard_row(event, latecomer)
    assert row.points == 101
    assert row.separated_by.endswith("+0 for 1 missed round, which counts as a loss.")
    assert "0.12" in row.metrics


@pytest.mark.parametrize("missed", ["loss", "nothing"])
@pytest.mark.parametrize(
    ("own", "points", "average"), [(80, 170, "85"), (90, 180, "90"), (100, 200, "100")]
)
def test_missed_round_counts_as_the_worst_score_if_fewest_points_win(
    missed: str, own: int, points: int, average: str
) -> None:
    """Check that the worst score of the round counts, or the player's own average if worse."""
    event, organizer = make_organized_event(
        3, table_size=4, options={"scoring": "lowest"}, missed_rounds=missed
    )
    play_round(event, organizer, [90, 60, 30])
    (latecomer,) = make_players(event, 1)
    play_round(event, organizer, [own] * 4)
    row = get_leaderboard_row(event, latecomer)
    assert row.points == points
    assert row.metrics[0] == average
    withdraw(latecomer, organizer, "Gone home.")
    assert get_leaderboard_row(event, latecomer).points == points


def test_average_is_credited_only_to_current_players_who_missed_a_round() -> None:
    event, organizer, latecomer = make_event_with_late_player(missed_rounds="average")
    first = event.registrations.order_by("queue_number")[0]
    assert "missed" not in get_leaderboard_row(event, first).separated_by
    withdraw(latecomer, organizer, "Gone home.")
    row = get_leaderboard_row(event, latecomer)
    assert row.points == 101
    assert row.separated_by.endswith("+0 for 1 missed round, which counts as a loss.")


def test_player_without_matches_gets_no_credit_for_missed_rounds() -> None:
    event, _organizer, _comer = make_event_with_late_player(missed_rounds="average")
    (idle,) = make_players(event, 1)
    row = get_leaderboard_row(event, idle)
    assert (row.points, row.separated_by) == (0, "Hasn’t finished a match.")


@pytest.mark.parametrize("missed", ["nothing", "loss", "average"])
def test_bye_counts_as_the_average_under_any_setting(missed: str) -> None:
    event, _organizer, latecomer = make_event_with_late_player(missed_rounds=missed)
    give_first_bye(latecomer)
    row = get_leaderboard_row(event, latecomer)
    assert row.points == 202
    assert row.separated_by.endswith("+101 for 1 bye, the average of the player’s own matches.")


def give_first_bye(latecomer: Registration) -> Round:
    """Give the player a bye in the first round."""
    first = Round.objects.get(number=1)
    first.seating = replace(first.seating, byes=(latecomer.pk,))
    first.save()
    return first


def make_sole_bye(**fields: Any) -> tuple[Event, Registration]:
    """Create an event with one round, in which three players play and the fourth has a bye."""
    event, organizer = make_organized_event(3, table_size=4, **fields)
    play_round(event, organizer, [90, 60, 15])
    (latecomer,) = make_players(event, 1)
    give_first_bye(latecomer)
    return event, latecomer


@pytest.mark.parametrize("missed", ["nothing", "loss", "average"])
@pytest.mark.parametrize("options", [{}, {"scoring": "lowest"}])
def test_bye_without_a_match_counts_as_the_average_of_the_round(
    options: dict[str, str], missed: str
) -> None:
    event, latecomer = make_sole_bye(missed_rounds=missed, options=options)
    row = get_leaderboard_row(event, latecomer)
    assert (row.points, row.rank, row.matches) == (55, 3 if not options else 2, 0)
    assert row.separated_by.endswith("+55 for 1 bye, the average of the players in that round.")
    assert read_people_places(event)[latecomer.pk] == row.rank


@pytest.mark.parametrize("least", [1, 2])
def test_bye_counts_as_a_finished_match_at_the_cut(least: int) -> None:
    event, _organizer, latecomer = make_event_with_late_player()
    give_first_bye(latecomer)
    stage = first_stage(event)
    outcome = compute_cut(stage_results(stage), CutRule("number", 4, "together", least))
    assert latecomer.pk in outcome.through


def test_bye_in_a_round_that_closed_after_the_freeze_stays_hidden() -> None:
    event, organizer = make_organized_event(5, table_size=2)
    drawn = seat_round(first_stage(event), organizer)
    played = start_drafted_round(drawn, organizer)
    (latecomer,) = make_players(event, 1)
    give_first_bye(latecomer)
    for table in played.tables.order_by("number")[:1]:
        enter_result(table, organizer, [90] * table.seats.count(), "Counted.", override=True)
    freeze(event, organizer)
    before = get_leaderboard_row(Event.objects.get(), latecomer)
    for table in played.tables.order_by("number")[1:]:
        enter_result(table, organizer, [60] * table.seats.count(), "Counted.", override=True)
    close_round(Round.objects.get(), organizer)
    after = get_leaderboard_row(Event.objects.get(), latecomer)
    assert (after.points, after.separated_by) == (before.points, before.separated_by)


# The results of one player by round: points, "-" for a missed round or "b" for a bye.
RoundValues = list[int | str]


def rank_by_results(
    results: list[RoundValues], *, low: bool = False, departed: tuple[int, ...] = (), **fields: Any
) -> list[StandingsRow]:
    """Rank players by their results.

    `results` has one list for each player, and all lists have the same length. Each player plays
    against a separate bot. If `low`, the fewest points win. The players in
    `departed` have left the event.
    """
    event = Event(**{"missed_rounds": "average", **fields})
    stage = Stage(pk=1, event=event, number=1, format=Stage.Format.ROUNDS)
    tables = []
    for number in range(len(results[0])):
        byes = tuple(n for n, values in enumerate(results, 1) if values[number] == "b")
        played = Round(pk=number + 1, stage=stage, number=number + 1, state=Round.State.CLOSED)
        played.seating = RoundSeating(byes=byes)
        for player, values in enumerate(results, 1):
            points = values[number]
            if isinstance(points, int):
                table = Table(pk=10 * number + player, round=played, number=player)
                tables.append(make_table_against_bot(table, player, points, low=low))
    keys = range(1, len(results) + 1)
    adjusted = adjustments(event, tables, [], [pk for pk in keys if pk not in departed], departed)
    order = metric_keys_for("lowest" if low else "winner-takes")
    names = {pk: f"Player {pk}" for pk in keys}
    return rank_players(names, [at.as_counted() for at in tables], order, adjustments=adjusted)


def make_table_against_bot(table: Table, player: int, points: int, *, low: bool) -> TableResult:
    seats = [
        Sitting(9 * player + n, n, pk, None, None, False, False)
        for n, pk in enumerate((player, None))
    ]
    return TableResult(table, None, seats, low, "paper", True, [points, 0], [1 if low else 0])


def map_ranks(rows: list[StandingsRow]) -> dict[int, int]:
    return {row.player: row.rank for row in rows}


def test_staying_away_after_a_good_match_does_not_win() -> None:
    """Check that 400 points in one match and three absences do not beat 850 in four matches.

    A user reported that they once did.
    """
    rows = rank_by_results([[400, "-", "-", "-"], [300, 200, 200, 150], [250, 250, 200, 200]])
    assert [(row.player, row.points) for row in rows] == [(3, 900), (2, 850), (1, 800)]


def test_lowest_scoring_does_not_reward_one_good_match() -> None:
    """Check that a mean of 10 from one match does not beat 11 from four.

    It once did if missed rounds did not count, both for absent players and for departed ones.
    """
    results: list[RoundValues] = [[10, "-", "-", "-"], [11, 11, 11, 11], [30, 10, 20, 40]]
    for departed in ((), (1,)):
        rows = rank_by_results(results, low=True, departed=departed, missed_rounds="nothing")
        assert [row.player for row in rows] == [2, 1, 3]


SETTINGS = ("nothing", "loss", "average")


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("missed", SETTINGS)
@given(st.lists(st.integers(0, 500), min_size=2, max_size=6), st.data())
def test_absence_brings_no_advantage(
    low: bool, missed: str, points: list[int], data: st.DataObject
) -> None:
    """Check that missed rounds give no advantage over playing on with the same mean.

    A latecomer, an absent player, a departed player and one with byes are compared with a player
    who has the same mean and played every round.
    """
    cut = data.draw(st.integers(1, len(points) - 1))
    kept = points[:cut]
    away, free = ["-"] * (len(points) - cut), ["b"] * (len(points) - cut)
    mean = sum(kept) // cut
    full: RoundValues = [*kept, *[mean] * len(away)]
    results: list[RoundValues] = [
        full,
        [*away, *kept],
        [*kept, *away],
        [*kept, *away],
        [*kept, *free],
    ]
    rows = rank_by_results(results, low=low, departed=(4,), missed_rounds=missed)
    ranks = map_ranks(rows)
    assert all(ranks[1] < ranks[each] and ranks[5] < ranks[each] for each in (2, 3, 4))
    if not low:
        assert ranks[4] >= ranks[3]
        total = {row.player: row.points for row in rows}
        assert total[4] <= total[3] <= total[1] <= total[5]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("missed", ["nothing", "loss"])
@given(st.lists(st.integers(0, 500), min_size=2, max_size=6), st.data())
def test_missed_round_counts_less_than_any_result(
    low: bool, missed: str, points: list[int], data: st.DataObject
) -> None:
    """Check that a player who missed a round ranks behind an otherwise equal player.

    Only an average may count for more than the worst result.
    """
    number = data.draw(st.integers(0, len(points) - 1))
    away: RoundValues = [*points]
    away[number] = "-"
    rows = rank_by_results([[*points], away, [*points]], low=low, missed_rounds=missed)
    ranks = map_ranks(rows)
    assert ranks[1] == ranks[3] < ranks[2]


@pytest.mark.parametrize(("low", "points"), [(False, -15), (True, 15)])
def test_penalty_always_worsens_the_score(low: bool, points: int) -> None:
    ruling = Ruling(registration_id=2, points=15)
    (penalty,) = adjustments(Event(), [make_table_result(low=low)], [ruling], playing=[])[2]
    assert penalty.points == points
