"""Tests of play-off hands for the last spot: entering, correcting and undoing their order."""

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.playoffs import enter_playoff_order, undo_playoff_order
from tournament.advancing.services import (
    decide_next_round,
    draw_bracket,
    preview_cut,
    qualify,
    undo_qualify,
)
from tournament.models import Event, Round, Stage, User
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db

TOP_THREE = CutRule("number", 3, "hand", 1)


def make_tied_stage() -> tuple[Stage, User, list[int]]:
    """Create a stage in which the two players tied for third place must play for one spot.

    The stage has two tables. The ranks are 1, 1, 3, 3, … Returns the stage, the organizer and the
    two players.
    """
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    (playoff,) = preview_cut(stage_results(stage), TOP_THREE).playoffs
    assert (len(playoff.players), playoff.places) == (2, 1)
    return stage, organizer, list(playoff.players)


def list_advancing_flags(stage: Stage, *players: int) -> list[bool]:
    found = preview_cut(stage_results(Stage.objects.get(pk=stage.pk)), TOP_THREE).through
    return [player in found for player in players]


def test_tie_at_the_cut_can_be_played_out() -> None:
    stage, organizer, (loser, winner) = make_tied_stage()
    assert get_refusal_code(qualify, stage, organizer, TOP_THREE, ()) == "playoff"
    assert (
        get_refusal_code(enter_playoff_order, stage, organizer, [winner, winner], TOP_THREE)
        == "order"
    )
    enter_playoff_order(stage, organizer, [winner, loser], TOP_THREE)
    assert list_advancing_flags(stage, winner, loser) == [True, False]
    assert (
        len(
            qualify(
                stage, organizer, TOP_THREE, preview_cut(stage_results(stage), TOP_THREE).through
            )
        )
        == 3
    )


def test_second_playoff_order_replaces_the_first() -> None:
    stage, organizer, (one, other) = make_tied_stage()
    enter_playoff_order(stage, organizer, [one, other], TOP_THREE)
    enter_playoff_order(stage, organizer, [other, one], TOP_THREE)
    assert list_advancing_flags(stage, one, other) == [False, True]
    assert Stage.objects.get(pk=stage.pk).playoff == [[other, one]]


def test_undoing_a_playoff_order_reopens_the_spot() -> None:
    stage, organizer, players = make_tied_stage()
    assert get_refusal_code(undo_playoff_order, stage, organizer, players) == "order"
    enter_playoff_order(stage, organizer, players, TOP_THREE)
    undo_playoff_order(stage, organizer, players)
    assert [set(p.players) for p in preview_cut(stage_results(stage), TOP_THREE).playoffs] == [
        set(players)
    ]


def test_playoff_order_can_only_be_entered_for_a_required_hand() -> None:
    stage, organizer, (one, other) = make_tied_stage()
    best = preview_cut(stage_results(stage), TOP_THREE).through[0]
    for players in ([], [one], [one, best], [one, other, best], [one, 999_999]):
        assert (
            get_refusal_code(enter_playoff_order, stage, organizer, players, TOP_THREE) == "order"
        )
    assert get_refusal_code(
        enter_playoff_order, stage, organizer, [one, other], CutRule("number", 4, "hand", 1)
    ) == ("order")


def test_closed_stage_must_be_reopened_before_its_order_changes() -> None:
    stage, organizer, (one, other) = make_tied_stage()
    enter_playoff_order(stage, organizer, [one, other], TOP_THREE)
    qualify(stage, organizer, TOP_THREE, preview_cut(stage_results(stage), TOP_THREE).through)
    assert (
        get_refusal_code(enter_playoff_order, stage, organizer, [other, one], TOP_THREE) == "state"
    )
    assert get_refusal_code(undo_playoff_order, stage, organizer, [one, other]) == "state"
    undo_qualify(stage, organizer, "They had noted it the wrong way round.")
    assert list_advancing_flags(stage, one, other) == [True, False]
    enter_playoff_order(stage, organizer, [other, one], TOP_THREE)
    assert list_advancing_flags(stage, one, other) == [False, True]


