"""Tests of the control room page."""

import pytest
from django.test import Client
from django.utils import timezone

from games import services as games
from games.clocks.presence import make_socket_key
from tests.tournament.helpers import start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import match_of, running_round
from tests.typed import sure
from tournament.models import Event, RefereeCall, Round, User
from tournament.rounds.calls import call_referee

pytestmark = pytest.mark.django_db


@pytest.fixture
def started_round(event: Event, organizer: User, drafted_round: Round) -> Round:
    return start_drafted_round(drafted_round, organizer, paper=False)


def get_control_room(client: Client, event: Event, **query: str) -> str:
    return client.get(page("control", event), query).text


def test_filter_and_order_are_kept_in_the_url(
    client: Client, event: Event, started_round: Round
) -> None:
    text = get_control_room(client, event, show="stuck", sort="turn")
    assert 'href="?show=absent&amp;sort=turn"' in text
    assert 'href="?show=stuck&amp;sort=end"' in text
    assert 'control/?part&amp;show=stuck&amp;sort=turn"' in text
    assert "No tables match this filter." in text
    assert "0 of 2 tables have finished." in text


def test_unknown_filter_shows_every_table(
    client: Client, event: Event, started_round: Round
) -> None:
    text = get_control_room(client, event, show="<x>", sort="up")
    assert 'control/?part&amp;show=all&amp;sort=attention"' in text
    assert (text.count('id="table-1"'), "<x>" in text) == (1, False)


def test_players_on_blocked_networks_are_counted_and_marked(
    client: Client, event: Event, started_round: Round
) -> None:
    sentence = "The network of 1 player blocks live connections"
    assert sentence not in get_control_room(client, event)
    seats = match_of(sure(started_round.tables.order_by("number").first())).seats
    polled = make_socket_key("abcdef", polled=True)
    seats.filter(number=0).update(seen_at=timezone.now(), controller=polled)
    text = get_control_room(client, event, show="stuck")
    assert sentence in text
    text = get_control_room(client, event)
    assert text.count('<small class="mark">slow connection</small>') == 1


def test_buttons_keep_the_filter_and_order(
    client: Client, event: Event, started_round: Round
) -> None:
    address = f"{page('control', event)}?show=absent&sort=turn"
    answer = client.post(address, {"action": "pause", "round": started_round.pk})
    assert answer["Location"] == address


def test_closing_the_round_is_offered_once_all_tables_have_finished(
    client: Client, event: Event, started_round: Round
) -> None:
    assert "Every table has a result." not in get_control_room(client, event, part="")
    for table in started_round.tables.select_related("match"):
        games.play_out(match_of(table))
    assert "Every table has a result." in get_control_room(client, event, part="", show="stuck")
    assert "Round 1 is closed." in press_button(
        client, page("control", event), "close", round=started_round.pk
    )


def test_every_control_can_regain_keyboard_focus(
    client: Client, event: Event, started_round: Round
) -> None:
    text = get_control_room(client, event, part="")
    controls = text.count("<a ") + text.count("<button")
    assert controls == text.count("data-key=")


def call_referee_to_table_2(running: Round, reason: str = "") -> RefereeCall:
    seat = running.tables.get(number=2).seats.get(number=0)
    return call_referee(seat, sure(seat.registration).user, reason)


def test_table_that_calls_a_referee_is_listed_first(
    client: Client, event: Event, started_round: Round
) -> None:
    call = call_referee_to_table_2(started_round, "rules")
    text = get_control_room(client, event, part="")
    assert 'data-called="1"' in text
    assert text.index('id="table-2"') < text.index('id="table-1"')
    assert f"<bdi>{call.seat}</bdi>: a question about the rules" in text
    said = press_button(client, page("control", event), "take", call=call.pk)
    assert "Round 1, table 2: the players know that a referee is on the way." in said
    assert 'data-called="0"' in said
    assert "I’m on my way" not in get_control_room(client, event, part="")
    again = press_button(client, page("control", event), "take", call=call.pk)
    assert "has already taken this call." in again
    said = press_button(client, page("control", event), "settle", call=call.pk)
    assert "Round 1, table 2: the referee call has been settled." in said
    assert str(call.seat) + "</bdi>:" not in get_control_room(client, event, part="")


def test_calls_from_other_events_are_inaccessible(client: Client, event: Event) -> None:
    call = call_referee_to_table_2(running_round(8))
    for action in ("take", "settle"):
        answer = client.post(page("control", event), {"action": action, "call": call.pk})
        assert answer.status_code == 404
    call.refresh_from_db()
    assert (call.taken_by, call.ended_at) == (None, None)
