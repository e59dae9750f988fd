"""Tests of the standings: their order by several metrics, ties and explanations."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.ranking import (
    METRICS,
    TIE_BREAKERS,
    MatchResult,
    StandingsRow,
    draw_lot,
    format_value,
    metric_keys_for,
    rank_players,
)

NAMES = {1: "Asha", 2: "Ben", 3: "Chen", 4: "Dia", 5: "Eva", 6: "Farid"}


def rank_numbered_players(
    matches: Sequence[MatchResult],
    order: Sequence[str],
    names: Iterable[int] = (1, 2, 3, 4),
    **options: Any,
) -> list[StandingsRow]:
    return rank_players({n: NAMES[n] for n in names}, matches, order, **options)


def summarize_rows(rows: Iterable[StandingsRow]) -> list[tuple[int, str, str | None]]:
    return [(row.rank, row.name, row.separated_by) for row in rows]


def test_places_follow_points_and_ties_share_a_place() -> None:
    result = MatchResult((1, 2, 3, 4), (500, 80, 80, 0), (1,))
    assert [result.place(p) for p in result.players] == [1, 2, 2, 4]
    assert result.order() == [[1], [2, 3], [4]]
    assert [result.placement(p) for p in result.players] == [1, Fraction(1, 2), Fraction(1, 2), 0]


def test_fewest_points_win_if_the_rules_say_so() -> None:
    result = MatchResult((1, 2, 3), (510, 40, 300), (2,), low_wins=True)
    assert result.order() == [[2], [3], [1]]


def test_match_winner_ranks_above_players_with_more_points() -> None:
    # The time limit ended the match, and the winner given for it counts.
    assert MatchResult((1, 2), (100, 200), (1,)).order() == [[1], [2]]


def test_given_places_override_points() -> None:
    result = MatchResult((1, 2, 3), (520, 600, 90), (3,), places=(3, 2, 1), low_wins=True)
    assert result.order() == [[3], [2], [1]]


def test_all_players_of_a_table_without_points_are_equal() -> None:
    result = MatchResult((1, 2, 3, 4), (0, 0, 0, 0))
    assert result.share(1) == Fraction(1, 4)
    assert result.placement(1) == Fraction(1, 2)


@pytest.mark.parametrize("wrong", [{"points": (1, 2)}, {"left": (1, 2)}, {"places": (1,)}])
def test_result_needs_a_figure_for_each_player(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="figures for 3 players"):
        MatchResult(**{"players": (1, 2, 3), "points": (1, 2, 3), **wrong})


def test_sole_player_at_a_table_is_first_and_has_the_full_share() -> None:
    alone = MatchResult((1,), (0,))
    assert (alone.placement(1), alone.share(1)) == (Fraction(1), Fraction(1))


@given(st.lists(st.integers(0, 500), min_size=2, max_size=10))
def test_placements_at_a_table_add_up_to_half_its_number_of_players(points: list[int]) -> None:
    result = MatchResult(tuple(range(len(points))), tuple(points))
    assert sum(result.placement(p) for p in result.players) == Fraction(len(points), 2)
    assert sum(result.share(p) for p in result.players) == 1


ROUND_1 = MatchResult((1, 2, 3, 4), (500, 120, 120, 30), (1,), left=(90, 300, 310, 400))
ROUND_2 = MatchResult((2, 1, 4, 3), (510, 130, 0, 120), (2,), left=(10, 200, 300, 90))


def test_points_decide_first_and_each_row_names_its_tie_break() -> None:
    rows = rank_numbered_players([ROUND_1, ROUND_2], ("points", "wins"))
    assert summarize_rows(rows) == [
        (1, "Asha", None),
        (1, "Ben", None),
        (3, "Chen", "points"),
        (4, "Dia", "points"),
    ]
    assert [row.sentence for row in rows] == [
        "",
        "Tied with Asha on every criterion.",
        "Behind Ben on points: 240 to 630.",
        "Behind Chen on points: 30 to 240.",
    ]
    assert [row.values for row in rows] == [(630, 1), (630, 1), (240, 0), (30, 0)]
    assert [(row.played, row.points) for row in rows] == [(2, 630), (2, 630), (2, 240), (2, 30)]


@pytest.mark.parametrize(
    ("breaker", "first", "values"),
    [
        ("wins", None, (1, 1)),
        ("placement", "Asha", (Fraction(5, 3), Fraction(3, 2))),
        ("left", "Asha", (290, 310)),
        ("share", "Ben", (Fraction(500, 770) + Fraction(130, 760), None)),
        ("head_to_head", None, (0, 0)),
    ],
)
def test_each_tie_break_separates_by_its_own_metric(
    breaker: str, first: str | None, values: tuple[int | Fraction, int | Fraction | None]
) -> None:
    rows = rank_numbered_players([ROUND_1, ROUND_2], ("points", breaker), (1, 2))
    if first is None:
        assert [row.rank for row in rows] == [1, 1]
        assert tuple(row.values[1] for row in rows) == values
        return
    assert summarize_rows(rows)[0][1] == first
    assert rows[1].separated_by == breaker
    of_asha = next(row.values[1] for row in rows if row.player == 1)
    assert of_asha == (values[0] / 2 if breaker == "share" else values[0])


def test_wins_separate_equal_points() -> None:
    matches = [MatchResult((1, 2), (100, 50), (1,)), MatchResult((2, 3), (50, 10), (2,)),
               MatchResult((3, 4), (90, 80), (3,)), MatchResult((4, 1), (20, 0), (4,))]  # fmt: skip
    rows = rank_numbered_players(matches, ("points", "wins"))
    assert summarize_rows(rows) == [
        (1, "Asha", None),
        (1, "Ben", None),
        (1, "Chen", None),
        (1, "Dia", None),
    ]
    more = [*matches, MatchResult((2, 5), (0, -1), (2,))]
    assert summarize_rows(rank_numbered_players(more, ("points", "wins")))[:2] == [
        (1, "Ben", None),
        (2, "Asha", "wins"),
    ]


def test_opponent_strength_is_the_mean_placement_of_the_opponents() -> None:
    matches = [
        MatchResult((1, 3), (100, 50), (1,)),  # Chen has a win elsewhere
        MatchResult((2, 4), (100, 50), (2,)),  # Dia has none
        MatchResult((3, 5), (100, 50), (3,)),
        MatchResult((4, 6), (50, 100), (6,)),
    ]
    rows = rank_numbered_players(matches, ("points", "opponents"), (1, 2))
    assert summarize_rows(rows) == [(1, "Asha", None), (2, "Ben", "opponents")]
    assert [row.values[1] for row in rows] == [Fraction(1, 2), 0]


def test_head_to_head_gives_no_win_for_a_shared_place() -> None:
    shared_first = MatchResult((1, 2, 3), (90, 90, 10))
    shared_last = MatchResult((1, 2, 3), (20, 20, 80))
    rows = rank_numbered_players([shared_first, shared_last], ("head_to_head",), (1, 2, 3))
    assert summarize_rows(rows) == [(1, "Asha", None), (1, "Ben", None), (1, "Chen", None)]


def test_head_to_head_requires_all_tied_players_to_have_met() -> None:
    met = MatchResult((1, 2), (50, 60), (2,))
    level = [MatchResult((1, 5), (20, 0), (1,)), MatchResult((2, 5), (10, 0), (2,))]
    rows = rank_numbered_players([met, *level], ("points", "head_to_head"), (1, 2))
    assert summarize_rows(rows) == [(1, "Ben", None), (2, "Asha", "head_to_head")]
    assert rows[1].sentence == "Behind Ben on head to head: -1 to 1."
    third = MatchResult((3, 5), (70, 0), (3,))
    rows = rank_numbered_players([met, *level, third], ("points", "head_to_head"), (1, 2, 3))
    assert [row.rank for row in rows] == [1, 1, 1]
    assert [row.values[1] for row in rows] == [None, None, None]


def test_explanation_of_a_tie_break_names_its_metric() -> None:
    matches = [MatchResult((1, 2), (500, 0), (1,)), MatchResult((3, 4), (500, 250), (3,))]
    rows = rank_numbered_players(matches, ("points", "share"))
    assert rows[1].sentence == "Behind Asha on share of table points: 0.67 to 1."


def test_metric_that_a_player_lacks_breaks_no_tie() -> None:
    paper = MatchResult((3, 4), (500, 0), (3,))
    noted = MatchResult((1, 2), (500, 0), (1,), left=(20, 60))
    rows = rank_numbered_players([paper, noted], ("points", "left"), (1, 3))
    assert [row.rank for row in rows] == [1, 1]


def test_lots_break_remaining_ties_reproducibly() -> None:
    level = [MatchResult((1, 2, 3), (5, 5, 5))]
    order = ("points", "lots")
    assert [row.rank for row in rank_numbered_players(level, order, (1, 2, 3))] == [1, 1, 1]
    drawn = rank_numbered_players(level, order, (1, 2, 3), lots_key="a key")
    assert [row.player for row in drawn] == sorted((1, 2, 3), key=lambda p: draw_lot("a key", p))
    assert [row.rank for row in drawn] == [1, 2, 3]
    assert drawn[1].sentence == f"Placed after {drawn[0].name} by drawing lots."
    orders = {
        tuple(
            row.player
            for row in rank_numbered_players(level, order, (1, 2, 3), lots_key=f"key {n}")
        )
        for n in range(60)
    }
    assert len(orders) == 6


def test_lot_is_the_start_of_a_sha256_hash() -> None:
    # printf 'a key:7' | sha256sum
    assert f"{draw_lot('a key', 7):012x}" == "1205a2e57c75"


def test_players_without_a_match_rank_last_with_a_note() -> None:
    rows = rank_numbered_players([MatchResult((1, 2), (0, -20), (1,))], ("points",), (1, 2, 3, 4))
    assert summarize_rows(rows) == [
        (1, "Asha", None),
        (2, "Ben", "points"),
        (3, "Chen", "played"),
        (3, "Dia", None),
    ]
    assert {row.sentence for row in rows[2:]} == {"Hasn’t finished a match."}


def test_tied_players_are_listed_by_name() -> None:
    names = {6: "Zoe", 5: "ben", 4: "Asha", 3: "zed", 2: "BEN", 1: "Ada"}
    rows = rank_players(names, [MatchResult((6, 5, 4), (90, 90, 90))], ("points", "wins"))
    assert [(row.rank, row.player) for row in rows] == [
        *[(1, 4), (1, 5), (1, 6)],
        *[(4, 1), (4, 2), (4, 3)],
    ]


def test_lowest_scoring_ranks_by_mean_points_per_match() -> None:
    order = metric_keys_for("lowest", ("wins",))
    matches = [
        MatchResult((1, 2, 3), (20, 90, 500), (1,), low_wins=True),
        MatchResult((1, 2), (40, 60), (1,), low_wins=True),
    ]
    rows = rank_numbered_players(
        [*matches, MatchResult((4, 3), (25, 80), (4,), low_wins=True)], order
    )
    assert [row.name for row in rows] == ["Dia", "Asha", "Ben", "Chen"]
    assert rows[0].values[0] == 25
    assert rows[1].values[0] == 30
    shares = rank_numbered_players(matches, ("average", "share"), (1, 2))
    better, worse = (row.values[1] for row in shares)
    assert isinstance(better, Fraction)
    assert isinstance(worse, Fraction)
    assert better > worse


def test_tie_break_order_lists_the_headline_metric_once() -> None:
    assert metric_keys_for("winner-takes") == ("points", *TIE_BREAKERS)
    assert metric_keys_for("elimination", ("lots", "average")) == ("average", "lots")
    with pytest.raises(KeyError):
        metric_keys_for("winner-takes", ("luck",))


def test_every_metric_has_a_title_and_an_explanation() -> None:
    for key, metric in METRICS.items():
        assert metric.key == key
        assert metric.title[0].isupper()
        assert metric.sentence.endswith(".")


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (12, "12"), (Fraction(4, 2), "2"), (Fraction(1, 3), "0.33")]
)
def test_metric_values_are_formatted_compactly(value: int | Fraction | None, text: str) -> None:
    assert format_value(value) == text


tables = st.lists(
    st.permutations([1, 2, 3, 4, 5, 6]).flatmap(
        lambda ids: st.lists(st.integers(0, 3), min_size=3, max_size=3).map(
            lambda points: MatchResult(tuple(ids[:3]), tuple(points))
        )
    ),
    max_size=5,
)


@given(tables, st.permutations(TIE_BREAKERS), st.sampled_from(["", "key"]))
def test_competition_ranks_do_not_depend_on_result_order(
    matches: list[MatchResult], breakers: list[str], key: str
) -> None:
    order = ("points", *breakers)
    rows = rank_players(NAMES, matches, order, lots_key=key)
    assert rank_players(NAMES, matches[::-1], order, lots_key=key) == rows
    assert sorted(row.player for row in rows) == [1, 2, 3, 4, 5, 6]
    for number, row in enumerate(rows, 1):
        assert row.rank == number or (row.rank == rows[number - 2].rank and not row.separated_by)
        assert (row.rank == number) == (number == 1 or row.separated_by is not None)
    points = [row.points for row in rows if row.played]
    assert points == sorted(points, reverse=True)


@given(tables, st.permutations(("points", "average", "wins", "placement", "share")))
def test_rows_are_sorted_by_the_metrics_in_tie_break_order(
    matches: list[MatchResult], order: list[str]
) -> None:
    rows = [row for row in rank_players(NAMES, matches, order) if row.played]
    best_first = [[get_sort_value(row, key) for key in order] for row in rows]
    assert best_first == sorted(best_first, reverse=True)
    for row, (above, own) in zip(rows[1:], pairwise(best_first), strict=True):
        parting = [key for key, *both in zip(order, above, own, strict=True) if len({*both}) > 1]
        assert row.separated_by == next(iter(parting), None)


def get_sort_value(row: StandingsRow, key: str) -> Fraction:
    value = Fraction(row.value(key) or 0)
    return -value if METRICS[key].low else value