def make_tied_tables() -> tuple[Round, Stage, User]:
    """Create two bracket tables, each with two players tied for the last spot.

    At both tables, the second and the third player are tied. Returns the round, the stage and
    the organizer.
    """
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    Stage.objects.filter(pk=second.pk).update(cut_ties="hand")
    played = start_drafted_round(draw_bracket(second, organizer), organizer)
    for table in played.tables.all():
        enter_result(table, organizer, [400, 50, 50, 0])
    return close_round(played, organizer), second, organizer


def test_tie_for_the_last_spot_at_a_table_can_be_played_out() -> None:
    played, second, organizer = make_tied_tables()
    assert get_refusal_code(draw_bracket, second, organizer) == "playoff"
    (_, a, b, _), (_, c, d, _) = list_seated(played)
    for order in ([b, a], [c, d]):
        enter_playoff_order(played, organizer, order)
    sitting = {pk for table in list_seated(draw_bracket(second, organizer)) for pk in table}
    assert ({b, c} <= sitting, sitting & {a, d}) == (True, set())


def test_table_orders_entered_from_two_windows_are_both_kept() -> None:
    played, _second, organizer = make_tied_tables()
    stale = Round.objects.get(pk=played.pk)
    (_, a, b, _), (_, c, d, _) = list_seated(played)
    enter_playoff_order(played, organizer, [a, b])
    enter_playoff_order(stale, organizer, [c, d])
    assert decide_next_round(Round.objects.get(pk=played.pk))[0].playoffs == ()
    assert Round.objects.get(pk=played.pk).seating.playoff == ((c, d), (a, b))


def test_stage_orders_entered_from_two_windows_are_both_kept() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    for table in stage.rounds.get().tables.all():
        enter_result(table, organizer, [400, 50, 50, 0], "A second look at the sheet.")
    rule = CutRule("top_k", 2, "hand", 1)
    first, other = preview_cut(stage_results(stage), rule).playoffs
    stale = first_stage(event)
    enter_playoff_order(stage, organizer, first.players, rule)
    enter_playoff_order(stale, organizer, other.players, rule)
    assert preview_cut(stage_results(first_stage(event)), rule).playoffs == ()


def is_seated(event: Event, player: int) -> bool:
    return any(
        player in table for table in list_seated(Round.objects.get(stage__event=event, number=2))
    )


def test_new_order_discards_the_next_draft_but_not_a_published_round() -> None:
    played, second, organizer = make_tied_tables()
    (_, a, b, _), (_, c, d, _) = list_seated(played)
    enter_playoff_order(played, organizer, [a, b])
    enter_playoff_order(played, organizer, [c, d])
    draw_bracket(second, organizer)
    enter_playoff_order(played, organizer, [b, a])
    assert list(second.rounds.values_list("number", flat=True)) == [1]
    final = draw_bracket(second, organizer)
    assert (is_seated(second.event, a), is_seated(second.event, b)) == (False, True)
    undo_playoff_order(played, organizer, [a, b])
    assert get_refusal_code(draw_bracket, second, organizer) == "playoff"
    enter_playoff_order(played, organizer, [b, a])
    final = publish_round(draw_bracket(second, organizer), organizer)
    assert get_refusal_code(enter_playoff_order, played, organizer, [a, b]) == "begun"
    assert get_refusal_code(undo_playoff_order, played, organizer, [a, b]) == "begun"
    assert get_refusal_code(enter_playoff_order, final, organizer, [a, b]) == "open-round"


def test_final_has_no_playoff_hand() -> None:
    event, organizer = make_organized_event(8)
    played = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 4), organizer), organizer
    )
    finish_paper_round(played, organizer)
    assert (
        get_refusal_code(enter_playoff_order, played, organizer, list(list_seated(played)[0]))
        == "order"
    )
