"""Tests of brackets, from the first draw to the final."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tournament.pure.arrangement.costs import SeatingRules
from tournament.pure.brackets import (
    BracketDraw,
    BracketError,
    RoundPlan,
    Shape,
    draw_tables,
    plan_bracket,
    plan_round,
    seed_next_round,
)
from tournament.pure.brackets.tables import number_tables
from tournament.pure.qualifying import Playoff
from tournament.pure.qualifying.sentences import name_table
from tournament.pure.ranking import Bot, MatchResult


def make_names(*ids: int) -> dict[int, str]:
    return {n: f"P{n}" for n in ids}


def make_results_by_seed(draw: BracketDraw) -> list[MatchResult]:
    """Return results in which the player with the better seed scores higher."""
    return [
        MatchResult(table, tuple(1000 - 10 * p for p in table), (min(table),), table=number)
        for number, table in enumerate(draw.tables, 1)
    ]


# With partners, all tables have four players.
TABLES_OF_FOUR = Shape(minimum=4, maximum=4)


# -- the plan ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "shape", "players"),
    [
        (4, Shape(), [4]),
        (5, Shape(), [5]),
        (8, Shape(), [8, 4]),
        (16, Shape(), [16, 8, 4]),
        (12, Shape(), [12, 8, 4]),
        (20, Shape(), [20, 12, 8, 4]),
        (16, Shape(advance=1), [16, 4]),
        (12, Shape(advance=1), [12, 4]),
        (9, TABLES_OF_FOUR, [9, 8, 4]),
        (7, TABLES_OF_FOUR, [7, 5, 4]),
        (100, Shape(table_size=10, advance=3), [100, 30, 10]),
        (8, Shape(table_size=2, advance=1), [8, 4, 2]),
    ],
)
def test_bracket_ends_with_a_single_table(count: int, shape: Shape, players: list[int]) -> None:
    rounds = plan_bracket(count, shape)
    assert [each.players for each in rounds] == players
    assert [each.is_final for each in rounds] == [False] * (len(players) - 1) + [True]


def test_round_is_described_in_a_sentence() -> None:
    first, second, third = plan_bracket(12, Shape())
    assert first == RoundPlan((4, 4, 4), 0, 2, 2, 8)
    assert str(first.sentence("Round 1")) == (
        "Round 1: 3 tables of 4 (the top 2 of each advance); 2 more players by share of "
        "table points. 8 players advance."
    )
    assert (
        str(second.sentence("Semi-final"))
        == "Semi-final: 2 tables of 4 (the top 2 of each advance). 4 players advance."
    )
    assert str(third.sentence("Final")) == "Final: one table of 4."
    assert str(plan_round(11, TABLES_OF_FOUR).sentence("Round 1")) == (
        "Round 1: 2 tables of 4 (the top 2 of each advance); 3 players with a bye; 1 more "
        "player by "
        "share of table points. 8 players advance."
    )


@pytest.mark.parametrize("advance", [0, 4, 5])
def test_number_of_advancing_players_must_be_below_the_table_size(advance: int) -> None:
    with pytest.raises(BracketError) as refused:
        Shape(advance=advance)
    assert (
        str(refused.value)
        == f"From tables of 4, between 1 and 3 players can advance, not {advance}."
    )


def test_bracket_with_too_few_players_is_refused() -> None:
    with pytest.raises(BracketError, match="A table needs at least 2 players; there are 1"):
        plan_bracket(1, Shape())


def make_exact_shape(size: int, advance: int) -> Shape:
    return Shape(size, advance, minimum=size, maximum=size)


sizes = st.integers(4, 6)
shapes = st.builds(Shape, sizes, st.integers(1, 3)) | st.builds(
    make_exact_shape, sizes, st.integers(1, 3)
)


@given(st.integers(2, 150), shapes)
def test_every_plan_ends_with_a_final(count: int, shape: Shape) -> None:
    assume(count >= shape.minimum)
    rounds = plan_bracket(count, shape)
    for before, after in pairwise(rounds):
        assert before.through == after.players < before.players
        assert max(before.sizes) - min(before.sizes) <= 1
        assert 1 <= before.advance < min(before.sizes)
        assert before.through == before.byes + before.advance * len(before.sizes) + before.fill
    assert rounds[-1].is_final


def test_bracket_that_eliminates_no_players_is_refused() -> None:
    with pytest.raises(BracketError) as refused:
        plan_bracket(3, Shape(2, 1, minimum=1, maximum=1))
    assert str(refused.value) == (
        "In one round, all 3 players would advance, so there would never be a final. "
        "Make the tables larger or let fewer players advance."
    )


# -- the draw ----------------------------------------------------------------------------------


def test_seeds_are_drawn_in_snake_order() -> None:
    assert draw_tables(range(1, 17), Shape()).tables == (
        (1, 8, 9, 16),
        (2, 7, 10, 15),
        (3, 6, 11, 14),
        (4, 5, 12, 13),
    )


def test_snake_fills_tables_of_different_sizes() -> None:
    assert draw_tables(range(1, 12), Shape()).tables == ((1, 6, 7), (2, 5, 8, 11), (3, 4, 9, 10))


def test_byes_go_to_the_highest_seeds() -> None:
    assert draw_tables(range(1, 11), TABLES_OF_FOUR) == BracketDraw(
        ((3, 6, 7, 10), (4, 5, 8, 9)), (1, 2)
    )


def test_previous_opponents_are_separated() -> None:
    before = [(1, 4, 7, 8), (2, 6, 9, 10), (3, 5, 11, 12)]
    assert draw_tables(range(1, 7), Shape()).tables == ((1, 4, 5), (2, 3, 6))
    assert draw_tables(range(1, 7), Shape(), before).tables == ((1, 3, 6), (2, 4, 5))


def test_forbidden_pairs_take_priority_over_previous_opponents() -> None:
    pair = SeatingRules(apart=((1, 8),))
    assert draw_tables(range(1, 9), Shape(), (), pair).tables == ((1, 4, 5, 7), (2, 3, 6, 8))
    met = [(1, 7)]
    assert draw_tables(range(1, 9), Shape(), met, pair).tables == ((1, 4, 5, 7), (2, 3, 6, 8))


def test_swap_can_enable_another_swap_in_the_next_pass() -> None:
    met = [(2, 7, 6), (3, 9), (5, 1), (8, 4)]
    rules = SeatingRules(apart=((1, 5), (4, 9)), fixed=((9, 1), (2, 2), (5, 1)))
    # After the first pass, the tables are 1-6-9, 2-4-8 and 3-5-7. The second pass swaps 6 and 4.
    assert draw_tables(range(1, 10), Shape(3), met, rules).tables == (
        (1, 4, 7),
        (2, 6, 8),
        (3, 5, 9),
    )


def test_pairs_that_cannot_be_separated_stay_as_drawn() -> None:
    pairs = SeatingRules(apart=((1, 3), (1, 4)))
    assert draw_tables(range(1, 7), Shape(3), (), pairs).tables == ((1, 4, 5), (2, 3, 6))


def test_players_with_a_fixed_table_are_seated_apart_or_together() -> None:
    parted = SeatingRules(fixed=((1, 2), (8, 1)))
    assert draw_tables(range(1, 9), Shape(), (), parted).tables == ((1, 4, 5, 7), (2, 3, 6, 8))
    together = SeatingRules(fixed=((1, 2), (3, 2)))
    assert draw_tables(range(1, 9), Shape(), (), together).tables == ((1, 3, 5, 8), (2, 4, 6, 7))


@pytest.mark.parametrize(
    ("fixed", "tables"),
    [
        ((), ((1, 6), (2, 5), (3, 4))),
        (((1, 2),), ((2, 5), (1, 6), (3, 4))),
        (((1, 2), (5, 1)), ((2, 5), (1, 6), (3, 4))),
        (((1, 3), (6, 2), (5, 2)), ((3, 4), (2, 5), (1, 6))),
        (((3, 5),), ((1, 6), (2, 5), (), (), (3, 4))),
        (((9, 1),), ((1, 6), (2, 5), (3, 4))),
    ],
)
def test_tables_are_numbered_to_suit_fixed_players(
    fixed: tuple[tuple[int, int], ...], tables: tuple[tuple[int, ...], ...]
) -> None:
    assert number_tables(((1, 6), (2, 5), (3, 4)), SeatingRules(fixed=fixed)) == tables


@given(st.integers(8, 60), shapes)
def test_separating_players_swaps_only_seats_in_the_same_row(count: int, shape: Shape) -> None:
    seeds = list(range(1, count + 1))
    met = draw_tables(seeds, shape).tables
    again = draw_tables(seeds, shape, met).tables
    for row in range(max(map(len, met))):
        assert {t[row] for t in again if row < len(t)} == {t[row] for t in met if row < len(t)}


@given(st.integers(2, 60), shapes)
def test_every_seed_is_drawn_once(count: int, shape: Shape) -> None:
    assume(count >= shape.minimum)
    drawn = draw_tables(range(1, count + 1), shape)
    assert sorted((*drawn.byes, *(p for table in drawn.tables for p in table))) == list(
        range(1, count + 1)
    )
    sizes, byes = shape.split(count)
    assert sorted(map(len, drawn.tables), reverse=True) == list(sizes)
    assert drawn.byes == tuple(range(1, byes + 1))
    strongest = [min(table) for table in drawn.tables]
    assert strongest == list(range(byes + 1, byes + len(sizes) + 1))


# -- the next round ----------------------------------------------------------------------------


def test_winners_are_seeded_before_runners_up() -> None:
    drawn = BracketDraw(((1, 4, 5, 8), (2, 3, 6, 7)))
    results = [
        MatchResult((1, 4, 5, 8), (100, 500, 90, 10), (4,), table=1),
        MatchResult((2, 3, 6, 7), (120, 80, 0, 510), (7,), table=3),
    ]
    after = seed_next_round(drawn, results, Shape(), make_names(*range(1, 9)), range(1, 9))
    # 510/710 is more than 500/700, and 120/710 is more than 100/700.
    assert after.seeds == (7, 4, 2, 1)
    assert after.playoffs == ()
    found = {d.player: d.sentence for d in after.decisions}
    assert found[7] == "1st at table 3. The top 2 advance."
    assert found[5] == "3rd at table 1. The top 2 advance."


def test_remaining_spots_go_to_the_best_shares_of_table_points() -> None:
    seeds = range(1, 13)
    drawn = draw_tables(seeds, Shape())
    assert drawn.tables == ((1, 6, 7, 12), (2, 5, 8, 11), (3, 4, 9, 10))
    results = [
        MatchResult((1, 6, 7, 12), (500, 100, 50, 0), (1,)),
        MatchResult((2, 5, 8, 11), (500, 300, 299, 0), (2,)),
        MatchResult((3, 4, 9, 10), (500, 100, 99, 90), (3,)),
    ]
    after = seed_next_round(drawn, results, Shape(), make_names(*seeds), seeds)
    assert after.seeds == (1, 3, 2, 5, 6, 4, 8, 9)
    filled = {d.player: d.sentence for d in after.decisions if d.code == "fill"}
    assert filled == dict.fromkeys(
        (8, 9),
        "Fills an open seat in the next round thanks to one of the best remaining "
        "shares of table points.",
    )


def test_byes_are_seeded_highest_in_the_next_round() -> None:
    seeds = range(1, 11)
    drawn = draw_tables(seeds, TABLES_OF_FOUR)
    after = seed_next_round(
        drawn, make_results_by_seed(drawn), TABLES_OF_FOUR, make_names(*seeds), seeds
    )
    # The winners of tables 3-6-7-10 and 4-5-8-9 are 3 and 4. Of the others, 5 has the best share.
    assert after.seeds == (1, 2, 3, 4, 5, 6, 7, 8)
    assert {d.code for d in after.decisions if d.player in (1, 2)} == {"bye"}


TIED_RESULTS = [
    MatchResult((1, 4, 5, 8), (500, 90, 90, 0), (1,), table=1),
    MatchResult((2, 3, 6, 7), (500, 80, 20, 0), (2,), table=2),
]
DRAW_OF_EIGHT = BracketDraw(((1, 4, 5, 8), (2, 3, 6, 7)))


def test_players_tied_at_the_cut_advance_together() -> None:
    after = seed_next_round(
        DRAW_OF_EIGHT, TIED_RESULTS, Shape(), make_names(*range(1, 9)), range(1, 9)
    )
    assert set(after.seeds) == {1, 2, 3, 4, 5}


def test_tie_at_the_cut_can_require_a_hand() -> None:
    shape = Shape(ties="hand")
    waiting = seed_next_round(
        DRAW_OF_EIGHT, TIED_RESULTS, shape, make_names(*range(1, 9)), range(1, 9)
    )
    assert waiting.seeds == ()
    assert waiting.playoffs == (Playoff((4, 5), 1, name_table(1)),)
    played = seed_next_round(
        DRAW_OF_EIGHT, TIED_RESULTS, shape, make_names(*range(1, 9)), range(1, 9), hands=[(5, 4)]
    )
    assert set(played.seeds) == {1, 2, 3, 5}
    assert (played.playoffs, played.played) == ((), (Playoff((5, 4), 1, name_table(1)),))


def test_withdrawn_player_is_replaced_by_the_next_player_of_the_table() -> None:
    gone = {1: "withdrew", 2: "withdrew", 3: "withdrew", 6: "withdrew"}
    after = seed_next_round(
        DRAW_OF_EIGHT,
        make_results_by_seed(DRAW_OF_EIGHT),
        Shape(),
        make_names(*range(1, 9)),
        range(1, 9),
        removed=gone,
    )
    # Table 2 has only one player left, so a player of table 1 fills the fourth spot.
    assert set(after.seeds) == {4, 5, 7, 8}
    assert {d.player: d.code for d in after.decisions} == {
        1: "gone", 2: "gone", 3: "gone", 4: "through", 5: "replaces", 6: "gone", 7: "replaces",
        8: "fill",
    }  # fmt: skip


def test_number_of_advancing_players_follows_from_the_tables() -> None:
    drawn = BracketDraw(((1, 4, 5), (2, 3)))  # five players would fit at one table
    after = seed_next_round(
        drawn, make_results_by_seed(drawn), Shape(), make_names(*range(1, 6)), range(1, 6)
    )
    assert after.seeds == (2, 1, 3, 4)  # the winners of both tables, then two players by share
    split = BracketDraw(((1, 4), (2, 3)))  # four players would fit at one table, for a final
    after = seed_next_round(
        split, make_results_by_seed(split), Shape(), make_names(*range(1, 5)), range(1, 5)
    )
    assert after.seeds == (1, 2)


def test_player_seated_without_opponents_advances() -> None:
    drawn = BracketDraw(((1, 3), (2,)))
    after = seed_next_round(
        drawn, make_results_by_seed(drawn), Shape(), make_names(1, 2, 3), (1, 2, 3)
    )
    assert set(after.seeds) == {1, 2}


def test_spots_of_a_withdrawn_table_go_to_the_best_shares_of_other_tables() -> None:
    gone = dict.fromkeys((2, 3, 6, 7), "withdrew")
    after = seed_next_round(
        DRAW_OF_EIGHT,
        make_results_by_seed(DRAW_OF_EIGHT),
        Shape(),
        make_names(*range(1, 9)),
        range(1, 9),
        removed=gone,
    )
    assert after.seeds == (1, 4, 5, 8)


def test_spot_of_a_withdrawn_player_with_a_bye_is_filled() -> None:
    drawn = BracketDraw(((3, 6, 7, 10), (4, 5, 8, 9)), (1, 2))
    seeds = range(1, 11)
    after = seed_next_round(
        drawn,
        make_results_by_seed(drawn),
        TABLES_OF_FOUR,
        make_names(*seeds),
        seeds,
        removed={1: "withdrew"},
    )
    assert after.seeds == (2, 3, 4, 5, 6, 7, 8, 9)


def test_bots_do_not_advance() -> None:
    drawn = BracketDraw(((1, 4, 5), (2, 3, 6)))
    results = [
        MatchResult((1, 4, 5, Bot(7)), (20, 10, 0, 500), (Bot(7),)),
        MatchResult((2, 3, 6, Bot(8)), (20, 10, 0, 500), (Bot(8),)),
    ]
    after = seed_next_round(drawn, results, Shape(), make_names(*range(1, 7)), range(1, 7))
    assert set(after.seeds) == {1, 2, 3, 4}


def test_next_round_requires_all_results_and_does_not_follow_a_final() -> None:
    final = draw_tables(range(1, 5), Shape())
    for drawn, results in ((final, make_results_by_seed(final)), (DRAW_OF_EIGHT, TIED_RESULTS[:1])):
        count = sum(map(len, drawn.tables))
        with pytest.raises(BracketError, match="only once all tables have results"):
            seed_next_round(drawn, results, Shape(), make_names(*range(1, 9)), range(1, count + 1))


@given(st.integers(2, 80), shapes, st.randoms(use_true_random=False))
def test_whole_bracket_can_be_played_as_planned(count: int, shape: Shape, chance: Random) -> None:
    assume(count >= shape.minimum)
    seeds = list(range(1, count + 1))
    met: tuple[tuple[int, ...], ...] = ()
    for each in plan_bracket(count, shape):
        drawn = draw_tables(seeds, shape, met)
        assert (len(seeds), len(drawn.byes)) == (each.players, each.byes)
        results = [MatchResult(t, tuple(chance.sample(range(500), len(t)))) for t in drawn.tables]
        if each.is_final:
            return
        after = seed_next_round(drawn, results, shape, make_names(*seeds), seeds)
        assert Counter(after.seeds) == Counter(set(after.seeds))
        assert len(after.seeds) == each.through
        seeds, met = list(after.seeds), drawn.tables
