"""Tests of undoing the start or the end of a round on its page."""

import pytest
from django.test import Client

from games import services as games
from tests.factories import make_organizer
from tests.tournament.helpers import finish_paper_round, first_stage, start_drafted_round
from tests.tournament.organizing import answer_waiting_step, page, press_button
from tests.tournament.staging import match_of
from tournament.models import Event, Round, User
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db

REASON = "Half of them are at lunch."


@pytest.fixture
def running_round(drafted_round: Round, organizer: User) -> Round:
    return start_drafted_round(drafted_round, organizer, paper=False)


def get_round_page(client: Client, event: Event, round_: Round) -> str:
    return client.get(page("round", event, round_.pk)).content.decode()


def test_undoing_a_start_shows_its_effect_first(
    client: Client, event: Event, running_round: Round
) -> None:
    assert (
        "Started by mistake? You can undo the start as long as no cards have been played."
        in client.get(page("control", event)).content.decode()
    )
    assert (
        "Registration will be open again without a deadline. You can set one in the settings."
        in get_round_page(client, event, running_round)
    )
    address = page("round", event, running_round.pk)
    assert "Say why the start is being undone. The players will see the reason." in press_button(
        client, address, "unstart"
    )
    after = press_button(client, address, "unstart", reason=REASON)
    assert "The start of Round 1 has been undone." in after
    assert "Players can see their seats." in after
    assert "Start round 1" in after


def test_page_explains_that_a_played_round_cannot_be_undone(
    client: Client, event: Event, running_round: Round
) -> None:
    games.play_out(match_of(running_round.tables.all()[0]), hands=1)
    page_now = get_round_page(client, event, running_round)
    assert "A player has already made a move, so the start can’t be undone." in page_now
    assert 'value="unstart"' not in page_now


def test_draft_and_published_rounds_offer_no_undo(
    client: Client, event: Event, drafted_round: Round
) -> None:
    assert "take-back" not in get_round_page(client, event, drafted_round)


def test_reopening_a_round_shows_its_effect_first(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    played = finish_paper_round(start_drafted_round(drafted_round, organizer), organizer)
    assert "Round 1 will be open again, so its points can be entered" in get_round_page(
        client, event, played
    )
    address = page("round", event, played.pk)
    assert "Give a reason." in press_button(client, address, "reopen")
    after = press_button(client, address, "reopen", reason=REASON)
    assert "Round 1 has been reopened." in after
    assert "Close round 1" in after


def test_second_organizer_confirms_reopening(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    played = finish_paper_round(start_drafted_round(drafted_round, organizer), organizer)
    other = make_organizer(event)
    after = press_button(client, page("round", event, played.pk), "reopen", reason=REASON)
    assert "Requested. The change takes effect as soon as a second organizer confirms it." in after
    assert "1 change to this round" in after
    client.force_login(other)
    assert "Reopen Round 1." in client.get(page("waiting", event)).content.decode()
    answer_waiting_step(client, event, "confirm")
    played.refresh_from_db()
    assert played.state == "running"


def test_page_explains_that_a_later_round_prevents_reopening(
    client: Client, event: Event, drafted_round: Round, organizer: User
) -> None:
    played = finish_paper_round(start_drafted_round(drafted_round, organizer), organizer)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    page_now = get_round_page(client, event, played)
    assert "The round can’t be reopened now: A later round has been published" in page_now
    assert 'value="reopen"' not in page_now


def test_unplayed_round_is_labelled(
    client: Client, event: Event, running_round: Round, organizer: User
) -> None:
    close_round(running_round, organizer, "Wrong button.")
    rounds = client.get(page("rounds", event)).content.decode()
    assert "Round 1: closed. No one played, so it doesn’t count." in rounds
