"""Tests of points given outside matches, and of disqualified players ranking last."""

from fractions import Fraction

import pytest

from tournament.pure.ranking import Adjustment, MatchResult, StandingsRow, rank_players

NAMES = {1: "Asha", 2: "Ben", 3: "Chen"}
MATCH_RESULT = MatchResult((1, 2, 3), (300, 200, 100), (1,))
LOW_WINS_RESULT = MatchResult((1, 2, 3), (30, 20, 10), (3,), low_wins=True)


def list_points(rows: list[StandingsRow]) -> list[tuple[str, int]]:
    return [(row.name, row.points) for row in rows]


def test_point_adjustment_moves_a_player_and_gives_the_reason() -> None:
    given = {1: [Adjustment(-150, "−150: penalty, late.")]}
    rows = rank_players(NAMES, [MATCH_RESULT], ("points",), adjustments=given)
    assert list_points(rows) == [("Ben", 200), ("Asha", 150), ("Chen", 100)]
    assert rows[1].sentence == "Behind Ben on points: 150 to 200. −150: penalty, late."


def test_credited_match_counts_in_average_and_share() -> None:
    given = {3: [Adjustment(40, "+40: a missed round.", matches=1)]}
    rows = rank_players(NAMES, [LOW_WINS_RESULT], ("average", "share"), adjustments=given)
    assert [(row.name, row.values[0]) for row in rows] == [("Ben", 20), ("Chen", 25), ("Asha", 30)]
    assert rows[1].value("share") == Fraction(5, 12)


def test_multiple_adjustments_are_listed_in_order() -> None:
    given = {1: [Adjustment(-20, "First."), Adjustment(-30, "Second.")]}
    rows = rank_players(NAMES, [MATCH_RESULT], ("points",), adjustments=given)
    assert (rows[0].points, rows[0].sentence) == (250, "First. Second.")


@pytest.mark.parametrize(
    ("adjustment", "average"),
    [
        (Adjustment(40, "+40: penalty."), None),
        (Adjustment(40, "40 for 1 bye.", matches=1, byes=1), 40),
    ],
)
def test_average_of_a_player_without_matches_comes_from_byes(
    adjustment: Adjustment, average: int | None
) -> None:
    given = {4: [adjustment]}
    rows = rank_players(NAMES | {4: "Dia"}, [LOW_WINS_RESULT], ("average",), adjustments=given)
    assert (rows[-1].name, rows[-1].values[0], rows[-1].played) == ("Dia", average, 0)


def test_disqualified_player_ranks_last_but_keeps_points() -> None:
    rows = rank_players(NAMES | {4: "Dia"}, [MATCH_RESULT], ("points",), disqualified={1})
    assert [(row.rank, row.name, row.out) for row in rows] == [
        (1, "Ben", False),
        (2, "Chen", False),
        (3, "Dia", False),
        (4, "Asha", True),
    ]
    assert (rows[-1].sentence, rows[-1].points) == ("Disqualified.", 300)


def test_multiple_disqualified_players_are_listed_by_name() -> None:
    rows = rank_players(NAMES, [MATCH_RESULT], ("points",), disqualified={1, 3})
    assert [row.name for row in rows] == ["Ben", "Asha", "Chen"]
