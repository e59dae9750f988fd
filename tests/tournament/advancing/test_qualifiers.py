"""Tests of replacing a qualifier who withdraws with the next player in line for that spot."""

import pytest

from tests.tournament.helpers import make_organized_event, make_second_stage, play_first_round
from tournament.advancing.services import preview_cut, qualify
from tournament.models import Event, Registration, Stage, Table, User
from tournament.registration.services import withdraw
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db


def get_seated_player(table: Table, seat: int) -> Registration:
    registration = table.seats.get(number=seat).registration
    assert registration is not None
    return registration


def get_table(event: Event, number: int) -> Table:
    return Table.objects.get(round__stage__event=event, round__stage__number=1, number=number)


def list_bracket_players(event: Event) -> set[Registration]:
    active = event.stages.get(number=2).qualifiers.filter(active=True)
    return {qualifier.registration for qualifier in active.select_related("registration")}


def replace_player(event: Event, leaving: Registration, organizer: User) -> set[Registration]:
    before = list_bracket_players(event)
    withdraw(leaving, organizer, "Has an exam.")
    return list_bracket_players(event) - before


def test_withdrawals_after_a_correction_are_replaced_one_by_one() -> None:
    event, organizer = make_organized_event(16)
    make_second_stage(event, organizer, 8)  # the top two of each of four tables
    table = get_table(event, 1)
    enter_result(table, organizer, [0, 0, 400, 300], "The sheet was upside down.")
    first, second, third, fourth = (get_seated_player(table, seat) for seat in range(4))
    assert replace_player(event, first, organizer) == {third}
    assert len(list_bracket_players(event)) == 8
    assert replace_player(event, second, organizer) == {fourth}


def advance_top_two(event: Event, organizer: User) -> Stage:
    stage = play_first_round(event, organizer)
    rule = CutRule(Stage.Rule.TOP_K, 2, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    return event.stages.get(number=2)


def test_replacement_is_from_the_same_table_if_players_advance_from_each_table() -> None:
    event, organizer = make_organized_event(8)
    advance_top_two(event, organizer)
    one, other = get_table(event, 1), get_table(event, 2)
    enter_result(one, organizer, [400, 0, 300, 0], "The sheet was upside down.")
    assert replace_player(event, get_seated_player(other, 0), organizer) == {
        get_seated_player(other, 2)
    }
    assert replace_player(event, get_seated_player(one, 1), organizer) == {
        get_seated_player(one, 2)
    }


@pytest.mark.parametrize("ties", ["together", "hand", "lots"])
def test_lots_choose_among_tied_replacements(ties: str) -> None:
    event, organizer = make_organized_event(16)
    stage = play_first_round(event, organizer)
    rule = CutRule(Stage.Rule.NUMBER, 4, ties, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    tables = [get_table(event, number) for number in range(1, 5)]
    coming = replace_player(event, get_seated_player(tables[0], 0), organizer)
    assert (len(coming), coming <= {get_seated_player(table, 1) for table in tables}) == (1, True)


def test_surplus_qualifiers_are_not_replaced() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)  # ranks 1, 1, 3, 3, …
    rule = CutRule(Stage.Rule.NUMBER, 3, Stage.Ties.TOGETHER, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    assert len(list_bracket_players(event)) == 4
    assert replace_player(event, get_seated_player(get_table(event, 1), 0), organizer) == set()


def test_no_replacement_exists_when_all_players_advance() -> None:
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 8)
    assert replace_player(event, get_seated_player(get_table(event, 1), 0), organizer) == set()
