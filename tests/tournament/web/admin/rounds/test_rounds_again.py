"""Tests of seating the same players together again."""

import pytest
from django.test import Client

from tests.factories import make_organizer
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Round, Ruling, User
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.changes import change_seats
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=16)]


@pytest.fixture
def second_round(event: Event, organizer: User) -> Round:
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    return seat_round(first_stage(event), organizer)


def seat_earlier_opponents_together(event: Event, second: Round, organizer: User) -> None:
    """Move a player to the table of an opponent from the previous round."""
    before = {frozenset(table) for table in list_seated(first_stage(event).rounds.get(number=1))}
    one = list_seated(second)[0][0]
    mine = next(table for table in list_seated(second) if one in table)
    met = next(table for table in before if one in table) - set(mine)
    neighbour = next(player for player in mine if player != one)
    change_seats(second, organizer, event.registrations.get(pk=neighbour), f"swap:{min(met)}")


def test_seats_from_the_draw_need_no_reason(second_round: Round, organizer: User) -> None:
    assert publish_round(second_round, organizer).state == Round.State.PUBLISHED


def test_avoidable_repeat_pairing_needs_a_reason(
    client: Client, event: Event, second_round: Round, organizer: User
) -> None:
    seat_earlier_opponents_together(event, second_round, organizer)
    assert get_refusal_code(publish_round, second_round, organizer) == "broken"
    shown = client.get(page("round", event, second_round.pk)).content.decode()
    assert "Publish anyway" in shown
    assert "meet in consecutive rounds, at table" in shown
    message = press_button(
        client, page("round", event, second_round.pk), "publish", reason="They are a team."
    )
    assert "has been published. Players can see their seats." in message
    second_round.refresh_from_db()
    assert second_round.seating.despite is not None
    assert second_round.seating.despite.reason == "They are a team."


def test_blocked_action_links_to_the_step_awaiting_confirmation(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    make_organizer(event)
    publish_round(drafted_round, organizer)
    person = event.registrations.get(pk=list_seated(drafted_round)[0][0])
    rule(event, organizer, RulingRequest(Ruling.Kind.DISQUALIFY, person), "Two phones.")
    shown = press_button(client, page("round", event, drafted_round.pk), "start")
    assert f"{organizer} has requested that {person.name} be removed from the event." in shown
    assert f'<a href="{page("waiting", event)}">View requests</a>' in shown
