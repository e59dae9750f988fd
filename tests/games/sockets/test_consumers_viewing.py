"""Tests of the messages that viewers' sockets receive, and of their timing."""

import time

import pytest

from games import services
from tests.games.helpers import act, begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_move_reaches_a_viewer_automatically_after_the_delay(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", viewers="delayed", viewer_delay_seconds=2)
    with open_window(live_site, match) as viewer:
        viewer.wait_for_view(top="R5")
        began = time.monotonic()
        act(match, 0, {"play": "R1"})
        view = viewer.wait_for_view(top="R1")
        assert time.monotonic() - began >= 1.9
        last = next(m for m in reversed(viewer.heard) if m["type"] == "view")
        assert [event["event"] for event in last["events"]] in (["played"], [])
        assert (last["version"], view["turn"], view["clock"]) == (2, 1, None)


def test_viewer_of_whole_hands_gets_nothing_during_a_hand(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", viewers="hand")
    with open_window(live_site, match) as viewer:
        first = viewer.wait_for("view")
        act(match, 0, {"play": "R1", "uno": True})
        act(match, 1, {"play": "R3", "uno": True})
        viewer.send({"type": "ping", "version": 1})
        pong = viewer.wait_for("pong")
        assert (first["version"], pong["version"]) == (1, 1)
        assert [m["type"] for m in viewer.heard] == ["view", "pong"]
        act(match, 0, {"play": "R2"})
        assert viewer.wait_for_view(top="R2")["sheet"]["winner"] == 0


def test_pause_reaches_a_viewer_of_whole_hands(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", viewers="hand")
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        services.pause_match(match)
        while not viewer.view["match"]["paused"]:
            viewer.read()
        assert viewer.version == 1
