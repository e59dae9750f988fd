"""Tests of the seats of bracket rounds that have not been drawn yet."""

from tournament.pure.brackets import (
    BYE,
    FILL,
    SEED,
    Shape,
    Slot,
    first_tables,
    plan_bracket,
    plan_round,
    tables_after,
)

SHAPE = Shape(table_size=4, advance=2)


def test_first_round_is_seated_in_snake_order() -> None:
    tables = first_tables(plan_round(8, SHAPE))
    assert tables == (
        tuple(Slot(SEED, n) for n in (1, 4, 5, 8)),
        tuple(Slot(SEED, n) for n in (2, 3, 6, 7)),
    )


def test_player_with_a_bye_has_no_table() -> None:
    shape = Shape(table_size=4, advance=2, minimum=4, maximum=4)
    planned = plan_round(9, shape)
    assert planned.byes == 1
    assert Slot(SEED, 1) not in {slot for table in first_tables(planned) for slot in table}


def test_seats_in_the_final_name_the_previous_tables() -> None:
    before, final = plan_bracket(8, SHAPE)
    assert tables_after(before, [3, 5], final) == (
        (Slot(1, 1, 3), Slot(1, 2, 5), Slot(2, 1, 3), Slot(2, 2, 5)),
    )


def test_seats_before_the_final_name_no_tables() -> None:
    first, second, *_ = plan_bracket(16, SHAPE)
    assert tables_after(first, [1, 2, 3, 4], second) == (
        (Slot(1, 1), Slot(1, 4), Slot(2, 1), Slot(2, 4)),
        (Slot(1, 2), Slot(1, 3), Slot(2, 2), Slot(2, 3)),
    )


def test_byes_are_seated_first() -> None:
    shape = Shape(table_size=4, advance=1, minimum=4, maximum=4)
    before = plan_round(13, shape)
    [after] = tables_after(before, [1, 2, 3], plan_round(before.through, shape))
    assert (before.byes, before.fill, before.through) == (1, 0, 4)
    assert after == (Slot(BYE, 1), Slot(1, 1, 1), Slot(1, 2, 2), Slot(1, 3, 3))


def test_last_seat_goes_to_the_best_share_of_table_points() -> None:
    shape = Shape(table_size=4, advance=1)
    before, final = plan_bracket(12, shape)
    [after] = tables_after(before, [1, 2, 3], final)
    assert after[3] == Slot(FILL, 1)
