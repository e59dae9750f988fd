"""Tests of a table's socket, with a real server and real connections."""

import time
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone

from games import services
from games.matches import requests
from games.sockets.window import Window
from tests.games.helpers import begin, list_log, make_match
from tests.games.windows import make_headers, open_window, open_windows, wait_for_condition
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


# Playing


def test_action_is_acknowledged_and_shown_to_all(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second), open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        ack = first.act({"play": "R1"})
        assert (ack["type"], ack["version"]) == ("ack", 2)
        for window in (first, second, viewer):
            assert window.wait_for_view(top="R1")["turn"] == 1
        played = next(m for m in second.heard if m["type"] == "view" and m["version"] == 2)
        assert [event["event"] for event in played["events"]] == ["played"]
        assert second.view["log"][-1]["text"].endswith("plays Red 1.")
    assert list_log(match) == [(0, {"play": "R1"}, "")]


def test_acknowledgement_precedes_the_view(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against a page that offers the next move while it waits for the last answer."""
    act = requests.act

    def act_slowly(*args: Any, **kwargs: Any) -> services.Ack:
        ack = act(*args, **kwargs)
        time.sleep(0.3)
        return ack

    monkeypatch.setattr(requests, "act", act_slowly)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.act({"play": "R1"})
        first.wait_for_view(top="R1")
        answers = [m["type"] for m in first.heard if m.get("version") == 2 and m["type"] != "pong"]
        assert answers == ["ack", "view"]


def test_action_is_shown_even_without_an_acknowledgement(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    act = requests.act

    def act_and_lose_the_database(*args: Any, **kwargs: Any) -> services.Ack:
        act(*args, **kwargs)
        time.sleep(0.3)  # the poke arrives first
        raise OperationalError("gone")

    monkeypatch.setattr(requests, "act", act_and_lose_the_database)
    # Prevent the sweep from sending the view some seconds later.
    monkeypatch.setattr(Window, "request_missed_news", lambda _window: None)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.send({"type": "action", "id": "x1", "version": 1, "action": {"play": "R1"}})
        assert first.wait_for("notice")["code"] == "unavailable"
        assert first.wait_for_view(top="R1")["turn"] == 1


def test_log_gives_the_reason_for_an_unanswered_command(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def time_out(*_args: Any, **_kwargs: Any) -> services.Ack:
        raise TimeoutError

    monkeypatch.setattr(requests, "act", time_out)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.send({"type": "action", "id": "x1", "version": 1, "action": {"play": "R1"}})
        assert first.wait_for("notice")["code"] == "unavailable"
    assert "Command not carried out: TimeoutError()" in caplog.messages


def test_clock_set_back_does_not_delay_the_answer(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, asked = requests.act, list[datetime]()

    def act_on_retry(*args: Any, **kwargs: Any) -> services.Ack:
        asked.append(timezone.now())
        if len(asked) == 1:  # now, as computed before the clock was set back by an hour
            raise services.UndecidedError(asked[0] + timedelta(hours=1))
        return act(*args, **kwargs)

    monkeypatch.setattr(requests, "act", act_on_retry)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        assert first.act({"play": "R1"})["type"] == "ack"
    assert len(asked) == 2


def test_sync_and_a_new_socket_show_the_same_table(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        second.wait_for_view(top="R1")
        second.send({"type": "sync"})
        again = second.wait_for("view")
        assert (again["version"], again["events"]) == (2, [])
        with open_window(live_site, match, match.seats.get(number=1).user) as fresh:
            loaded = fresh.wait_for("view")
        for shown in (loaded["view"], again["view"]):
            shown.pop("clock")
            shown.pop("seats")
        assert loaded["view"] == again["view"]


def test_pong_contains_version_and_server_time(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        first.send({"type": "ping", "version": 1})
        pong = first.wait_for("pong")
        assert pong["version"] == 1
        assert abs(pong["now"] - time.time() * 1000) < 5000


def test_server_ends_a_turn_that_has_timed_out(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2", turn_seconds=1)
    with open_windows(live_site, match) as (first, _):
        assert first.wait_for_view(turn=1, seconds=5)["log"][-1]["auto"] == "timeout"


@pytest.mark.slow
def test_bots_play_and_the_next_hand_is_dealt_automatically(live_site: LiveSite) -> None:
    match = services.start_match(
        make_match(people=0, bots=3, bot_seconds=0, between_seconds=1, hand_limit=2)
    )
    with open_window(live_site, match) as viewer:
        wait_for_condition(lambda: viewer.wait_for("view")["view"]["match"]["phase"] == "over", 60)
        assert len(viewer.view["sheet"]["hands"]) == 2


def test_pause_reaches_all_windows_and_stops_play(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        services.pause_match(match)
        wait_for_condition(lambda: first.wait_for("view")["view"]["match"]["paused"])
        wait_for_condition(lambda: second.wait_for("view")["view"]["match"]["paused"])
        assert first.act({"play": "R1"})["code"] == "paused"
        services.resume_match(match)
        wait_for_condition(lambda: not first.wait_for("view")["view"]["match"]["paused"])
        assert first.act({"play": "R1"})["type"] == "ack"


def test_catch_is_offered_after_the_respectful_pause(live_site: LiveSite) -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    with open_windows(live_site, match) as (first, _, third):
        first.act({"play": "4H"})
        start = time.monotonic()
        third.wait_for_view(top="4H")
        assert third.view["may"]["catch"] == []
        assert third.act({"catch": 0})["code"] == "too-early"
        wait_for_condition(lambda: third.wait_for("view")["view"]["may"]["catch"] == [0])
        assert 1.2 < time.monotonic() - start < 4
        assert third.act({"catch": 0})["type"] == "ack"


# Limits


def test_account_has_at_most_20_windows(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    user = match.seats.get(number=0).user
    headers = make_headers(user)
    opened = []
    try:
        for _ in range(20):
            opened.append(open_window(live_site, match, additional_headers=headers))
            opened[-1].wait_for("view")
        with open_window(live_site, match, additional_headers=headers) as one_more:
            assert one_more.read_close_code() == 1008
        opened.pop().close()
        time.sleep(0.3)
        with open_window(live_site, match, additional_headers=headers) as again:
            again.wait_for("view")
    finally:
        for window in opened:
            window.close()
