"""Tests that entering the order of a tie-break hand needs a second organizer."""

import pytest

from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tournament.advancing.playoffs import enter_playoff_order, undo_playoff_order
from tournament.advancing.services import preview_cut, qualify
from tournament.desk.confirmation import confirm
from tournament.desk.proposals import list_pending
from tournament.models import Event, Proposal, Stage, User
from tournament.oversight.history_texts import history
from tournament.results.stages import stage_results
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def get_waiting_proposal(event: Event) -> Proposal:
    return event.proposals.get(state="waiting")


def list_texts(event: Event) -> list[str]:
    return [row.text for row in history(event).rows]


def make_tied_first_round() -> tuple[Stage, Event, User, User, list[int], CutRule]:
    """Create an event with a closed round in which two players are tied for the last spot.

    Returns the stage, the event, its two organizers, the tied players and the rule.
    """
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    played = start_drafted_round(seat_round(stage, organizer), organizer)
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    rule = CutRule(Stage.Rule.NUMBER, 1, Stage.Ties.HAND, 1)
    (hand,) = preview_cut(stage_results(stage), rule).playoffs
    return stage, event, organizer, make_organizer(event), list(hand.players), rule


def test_entering_the_order_of_a_tie_break_hand_needs_a_second_organizer() -> None:
    stage, event, organizer, second, players, rule = make_tied_first_round()
    assert enter_playoff_order(stage, organizer, players, rule) == get_waiting_proposal(event)
    assert get_refusal_code(qualify, stage, organizer, rule, players[:1]) == "waiting"
    people = event.registrations.in_bulk(players)
    names = ", ".join(people[key].name for key in players)
    assert list_pending(event, second)[0].text == f"Record the order of a tie-break hand: {names}."
    confirm(get_waiting_proposal(event), second)
    stage.refresh_from_db()
    assert stage.playoff == [players]
    assert list_texts(event)[0] == (
        f"First round (everyone plays): a tie-break hand was played. Order: {names}."
    )


def test_order_of_a_tie_break_hand_can_be_undone_only_once() -> None:
    stage, event, organizer, second, players, rule = make_tied_first_round()
    enter_playoff_order(stage, organizer, players, rule)
    confirm(get_waiting_proposal(event), second)
    stage.refresh_from_db()
    undo_playoff_order(stage, organizer, players)
    undo_playoff_order(stage, second, players[:1])
    first, other = event.proposals.filter(state="waiting")
    assert list_pending(event, second)[0].text.startswith("Undo the result of a tie-break hand: ")
    confirm(first, second)
    assert get_refusal_code(confirm, other, organizer) == "changed"
    stage.refresh_from_db()
    assert stage.playoff == []
    assert (
        list_texts(event)[0]
        == "First round (everyone plays): the result of a tie-break hand was undone."
    )


def test_order_of_a_tie_break_hand_cannot_be_confirmed_after_the_stage_is_closed() -> None:
    stage, event, organizer, second, players, rule = make_tied_first_round()
    enter_playoff_order(stage, organizer, players, rule)
    Stage.objects.filter(pk=stage.pk).update(state="closed")
    assert get_refusal_code(confirm, get_waiting_proposal(event), second) == "changed"
