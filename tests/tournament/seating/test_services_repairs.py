"""Tests of repairing seats after late arrivals and no-shows, with few changes to tables."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pure.arrangement.test_seating import make_people
from tournament.pure.arrangement import (
    PastRound,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    repair_seating,
    seat_round,
)

SEATED = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))


def make_seating_problem(*ids: int) -> SeatingProblem:
    return SeatingProblem(
        tuple(SeatingPlayer(n, f"P{n}") for n in ids), (), SeatingRules(4), make_people(20)
    )


@pytest.mark.parametrize(
    ("ids", "tables", "touched", "sentences"),
    [
        (range(1, 13), SEATED, (), []),
        (range(1, 12), ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11)), (3,), ["P12 leaves table 3."]),
        (
            range(1, 14),
            ((1, 2, 3, 4, 13), (5, 6, 7, 8), (9, 10, 11, 12)),
            (1,),
            ["P13 joins table 1."],
        ),
        (
            [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13],
            ((1, 2, 3, 4), (5, 6, 7, 13), (9, 10, 11, 12)),
            (2,),
            ["P8 leaves table 2.", "P13 joins table 2."],
        ),
        (
            range(1, 11),
            ((2, 3, 4), (5, 6, 7, 8), (9, 10, 1)),
            (1, 3),
            ["P11 leaves table 3.", "P12 leaves table 3.", "P1 moves from table 1 to table 3."],
        ),
        (
            range(1, 10),
            ((1, 2, 3, 4, 9), (5, 6, 7, 8), ()),
            (1, 3),
            ["P10 leaves table 3.", "P11 leaves table 3.", "P12 leaves table 3.",
             "Table 3 is removed.", "P9 joins table 1."],
        ),
        (
            range(1, 16),
            (*SEATED, (13, 14, 15)),
            (4,),
            ["P13, P14, P15 join a new table, table 4."],
        ),
    ],
)  # fmt: skip
def test_repair_changes_as_few_tables_as_possible(
    ids: range | list[int],
    tables: tuple[tuple[int, ...], ...],
    touched: tuple[int, ...],
    sentences: list[str],
) -> None:
    repair = repair_seating(make_seating_problem(*ids), SEATED)
    assert repair.tables == tables
    assert repair.touched == touched
    assert list(repair.sentences) == sentences


def test_repair_keeps_the_numbers_of_the_other_tables() -> None:
    problem = replace(
        make_seating_problem(1, 2, 3, 4, 6, 7, 8), rules=SeatingRules(4, minimum=3, fixed=((6, 3),))
    )
    repair = repair_seating(problem, ((1, 2, 3, 4), (), (5, 6, 7)))
    assert repair.tables == ((1, 2, 3, 4), (), (8, 6, 7))
    assert repair.sentences == ("P5 leaves table 3.", "P8 joins table 3.")
    more = repair_seating(
        replace(problem, players=make_people(11)), ((1, 2, 3, 4), (), (5, 6, 7, 8))
    )
    assert more.sentences == ("P9, P10, P11 join a new table, table 4.",)


TABLES_OF_FOUR = SeatingRules(4, minimum=4, maximum=4)


@pytest.mark.parametrize(
    ("ids", "byes", "tables", "still_out", "sentences"),
    [
        (
            range(1, 14), (), SEATED, (13,),
            ["P13 gets a bye, because no table has a free seat."],
        ),
        (
            [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14], (),
            ((1, 2, 3, 4), (13, 6, 7, 8), (9, 10, 11, 12)), (14,),
            ["P5 leaves table 2.", "P13 joins table 2.",
             "P14 gets a bye, because no table has a free seat."],
        ),
        (
            range(1, 16), (13, 14), SEATED, (13, 14, 15),
            ["P15 gets a bye, because no table has a free seat."],
        ),
        (
            range(1, 18), (13, 14, 15), (*SEATED, (13, 14, 15, 16)), (17,),
            ["P13, P14, P15, P16 join a new table, table 4.",
             "P17 gets a bye, because no table has a free seat."],
        ),
        (
            range(1, 12), (), ((1, 2, 3, 4), (5, 6, 7, 8), ()), (9, 10, 11),
            ["P12 leaves table 3.", "Table 3 is removed.",
             *[f"P{n} gets a bye, because no table has a free seat." for n in (9, 10, 11)]],
        ),
        (
            [1, 2, 3, 5, 6, 7, 9, 10, 11], (), ((), (5, 6, 7, 2), (9, 10, 11, 3)), (1,),
            ["P4 leaves table 1.", "P8 leaves table 2.", "P12 leaves table 3.",
             "Table 1 is removed.", "P2 joins table 2.", "P3 joins table 3.",
             "P1 gets a bye, because no table has a free seat."],
        ),
    ],
)  # fmt: skip
def test_player_without_a_free_seat_gets_a_bye(
    ids: range | list[int],
    byes: tuple[int, ...],
    tables: tuple[tuple[int, ...], ...],
    still_out: tuple[int, ...],
    sentences: list[str],
) -> None:
    # P2 and P3 have already had a bye, so they are seated before P1.
    history = (PastRound((), (2, 3)),)
    problem = replace(make_seating_problem(*ids), rules=TABLES_OF_FOUR, history=history)
    repair = repair_seating(problem, SEATED, byes=byes)
    assert (repair.tables, repair.byes) == (tables, still_out)
    assert list(repair.sentences) == sentences


def test_last_table_is_not_removed() -> None:
    repair = repair_seating(
        replace(make_seating_problem(1, 2, 3), rules=TABLES_OF_FOUR), ((1, 2, 3, 4),)
    )
    assert (repair.tables, repair.byes) == (((1, 2, 3),), ())


def test_new_player_takes_the_seat_of_the_departed_one() -> None:
    repair = repair_seating(
        make_seating_problem(1, 3, 4, 5, 6, 7, 8, 9), ((1, 2, 3, 4), (5, 6, 7, 8))
    )
    assert repair.tables == ((1, 9, 3, 4), (5, 6, 7, 8))


@given(st.sets(st.integers(1, 24)), st.integers(0, 6), st.integers(0, 3))
def test_repair_keeps_every_table_of_four_full(absent: set[int], late: int, out: int) -> None:
    tables = tuple(tuple(range(n, n + 4)) for n in range(1, 21, 4))
    byes = tuple(range(21, 21 + out))
    present = [n for n in range(1, 21 + out + late) if n not in absent]
    problem = SeatingProblem(
        tuple(SeatingPlayer(n) for n in present), (), TABLES_OF_FOUR, make_people(40)
    )
    repair = repair_seating(problem, tables, byes=byes)
    seated = [p for table in repair.tables for p in table]
    assert sorted((*seated, *repair.byes)) == present
    assert len(present) < 4 or {len(table) for table in repair.tables if table} == {4}


def test_repair_keeps_manual_changes() -> None:
    by_hand = ((1, 2), (3, 4, 5, 6, 7, 8), (9, 10, 11, 12))
    assert repair_seating(make_seating_problem(*range(1, 13)), by_hand).tables == by_hand
    repair = repair_seating(make_seating_problem(*range(1, 12)), by_hand)
    assert (repair.touched, repair.sentences) == ((3,), ("P12 leaves table 3.",))
    assert repair.attendance


def test_repair_fixes_tables_that_break_the_size_rules() -> None:
    problem = replace(make_seating_problem(*range(1, 13)), rules=SeatingRules(4, minimum=3))
    repair = repair_seating(problem, ((1, 2), (3, 4, 5, 6, 7, 8), (9, 10, 11, 12)))
    assert repair.sentences == ("P3 moves from table 2 to table 1.",)
    assert not repair.attendance


def test_player_with_a_bye_replaces_a_no_show() -> None:
    problem = replace(
        make_seating_problem(1, 2, 3, 5, 6, 7, 8, 9), rules=SeatingRules(4, minimum=4, maximum=4)
    )
    repair = repair_seating(problem, ((1, 2, 3, 4), (5, 6, 7, 8)), byes=(9, 10))
    assert repair.tables == ((1, 2, 3, 9), (5, 6, 7, 8))
    assert repair.byes == ()
    assert repair.sentences == ("P4 leaves table 1.", "P9 joins table 1.")
    full = replace(problem, players=make_people(10))
    untouched = repair_seating(full, ((1, 2, 3, 4), (5, 6, 7, 8)), byes=(9, 10))
    assert (untouched.byes, untouched.touched) == ((9, 10), ())


def test_late_player_joins_opponents_they_have_not_met() -> None:
    problem = SeatingProblem(
        make_people(12), (PastRound(((1, 2, 3, 12), (5, 6, 7, 8))),), SeatingRules(4)
    )
    repair = repair_seating(problem, ((1, 2, 3), (5, 6, 7), (4, 8, 9, 10, 11)))
    assert repair.tables[1] == (5, 6, 7, 12)


@settings(max_examples=60)
@given(st.integers(6, 24), st.sets(st.integers(1, 24)), st.integers(0, 6))
def test_repair_seats_each_present_player_once_at_playable_tables(
    count: int, absent: set[int], late: int
) -> None:
    seating = seat_round(SeatingProblem(make_people(count)), "key")
    present = [n for n in range(1, count + late + 1) if n not in absent or n > count]
    if len(present) < 3:
        return
    repair = repair_seating(make_seating_problem(*present), seating.tables)
    assert sorted(p for table in repair.tables for p in table) == present
    assert all(3 <= len(table) <= 10 for table in repair.tables if table)
    untouched = [n for n in range(len(seating.tables)) if n + 1 not in repair.touched]
    assert all(repair.tables[n] == seating.tables[n] for n in untouched)
