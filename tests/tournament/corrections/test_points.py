import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.corrections.dry_run import Consequences
from tournament.corrections.points import preview_result
from tournament.models import Event, Stage, Table, User
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def preview_correction(table: Table, points: list[int]) -> Consequences:
    """Preview these points as a correction by an organizer with a reason."""
    organizer = table.round.stage.event.organizers.get()
    return preview_result(table, organizer, points, "Rows were swapped.", override=True)


def list_seat_names(table: Table) -> list[str]:
    return [str(seat) for seat in table.seats.all()]


def make_final(players: int = 8) -> tuple[Event, User, Table]:
    """Create an event with a closed final, which seat 0 won with 400 points."""
    event, organizer = make_organized_event(players)
    second = make_second_stage(event, organizer, 4)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    return event, organizer, played.tables.get()


def test_preview_shows_points_and_ranks_before_and_after() -> None:
    event, organizer = make_organized_event(4)
    table = start_drafted_round(seat_round(first_stage(event), organizer), organizer).tables.get()
    enter_result(table, organizer, [90, 400, 0, 15])
    a, b, c, d = list_seat_names(table)
    changes = preview_correction(table, [400, 90, 0, 15])
    assert changes.points == [(a, 90, 400), (b, 400, 90), (c, 0, 0), (d, 15, 15)]
    assert sorted(changes.ranks) == sorted([(a, 2, 1), (b, 1, 2)])
    assert changes.sentences == [f"{a} would win the table instead of {b}."]


def test_correction_without_rank_changes_shows_the_points() -> None:
    event, organizer = make_organized_event(4)
    table = start_drafted_round(seat_round(first_stage(event), organizer), organizer).tables.get()
    enter_result(table, organizer, [90, 400, 0, 15])
    changes = preview_correction(table, [91, 400, 0, 15])
    assert changes.points[0] == (list_seat_names(table)[0], 90, 91)
    assert (changes.ranks, changes.sentences) == ([], [])


def test_correction_of_the_final_shows_the_new_winner() -> None:
    event, organizer, table = make_final()
    a, b, *_ = list_seat_names(table)
    changes = preview_correction(table, [100, 400, 0, 0])
    assert changes.sentences == [
        f"{b} would win the table instead of {a}.",
        f"{b} would win the event instead of {a}.",
    ]
    announce_winner(event, organizer)
    table = Table.objects.get(pk=table.pk)
    assert preview_correction(table, [100, 400, 0, 0]).sentences[1] == (
        f"{b} would win the event instead of {a}. "
        "The winner has been announced, so everyone would see the change immediately."
    )


def test_shared_win_preview_names_both_players() -> None:
    _event, _organizer, table = make_final()
    a, b, *_ = list_seat_names(table)
    assert f"{a} and {b} would win the event instead of {a}." in (
        preview_correction(table, [300, 300, 0, 0]).sentences
    )


def test_preview_names_the_qualifiers_before_the_cut() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    table = stage.rounds.get().tables.get(number=1)
    _a, b, c, _d = list_seat_names(table)
    assert preview_correction(table, [400, 100, 200, 0]).sentences == [
        f"{b} would not advance.",
        f"{c} would advance.",
        "This is based on the current rule: the top 2 of each table.",
    ]


@pytest.mark.parametrize(("kind", "value"), [("number", 0), ("share", 150), ("top_k", 0)])
def test_impossible_cut_rule_is_reported_in_the_preview(kind: str, value: int) -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    Stage.objects.filter(pk=stage.pk).update(qualify_rule=kind, qualify_value=value)
    table = Table.objects.get(round__stage__event=event, number=1)
    found = preview_correction(table, [400, 100, 200, 0]).sentences
    assert len(found) == 1
    assert found[0].startswith("It is unclear who would advance: ")


def test_preview_says_that_the_cut_remains() -> None:
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 2)
    table = first_stage(event).rounds.get().tables.get(number=1)
    a, b, *_ = list_seat_names(table)
    assert preview_correction(table, [0, 400, 0, 0]).sentences == [
        f"{b} would win the table instead of {a}.",
        f"{a} would not have advanced.",
        f"{b} would have advanced.",
        "The next stage will not change. To redraw it, reopen this stage.",
    ]


def preview_bracket_correction(is_drawn: bool) -> tuple[list[str], Consequences]:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    if is_drawn:
        draw_bracket(second, organizer)
    table = played.tables.get(number=1)
    return list_seat_names(table), preview_correction(table, [400, 100, 200, 0])


def test_preview_names_the_players_advancing_in_the_bracket() -> None:
    (_a, b, c, _d), changes = preview_bracket_correction(is_drawn=False)
    assert changes.sentences == [f"{b} would be eliminated.", f"{c} would not be eliminated."]


def test_preview_says_that_a_drawn_bracket_round_remains() -> None:
    _seats, changes = preview_bracket_correction(is_drawn=True)
    assert changes.sentences[-1] == (
        "The next round has already been drawn and will not change automatically. "
        "You will be asked to redraw it, or to say why it stays."
    )
