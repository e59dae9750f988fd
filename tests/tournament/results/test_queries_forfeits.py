"""Tests of the effect of forfeits and disqualifications on a table's result."""

from collections.abc import Collection
from typing import Any

import pytest

from tournament.models import Event, Registration, Round, Sitting, Stage, Table
from tournament.results.queries import find_best_seats
from tournament.results.table_result import TableResult

ROUNDS, BRACKET = Stage.Format.ROUNDS, Stage.Format.BRACKET
POINTS = [90, 60, 30]


def make_table_result(
    *,
    forfeited: Collection[int] = (),
    out: Collection[int] = (),
    kind: str = ROUNDS,
    low: bool = False,
    **fields: Any,
) -> TableResult:
    """Return the result of an unsaved table with players 1, 2 and 3."""
    stage = Stage(number=1, format=kind, event=Event(**fields))
    table = Table(number=1, round=Round(number=1, stage=stage))
    people = [Registration(pk=n + 1, name=f"Player {n + 1}") for n in range(3)]
    seats = [
        Sitting(n, n, n + 1, person, None, n in forfeited, n in out)
        for n, person in enumerate(people)
    ]
    winners = find_best_seats(POINTS, low_wins=low)
    found = TableResult(
        table, None, seats, low, "paper", final=True, points=POINTS, winners=winners
    )
    return found.apply_forfeits()


def get_points_and_places(result: TableResult) -> tuple[list[int], list[int], list[int]]:
    """Return the points and places by seat, and the winners."""
    return result.points, result.list_places(), result.winners


def test_forfeiting_player_gets_no_points_and_ranks_last() -> None:
    found = make_table_result(forfeited=[0], forfeits=Event.Forfeits.NOTHING)
    assert get_points_and_places(found) == ([0, 60, 30], [3, 1, 2], [1])


def test_forfeiting_player_may_keep_points_but_ranks_last() -> None:
    found = make_table_result(forfeited=[0], forfeits=Event.Forfeits.KEPT)
    assert get_points_and_places(found) == ([90, 60, 30], [3, 1, 2], [1])


def test_forfeiting_player_gets_the_highest_table_score_with_lowest_scoring() -> None:
    found = make_table_result(forfeited=[2], low=True, forfeits=Event.Forfeits.NOTHING)
    assert get_points_and_places(found) == ([90, 60, 90], [2, 1, 3], [1])


def test_match_forfeited_by_all_players_has_no_winner() -> None:
    assert make_table_result(forfeited=[0, 1, 2]).winners == []


@pytest.mark.parametrize(
    ("rule", "kind", "removed"),
    [
        (Event.Disqualified.STAND, ROUNDS, set()),
        (Event.Disqualified.LAST, ROUNDS, {0}),
        (Event.Disqualified.STAND, BRACKET, {0}),
        (Event.Disqualified.LAST, BRACKET, {0}),
    ],
)
def test_disqualified_player_cannot_win_in_a_bracket_or_if_ranked_last(
    rule: str, kind: str, removed: set[int]
) -> None:
    found = make_table_result(out=[0], kind=kind, disqualified=rule)
    assert found.lost_seats == removed
    assert found.winners == ([1] if removed else [0])
