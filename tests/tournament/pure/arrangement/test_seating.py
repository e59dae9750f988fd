"""Tests of seating a round."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.seating import CASES
from tournament.pure.arrangement import (
    PastRound,
    RoundSeating,
    Seating,
    SeatingError,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    compute_costs,
    evaluate_seating,
    seat_round,
    table_sizes,
)

EXPECTED_SEATING = ((7, 1, 9, 3, 2), (8, 5, 4, 6))
EXPECTED_DIGEST = "cbafa4c75da8a5adb70cf4ce25eb15143f4e9079c9752fa81d00dcb5c0113dbd"


def make_people(count: int) -> tuple[SeatingPlayer, ...]:
    return tuple(SeatingPlayer(n, f"P{n}") for n in range(1, count + 1))


def seat_rounds(
    players: tuple[SeatingPlayer, ...],
    rounds: int,
    rules: SeatingRules,
    key: str = "key",
    *,
    look_ahead: bool = True,
) -> tuple[tuple[PastRound, ...], list[Seating]]:
    """Seat several rounds, and return the history and the seatings.

    If `look_ahead` is false, effects on later rounds are ignored, which saves most of the time.
    """
    history: tuple[PastRound, ...] = ()
    seatings: list[Seating] = []
    for number in range(rounds):
        ahead = replace(rules, rounds_to_come=(rounds - number - 1) * look_ahead)
        seatings.append(seat_round(SeatingProblem(players, history, ahead), f"{key}/{number}"))
        history += (PastRound(seatings[-1].tables, seatings[-1].byes),)
    return history, seatings


def count_meetings(history: Iterable[PastRound]) -> Counter[frozenset[int]]:
    """Count how often each pair of players has met, independently of the code under test."""
    return Counter(
        frozenset(pair)
        for past in history
        for table in past.tables
        for pair in combinations(table, 2)
    )


# -- sizes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "rules", "sizes", "byes"),
    [
        (20, SeatingRules(4), (4,) * 5, 0),
        (47, SeatingRules(4), (4,) * 11 + (3,), 0),
        (22, SeatingRules(4), (4, 4, 4, 4, 3, 3), 0),
        (6, SeatingRules(4), (3, 3), 0),
        (5, SeatingRules(4), (5,), 0),
        (9, SeatingRules(4), (5, 4), 0),
        (3, SeatingRules(4), (3,), 0),
        (2, SeatingRules(4), (2,), 0),
        (7, SeatingRules(2), (3, 2, 2), 0),
        (11, SeatingRules(4, maximum=5), (4, 4, 3), 0),
        (5, SeatingRules(4, maximum=4), (3, 2), 0),
        (22, SeatingRules(4, minimum=4, maximum=4), (4,) * 5, 2),
        (11, SeatingRules(5, minimum=5, maximum=5), (5, 5), 1),
    ],
)
def test_table_sizes_are_close_to_the_target(
    count: int, rules: SeatingRules, sizes: tuple[int, ...], byes: int
) -> None:
    assert table_sizes(count, rules) == (sizes, byes)


@given(st.integers(2, 200), st.integers(2, 10))
def test_table_sizes_differ_by_at_most_one_and_seat_all_players(count: int, target: int) -> None:
    sizes, byes = table_sizes(count, SeatingRules(target))
    assert sum(sizes) == count
    assert byes == 0
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= 10
    assert min(sizes) >= min(count, 3, target)


@pytest.mark.parametrize(
    ("count", "rules", "sentence"),
    [
        (1, SeatingRules(), "A table needs at least 2 players; there are 1."),
        (3, SeatingRules(minimum=4), "A table needs at least 4 players; there are 3."),
        (
            8,
            SeatingRules(minimum=5, maximum=4),
            "A table can’t have a minimum of 5 and a maximum of 4 players.",
        ),
    ],
)
def test_impossible_table_sizes_are_refused_with_a_message(
    count: int, rules: SeatingRules, sentence: str
) -> None:
    with pytest.raises(SeatingError) as refused:
        seat_round(SeatingProblem(make_people(count), (), rules), "key")
    assert str(refused.value) == sentence


# -- meetings ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize(("players", "rounds", "seats"), CASES)
@pytest.mark.parametrize("key", ["a", "b"])
def test_no_players_meet_twice_if_a_seating_without_repeats_is_known(
    players: int, rounds: int, seats: int, key: str
) -> None:
    history, _ = seat_rounds(make_people(players), rounds, SeatingRules(seats), key)
    assert set(count_meetings(history).values()) == {1}
    for past in history:
        assert sorted(p for table in past.tables for p in table) == list(range(1, players + 1))


def test_costs_match_an_independent_count() -> None:
    history, seatings = seat_rounds(make_people(9), 4, SeatingRules(5))
    for number, seating in enumerate(seatings):
        before = count_meetings(history[:number])
        last = count_meetings(history[max(0, number - 1) : number])
        pairs = [frozenset(pair) for table in seating.tables for pair in combinations(table, 2)]
        assert seating.costs["repeats"] == sum(before[pair] for pair in pairs)
        assert seating.costs["again"] == sum(last[pair] for pair in pairs)


def test_costs_of_two_large_tables_reach_the_lower_bound() -> None:
    _, (first, second) = seat_rounds(make_people(10), 2, SeatingRules(5))
    assert first.bounds == {"again": 0, "repeats": 0}
    # Each table has three players of one earlier table and two of the other, which makes 3 + 1
    # repeated meetings.
    assert second.bounds == {"again": 8, "repeats": 8}
    assert (second.costs["again"], second.costs["repeats"]) == (8, 8)


@pytest.mark.slow
@pytest.mark.patient
@settings(max_examples=15)
@given(st.integers(4, 14), st.integers(3, 6), st.integers(0, 10**6))
def test_cost_is_never_below_its_lower_bound(count: int, seats: int, key: int) -> None:
    _, seatings = seat_rounds(
        make_people(count), 3, SeatingRules(seats), str(key), look_ahead=False
    )
    for seating in seatings:
        for rule, bound in seating.bounds.items():
            assert seating.costs[rule] >= bound


def test_consecutive_meeting_costs_more_than_any_number_of_repeats() -> None:
    history = (
        PastRound(((1, 2, 3, 4), (5, 6, 7, 8))),
        PastRound(((1, 2, 3, 4), (5, 6, 7, 8))),
        PastRound(((1, 2, 3, 5), (4, 6, 7, 8))),
    )
    best = seat_round(SeatingProblem(make_people(8), history, SeatingRules(4)), "key")
    assert best.costs["again"] == best.bounds["again"] == 4


def test_only_opponents_in_the_latest_round_count_as_previous_opponents() -> None:
    first, last = ((1, 2, 3, 4), (5, 6, 7, 8)), ((1, 5, 2, 6), (3, 7, 4, 8))
    problem = SeatingProblem(make_people(8), (PastRound(first), PastRound(last)), SeatingRules(4))
    # Each table of the first round has two pairs that met in the last round.
    assert compute_costs(problem, first)["again"] == 4
    assert compute_costs(problem, last)["again"] == 12


# -- the other rules ---------------------------------------------------------------------------


def test_forbidden_pairs_sit_apart_and_fixed_players_at_their_table() -> None:
    rules = SeatingRules(4, apart=((1, 2), (2, 3), (1, 3)), fixed=((5, 2), (6, 2), (1, 2)))
    for number in range(8):
        seating = seat_round(SeatingProblem(make_people(12), (), rules), f"key {number}")
        assert {1, 5, 6} <= set(seating.tables[1])
        assert all(len({1, 2, 3} & set(table)) == 1 for table in seating.tables)
        assert seating.costs["hard"] == 0


def test_rules_that_cannot_be_followed_are_reported() -> None:
    problem = SeatingProblem(make_people(4), (), SeatingRules(4, apart=((1, 2),)))
    seating = seat_round(problem, "key")
    assert seating.costs["hard"] == 1
    quality = evaluate_seating(problem, (tuple(sorted(seating.tables[0])),))
    assert not quality.playable
    assert [b.sentence for b in quality.broken] == [
        "P1 and P2 must not sit together but share table 1."
    ]


def test_fixed_players_beyond_the_table_size_sit_at_other_tables() -> None:
    rules = SeatingRules(4, fixed=tuple((player, 2) for player in range(1, 6)))
    seating = seat_round(SeatingProblem(make_people(8), (), rules), "key")
    assert set(seating.tables[1]) <= {1, 2, 3, 4, 5}
    assert seating.costs["hard"] == 1


def test_player_cannot_be_fixed_to_a_missing_table() -> None:
    problem = SeatingProblem(make_people(8), (), SeatingRules(4, fixed=((3, 7),)))
    with pytest.raises(
        SeatingError, match=r"P3 is assigned to table 7, but there are only tables 1 to 2\."
    ):
        seat_round(problem, "key")


def test_short_table_rotates_among_players() -> None:
    history, _ = seat_rounds(make_people(23), 3, SeatingRules(4))
    short = [p for past in history for table in past.tables if len(table) == 3 for p in table]
    assert len(short) == len(set(short)) == 9


def test_short_table_of_a_departed_player_no_longer_counts() -> None:
    problem = SeatingProblem(
        make_people(7), (PastRound(((1, 2, 3, 4), (5, 6, 9))),), SeatingRules(4)
    )
    assert compute_costs(problem, ((1, 2, 3, 5), (4, 6, 7)))["odd"] == 1


def test_byes_rotate_among_players() -> None:
    history, seatings = seat_rounds(
        make_people(10), 5, SeatingRules(4, minimum=4, maximum=4), look_ahead=False
    )
    assert [len(s.byes) for s in seatings] == [2] * 5
    assert sorted(p for past in history for p in past.byes) == list(range(1, 11))


def test_players_with_similar_points_sit_together() -> None:
    players = tuple(SeatingPlayer(n, points=n * 10) for n in range(1, 17))
    seating = seat_round(SeatingProblem(players, (), SeatingRules(4, by_points=True)), "key")
    assert [sorted(table, reverse=True) for table in seating.tables] == [
        [16, 15, 14, 13], [12, 11, 10, 9], [8, 7, 6, 5], [4, 3, 2, 1]
    ]  # fmt: skip
    assert seating.costs["points"] == 0


def test_similar_points_never_outweigh_a_repeat_meeting() -> None:
    players = tuple(SeatingPlayer(n, points=1000 * (n <= 4)) for n in range(1, 17))
    history = (PastRound(((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12), (13, 14, 15, 16))),)
    seating = seat_round(SeatingProblem(players, history, SeatingRules(4, by_points=True)), "key")
    assert seating.costs["repeats"] == 0
    assert seating.costs["points"] == 6000


def test_players_of_the_same_group_sit_apart() -> None:
    players = tuple(SeatingPlayer(n, group=" Chem" if n % 4 == 0 else "cHEM " if n < 3 else f"g{n}")
                    for n in range(1, 13))  # fmt: skip
    seating = seat_round(SeatingProblem(players, (), SeatingRules(4, groups_apart=True)), "key")
    # Five players of one group at three tables form at least two pairs.
    assert seating.costs["groups"] == 2


def test_seat_order_at_each_table_is_optimal() -> None:
    history, seatings = seat_rounds(make_people(16), 4, SeatingRules(4))
    problem = SeatingProblem(make_people(16), history[:-1], SeatingRules(4))

    def compute_seats_cost(table: tuple[int, ...]) -> int:
        return compute_costs(problem, (table,))["seats"]

    for table in seatings[-1].tables:
        lowest = min(compute_seats_cost(order) for order in permutations(table))
        assert compute_seats_cost(table) == lowest
    assert seatings[1].costs["seats"] == 0


def test_first_seating_is_kept_if_none_is_better_for_future_rounds() -> None:
    # After three rounds, four players at tables of two have all met, so repeats are unavoidable.
    problem = SeatingProblem(make_people(4), (), SeatingRules(2, rounds_to_come=6))
    alone = replace(problem, rules=SeatingRules(2))
    assert seat_round(problem, "key").tables == seat_round(alone, "key").tables


# -- repeating a draw --------------------------------------------------------------------------


def test_same_key_gives_the_same_seating_in_any_list_order() -> None:
    history, _ = seat_rounds(make_people(23), 2, SeatingRules(4))
    problem = SeatingProblem(make_people(23), history, SeatingRules(4, rounds_to_come=1))
    reordered = SeatingProblem(make_people(23)[::-1], history, SeatingRules(4, rounds_to_come=1))
    assert seat_round(problem, "key") == seat_round(reordered, "key")
    assert seat_round(problem, "key").tables != seat_round(problem, "other").tables


def test_seating_of_a_key_is_the_same_on_every_machine() -> None:
    seating = seat_round(
        SeatingProblem(make_people(9), (PastRound(((1, 2, 3, 4, 5), (6, 7, 8, 9))),)), "a key"
    )
    assert seating.tables == EXPECTED_SEATING
    assert seating.digest == EXPECTED_DIGEST


def test_stored_data_of_a_round_is_enough_to_repeat_its_draw() -> None:
    problem = SeatingProblem(make_people(6), (), SeatingRules(4, minimum=4, maximum=4))
    seating = seat_round(problem, "key")
    rules = ("hard", "again", "repeats", "odd", "points", "groups", "seats")
    assert seating.as_stored() == RoundSeating(
        byes=seating.byes,
        key="key",
        digest=problem.digest(),
        costs=dict.fromkeys(rules, 0),
        bounds={"again": 0, "repeats": 0},
    )
    assert len(seating.byes) == 2


def test_digest_depends_on_every_relevant_input() -> None:
    base = SeatingProblem(
        make_people(8), (PastRound(((1, 2, 3, 4), (5, 6, 7, 8))),), SeatingRules(4)
    )
    others = [
        replace(base, players=(*base.players[:-1], SeatingPlayer(9))),
        replace(base, players=(*base.players[:-1], SeatingPlayer(8, points=5))),
        replace(base, players=(*base.players[:-1], SeatingPlayer(8, group="x"))),
        replace(base, history=()),
        replace(base, history=(PastRound(((1, 2, 3, 5), (4, 6, 7, 8))),)),
        *(
            replace(base, rules=replace(base.rules, **change))
            for change in (
                {"table_size": 5}, {"minimum": 3}, {"maximum": 8}, {"apart": ((1, 2),)},
                {"fixed": ((1, 2),)}, {"by_points": True}, {"groups_apart": True},
                {"rounds_to_come": 1}, {"partners": True},
            )
        ),
    ]  # fmt: skip
    assert len({base.digest(), *(other.digest() for other in others)}) == len(others) + 1
    renamed = replace(base, players=tuple(replace(p, name="new") for p in base.players))
    assert renamed.digest() == base.digest()


def test_duplicate_player_is_refused() -> None:
    with pytest.raises(SeatingError, match="listed twice"):
        seat_round(SeatingProblem((*make_people(5), SeatingPlayer(3))), "key")
