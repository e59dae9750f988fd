"""Tests of referee calls and desk messages over real sockets."""

from typing import Any

import pytest

from tests.games.windows import Window, list_table_sockets, open_window, wait_for_condition
from tests.live import LiveSite
from tests.tournament.staging import first_table, match_of, organizer_of, running_round
from tests.typed import sure
from tournament.models import RefereeCall, Table
from tournament.rounds.calls import take_call
from tournament.rounds.desk_messages import send_message

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table() -> Table:
    return first_table(running_round(4))


def open_seat_window(site: LiveSite, table: Table, number: int = 0) -> Window:
    match = match_of(table)
    return open_window(site, match, match.seats.get(number=number).user)


def call_referee(window: Window, client_id: str = "r1", reason: str = "") -> dict[str, object]:
    window.send({"type": "call_referee", "id": client_id, "reason": reason})
    return window.read_answer(client_id)


def list_calls(window: Window, number: int) -> list[dict[str, Any]]:
    """Read until the desk's news contains `number` calls, and return them.

    The news may arrive before or after the answer.
    """
    while len(get_newest_calls(window)) != number:
        window.wait_for("desk")
    return get_newest_calls(window)


def get_newest_calls(window: Window) -> list[dict[str, Any]]:
    found: list[list[dict[str, Any]]] = [
        one["calls"] for one in window.heard if one["type"] == "desk"
    ]
    return found[-1] if found else []


def test_referee_call_reaches_the_desk_and_the_whole_table(
    live_site: LiveSite, table: Table
) -> None:
    with (
        open_seat_window(live_site, table) as mine,
        open_seat_window(live_site, table, 1) as theirs,
    ):
        mine.wait_for("desk", may_call=True)
        theirs.wait_for("desk", may_call=True)
        assert call_referee(mine)["type"] == "ack"
        for window in (mine, theirs):
            (found,) = list_calls(window, 1)
            assert (found["seat"], found["coming"]) == (0, False)
        take_call(RefereeCall.objects.get(), organizer_of(table.round.stage.event))
        assert mine.wait_for("desk")["calls"][0]["coming"] is True
    with open_seat_window(live_site, table) as again:
        assert again.wait_for("desk")["calls"][0]["coming"] is True
        again.send({"type": "take_call_back", "id": "r2"})
        assert again.read_answer("r2")["type"] == "ack"
        assert list_calls(again, 0) == []


def test_viewers_can_neither_call_a_referee_nor_see_calls(
    live_site: LiveSite, table: Table
) -> None:
    event = table.round.stage.event
    send_message(event, organizer_of(event), "Welcome.", "viewers")
    with (
        open_seat_window(live_site, table) as mine,
        open_window(live_site, match_of(table)) as viewer,
    ):
        call_referee(mine)
        text = viewer.wait_for("desk")
        assert (text["may_call"], text["calls"]) == (False, [])
        assert [message["text"] for message in text["messages"]] == ["Welcome."]
        assert call_referee(viewer)["code"] == "not-seated"
    assert RefereeCall.objects.count() == 1


def test_window_opened_later_shows_earlier_desk_messages(live_site: LiveSite, table: Table) -> None:
    event = table.round.stage.event
    with open_seat_window(live_site, table) as mine:
        assert mine.wait_for("desk")["messages"] == []
    wait_for_condition(lambda: not list_table_sockets())
    send_message(event, organizer_of(event), "The doors close at nine.", "players")
    with (
        open_seat_window(live_site, table) as mine,
        open_seat_window(live_site, table, 1) as theirs,
    ):
        for window in (mine, theirs):
            (message,) = window.wait_for("desk")["messages"]
            assert message["text"] == "The doors close at nine."


def test_referee_call_with_an_unknown_reason_is_refused(live_site: LiveSite, table: Table) -> None:
    with open_seat_window(live_site, table) as mine:
        assert call_referee(mine, reason="bored")["code"] == "reason"
    assert sure(table.match).version >= 0
