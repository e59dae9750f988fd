"""Tests of evaluating a seating and of explaining a player's table."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pure.arrangement.test_seating import make_people, seat_rounds
from tournament.pure.arrangement import (
    PastRound,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    compute_costs,
    evaluate_seating,
    explain_seat,
)
from tournament.pure.arrangement.costs import Tables

PAST_ROUNDS = (PastRound(((1, 2, 3, 4), (5, 6, 7, 8))), PastRound(((1, 5, 2, 6), (3, 7, 4, 8))))


def test_evaluation_describes_each_broken_rule() -> None:
    quality = evaluate_seating(
        SeatingProblem(make_people(8), PAST_ROUNDS, SeatingRules(4)), ((1, 2, 7, 8), (3, 4, 5, 6))
    )
    assert [(b.rule, b.table, b.sentence) for b in quality.broken] == [
        (
            "again",
            1,
            "P1 and P2 meet in consecutive rounds, at table 1 after Round 1 and Round 2.",
        ),
        (
            "again",
            1,
            "P7 and P8 meet in consecutive rounds, at table 1 after Round 1 and Round 2.",
        ),
        (
            "again",
            2,
            "P3 and P4 meet in consecutive rounds, at table 2 after Round 1 and Round 2.",
        ),
        (
            "again",
            2,
            "P5 and P6 meet in consecutive rounds, at table 2 after Round 1 and Round 2.",
        ),
        ("seats", 1, "P1 is in the first seat again at table 1, as in Round 1 and Round 2."),
        ("seats", 1, "P8 is in the last seat again at table 1, as in Round 1 and Round 2."),
        ("seats", 2, "P3 is in the first seat again at table 2, as in Round 2."),
        ("seats", 2, "P6 is in the last seat again at table 2, as in Round 2."),
    ]
    assert quality.costs == {"hard": 0, "again": 4, "repeats": 8, "odd": 0, "points": 0,
                            "groups": 0, "seats": 68}  # fmt: skip
    assert quality.bounds["again"] == 4


def test_evaluation_reports_wrong_players_and_table_sizes() -> None:
    problem = SeatingProblem(
        make_people(8), (), SeatingRules(4, minimum=3, maximum=5, fixed=((1, 2),))
    )
    quality = evaluate_seating(problem, ((1, 2, 3, 4, 5, 3), (6, 99)))
    assert [b.sentence for b in quality.broken] == [
        "P7 has no seat.",
        "P8 has no seat.",
        "P3 has more than one seat.",
        "player 99 at table 2 is not in this event.",
        "Table 1 has 6 players; these rules are for 3 to 5.",
        "Table 2 has 2 players; these rules are for 3 to 5.",
        "The tables have 2 to 6 players, a difference of more than one.",
        "P1 needs table 2 but is at table 1.",
    ]
    assert [(b.table, b.players) for b in quality.broken] == [
        (0, (7,)),
        (0, (8,)),
        (1, (3,)),
        (2, (99,)),
        (1, (1, 2, 3, 4, 5, 3)),
        (2, (6, 99)),
        (0, ()),
        (1, (1,)),
    ]
    assert not quality.playable


def test_table_sizes_that_differ_by_two_are_reported() -> None:
    problem = SeatingProblem(make_people(12), (), SeatingRules(4, minimum=3, maximum=5))
    tables = ((1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11, 12))
    sentences = [b.sentence for b in evaluate_seating(problem, tables).broken]
    assert sentences == ["The tables have 3 to 5 players, a difference of more than one."]


def test_violations_of_points_groups_and_short_tables_are_reported() -> None:
    groups = {1: "Chem", 2: "Chem", 4: "Physics"}
    players = tuple(SeatingPlayer(n, f"P{n}", points=n * 10, group=groups.get(n, ""))
                    for n in range(1, 8))  # fmt: skip
    history = (PastRound(((4, 5, 6, 7), (1, 2, 3))),)
    rules = SeatingRules(4, by_points=True, groups_apart=True)
    quality = evaluate_seating(SeatingProblem(players, history, rules), ((7, 6, 5, 3), (4, 2, 1)))
    assert [b.sentence for b in quality.broken if b.rule in ("odd", "points", "groups")] == [
        "P2 is at a table of 3 after an odd-sized table or a bye in Round 1.",
        "P1 is at a table of 3 after an odd-sized table or a bye in Round 1.",
        "P3 has 30 points, but table 1 is for 40 to 70 points.",
        "P4 has 40 points, but table 2 is for 10 to 30 points.",
        "P2 and P1 at table 2 are both from Chem.",
    ]
    found = [(b.rule, b.table, b.players) for b in quality.broken]
    assert [each for each in found if each[0] in ("odd", "points", "groups")] == [
        ("odd", 2, (2,)),
        ("odd", 2, (1,)),
        ("points", 1, (3,)),
        ("points", 2, (4,)),
        ("groups", 2, (2, 1)),
    ]


def test_second_bye_of_a_player_is_reported() -> None:
    history = (PastRound(((1, 2, 3, 4),), (5, 6)),)
    problem = SeatingProblem(make_people(6), history, SeatingRules(4, minimum=4, maximum=4))
    quality = evaluate_seating(problem, ((2, 3, 4, 6),), (1, 5))
    assert [b.sentence for b in quality.broken if b.rule == "odd"] == [
        "P5 gets another bye after the one in Round 1."
    ]


@pytest.mark.slow
@pytest.mark.patient
@settings(max_examples=30)
@given(st.integers(4, 16), st.integers(0, 10**6))
def test_number_of_violations_agrees_with_the_costs(count: int, key: int) -> None:
    history, seatings = seat_rounds(
        make_people(count), 3, SeatingRules(4), str(key), look_ahead=False
    )
    problem = SeatingProblem(make_people(count), history[:-1], SeatingRules(4))
    quality = evaluate_seating(problem, seatings[-1].tables, seatings[-1].byes)
    assert quality.costs == seatings[-1].costs
    broken = Counter(b.rule for b in quality.broken)
    assert broken["again"] == quality.costs["again"]
    assert (broken["again"] + broken["repeats"] > 0) == (quality.costs["repeats"] > 0)
    assert (broken["odd"] > 0) == (quality.costs["odd"] > 0)


def test_repeated_partners_are_reported() -> None:
    rules = SeatingRules(4, partners=True)
    quality = evaluate_seating(
        SeatingProblem(make_people(8), PAST_ROUNDS, rules), ((7, 5, 8, 6), (3, 2, 1, 4))
    )
    again = [b for b in quality.broken if "partners" in b.sentence]
    assert [(b.table, b.players) for b in again] == [
        (1, (7, 8)),
        (1, (5, 6)),
        (2, (3, 1)),
        (2, (2, 4)),
    ]
    assert [b.sentence for b in again] == [
        "P7 and P8 are partners again at table 1, as in Round 2.",
        "P5 and P6 are partners again at table 1, as in Round 2.",
        "P3 and P1 are partners again at table 2, as in Round 1.",
        "P2 and P4 are partners again at table 2, as in Round 1.",
    ]


def test_first_time_partners_are_not_reported() -> None:
    problem = SeatingProblem(make_people(8), PAST_ROUNDS[:1], SeatingRules(4, partners=True))
    quality = evaluate_seating(problem, ((1, 2, 5, 4), (3, 6, 7, 8)))
    assert [b.sentence for b in quality.broken if "partners" in b.sentence] == [
        "P2 and P4 are partners again at table 1, as in Round 1.",
        "P6 and P8 are partners again at table 2, as in Round 1.",
    ]


def test_explanation_names_the_best_alternative_seat() -> None:
    problem = SeatingProblem(make_people(8), PAST_ROUNDS[:1], SeatingRules(4))
    reason = explain_seat(problem, ((1, 2, 5, 6), (3, 4, 7, 8)), 1)
    assert (reason.table, reason.other_table, reason.swap_with) == (1, 2, 3)
    assert set(reason.extra_costs.values()) == {0}
    assert reason.sentence == (
        "The best alternative, table 2 (swapping with P3), is equally good by every "
        "rule, so the draw decided between the two."
    )
    bad = explain_seat(problem, ((1, 2, 3, 5), (4, 6, 7, 8)), 3)
    assert bad.sentence == (
        "A better alternative, table 2 (swapping with P6), would avoid 2 meetings in "
        "consecutive rounds."
    )


def test_explanation_states_the_cost_of_the_alternative() -> None:
    history = (PastRound(((1, 2), (3, 4))), PastRound(((1, 4), (2, 3))))
    problem = SeatingProblem(make_people(4), history, SeatingRules(2))
    assert explain_seat(problem, ((1, 3), (2, 4)), 1).sentence == (
        "The best alternative, table 2 (swapping with P4), would have meant 2 repeat meetings."
    )


@pytest.mark.parametrize(
    ("problem", "tables", "byes", "sentence"),
    [
        (
            SeatingProblem(make_people(4), (), SeatingRules(2, apart=((1, 2), (1, 4)))),
            ((1, 3), (2, 4)),
            (),
            "The best alternative, table 2 (swapping with P2), would have meant 1 broken "
            "essential rule.",
        ),
        (
            SeatingProblem(make_people(5), (PastRound(((8, 9),), (1,)),), SeatingRules(4, 4, 4)),
            ((2, 3, 4, 5),),
            (1,),
            "A better alternative, table 1 (swapping with P2), would avoid 1 repeat odd-sized "
            "table.",
        ),
        (
            SeatingProblem(
                tuple(replace(p, points=p.id * 10) for p in make_people(4)),
                (),
                SeatingRules(2, by_points=True),
            ),
            ((1, 3), (2, 4)),
            (),
            "A better alternative, table 2 (swapping with P4), would avoid 40 points outside "
            "the tables’ ranges.",
        ),
        (
            SeatingProblem(
                tuple(replace(p, group="A" if p.id < 3 else "B") for p in make_people(4)),
                (),
                SeatingRules(2, groups_apart=True),
            ),
            ((1, 2), (3, 4)),
            (),
            "A better alternative, table 2 (swapping with P3), would avoid 2 pairs from the "
            "same group.",
        ),
    ],
)
def test_explanation_has_a_phrase_for_each_rule(
    problem: SeatingProblem, tables: Tables, byes: tuple[int, ...], sentence: str
) -> None:
    assert explain_seat(problem, tables, 1, byes).sentence == sentence


def test_best_alternative_matches_an_exhaustive_search() -> None:
    history, _ = seat_rounds(make_people(12), 2, SeatingRules(4))
    problem = SeatingProblem(make_people(12), history[:1], SeatingRules(4))
    tables = history[1].tables
    now = list(compute_costs(problem, tables).values())[:-1]
    for player in range(1, 13):
        others = [p for t in tables if player not in t for p in t]
        found = []
        for other in others:
            swapped = {player: other, other: player}
            moved = tuple(tuple(swapped.get(p, p) for p in table) for table in tables)
            costs = list(compute_costs(problem, moved).values())[:-1]
            found.append([a - b for a, b in zip(costs, now, strict=True)])
        assert list(explain_seat(problem, tables, player).extra_costs.values()) == min(found)


def test_fixed_players_and_single_tables_have_no_alternative() -> None:
    problem = SeatingProblem(make_people(8), (), SeatingRules(4, fixed=((2, 1),)))
    tables = ((1, 2, 3, 4), (5, 6, 7, 8))
    assert explain_seat(problem, tables, 2).sentence == "Table 1 is reserved for P2."
    assert explain_seat(problem, tables, 5).swap_with == 1
    only = explain_seat(SeatingProblem(make_people(4)), ((1, 2, 3, 4),), 1)
    assert (only.other_table, only.sentence) == (None, "There is no other table.")


def test_alternative_seat_may_be_a_bye() -> None:
    history = (PastRound(((1, 2, 3, 4),), (5,)),)
    problem = SeatingProblem(make_people(5), history, SeatingRules(4, minimum=4, maximum=4))
    assert explain_seat(problem, ((1, 2, 3, 5),), 5, (4,)).sentence == (
        "The best alternative, a bye (swapping with P4), would have meant 3 meetings in "
        "consecutive rounds."
    )


TABLES_WITH_A_GAP = ((1, 2, 3), (), (4, 5, 6))


def test_breaking_up_a_table_keeps_the_other_table_numbers() -> None:
    rules = SeatingRules(3, by_points=True, fixed=((4, 3),))
    quality = evaluate_seating(
        SeatingProblem(make_people(6), (PastRound(((4, 5), (1, 2))),), rules), TABLES_WITH_A_GAP
    )
    assert [(b.rule, b.table, b.sentence) for b in quality.broken if b.rule != "seats"] == [
        ("again", 1, "P1 and P2 meet in consecutive rounds, at table 1 after Round 1."),
        ("again", 3, "P4 and P5 meet in consecutive rounds, at table 3 after Round 1."),
    ]
    met = SeatingProblem(make_people(6), (PastRound(((1, 2, 3), (4, 5, 6))),), rules)
    assert (quality.costs["hard"], quality.costs["odd"]) == (0, 0)
    assert explain_seat(met, TABLES_WITH_A_GAP, 5).other_table == 1
    assert explain_seat(met, TABLES_WITH_A_GAP, 4).sentence == "Table 3 is reserved for P4."


def test_violation_names_earlier_rounds_by_their_titles() -> None:
    """Check that rounds of different stages with the same number can be told apart."""
    history = (
        PastRound(((1, 2), (3, 4)), title="First round, Round 1"),
        PastRound(((1, 2), (3, 4)), title="Second round, Round 1"),
    )
    players = tuple(SeatingPlayer(n, f"P{n}") for n in range(1, 5))
    problem = SeatingProblem(players, history, SeatingRules(table_size=2))
    met = [
        each.sentence
        for each in evaluate_seating(problem, ((1, 2), (3, 4))).broken
        if each.table == 1
    ]
    assert met[0] == (
        "P1 and P2 meet in consecutive rounds, at table 1 after First round, Round 1 "
        "and Second round, Round 1."
    )
