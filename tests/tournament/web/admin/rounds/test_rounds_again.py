"""Reasons required to seat players together again by hand."""

import pytest
from django.test import Client

from tests.tournament.helpers import code_of, finished, first_stage, started
from tests.tournament.organizing import do, page
from tournament.models import Event, Round, User
from tournament.seating.changes import change_seats
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=16)]


@pytest.fixture
def second(event: Event, organizer: User) -> Round:
    finished(started(seat_round(first_stage(event), organizer), organizer), organizer)
    return seat_round(first_stage(event), organizer)


def repeat_opponents(event: Event, second: Round, organizer: User) -> None:
    """Move a player to the table of another player whom they have just met."""
    before = {frozenset(table) for table in list_seated(first_stage(event).rounds.get(number=1))}
    one = list_seated(second)[0][0]
    mine = next(table for table in list_seated(second) if one in table)
    met = next(table for table in before if one in table) - set(mine)
    neighbour = next(player for player in mine if player != one)
    change_seats(second, organizer, event.registrations.get(pk=neighbour), f"swap:{min(met)}")


def test_seats_as_they_were_drawn_need_no_reason(second: Round, organizer: User) -> None:
    assert publish_round(second, organizer).state == Round.State.PUBLISHED


def test_a_meeting_that_the_draw_had_avoided_needs_one(
    client: Client, event: Event, second: Round, organizer: User
) -> None:
    repeat_opponents(event, second, organizer)
    assert code_of(publish_round, second, organizer) == "broken"
    shown = client.get(page("round", event, second.pk)).content.decode()
    assert "Publish anyway" in shown
    assert "meet in consecutive rounds, at table" in shown
    told = do(client, page("round", event, second.pk), "publish", reason="They are a team.")
    assert "has been published. Players can see their seats." in told
    second.refresh_from_db()
    assert second.seating.despite is not None
    assert second.seating.despite.reason == "They are a team."
