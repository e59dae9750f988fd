"""Tests of lag on real sockets: its measurement, and the races that depend on it."""

import time
from contextlib import ExitStack
from typing import Any

import pytest

from games.models import Match
from tests.games.helpers import begin, list_log
from tests.games.windows import Window, list_table_sockets, open_window, open_windows
from tests.live import LiveSite, Site, SiteProcess
from tests.network import Network, Quality
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

# 0.12 s in each direction.
SLOW_NETWORK = Quality(delay=(0.12, 0.12))


def get_lag(seat: int) -> float:
    """Return the lag measured on the open socket of a seat."""
    found = [one for one in list_table_sockets() if one.seat == seat]
    assert len(found) == 1
    lag: float = found[0].line.echoes.estimate.lag
    return lag


def answer_probes(window: Window, seconds: float) -> None:
    """Answer two probes, each after a delay of `seconds`.

    The first probe arrived before the view.
    """
    number = next(m["n"] for m in window.heard if m["type"] == "probe")
    for _ in range(2):
        time.sleep(seconds)
        window.send({"type": "echo", "n": number})
        window.send({"type": "ping", "version": 1})
        number = window.wait_for("probe")["n"]


def test_server_measures_the_round_trip_of_each_socket(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    people = [seat.user for seat in match.seats.order_by("number")]
    with open_window(live_site, match, people[0]) as slow:
        slow.wait_for("view")
        answer_probes(slow, 0.5)
        with open_window(live_site, match, people[1]) as quick:
            quick.wait_for("view")
            answer_probes(quick, 0)
            assert get_lag(0) > 0.4
            assert get_lag(1) < get_lag(0)


def test_client_that_answers_no_probe_gets_no_credit(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        time.sleep(0.3)
        for number in (0, 7, -1):
            first.send({"type": "echo", "n": number})
        first.send({"type": "ping", "version": 1})
        first.wait_for("pong")
        assert get_lag(0) == 0


def test_viewers_are_not_probed(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        viewer.send({"type": "ping", "version": 1})
        viewer.wait_for("pong")
        viewer.send({"type": "sync"})
        viewer.wait_for("view")
        assert [m["type"] for m in viewer.heard] == ["view", "pong", "view"]


def open_with_forgotten_uno(site: Site, stack: ExitStack) -> tuple[Match, Window, Window]:
    """Return a match and the open windows of seats 0 and 2, ready for seat 0 to forget UNO.

    Both windows have the newest view.
    """
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    people = [seat.user for seat in match.seats.order_by("number")]
    first, third = (stack.enter_context(open_window(site, match, people[n])) for n in (0, 2))
    for window in (first, third):
        window.wait_for("view")
    return match, first, third


@pytest.fixture
def lengthen_race_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the race window, because messages may be slow on a busy machine."""
    monkeypatch.setattr("games.clocks.races.WINDOW_MS", 3000)


def claim_catch(match: Match, first: Window, third: Window) -> None:
    """Let seat 0 play down to one card, and let seat 2 claim a catch, which stays undecided."""
    first.act({"play": "R1"})
    third.wait_for_view(top="R1")
    third.send(make_action_message({"catch": 0}, "catch"))
    wait_for(lambda: bool(Match.objects.get(pk=match.pk).race), "the claim")


def make_action_message(action: dict[str, Any], name: str) -> dict[str, Any]:
    return {"type": "action", "id": name, "version": 2, "action": action}


@pytest.mark.slow
def test_call_on_a_slow_line_beats_a_later_catch(
    live_site: LiveSite, lengthen_race_window: None
) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    people = [seat.user for seat in match.seats.order_by("number")]
    with Network(live_site.port, SLOW_NETWORK) as network, ExitStack() as stack:
        first = stack.enter_context(open_window(network, match, people[0]))
        third = stack.enter_context(open_window(live_site, match, people[2]))
        for window in (first, third):
            window.wait_for("view")
        answer_probes(first, 0)
        first.act({"play": "R1"})
        third.wait_for_view(top="R1")
        first.send(make_action_message({"call": True}, "call"))
        time.sleep(0.05)
        third.send(make_action_message({"catch": 0}, "catch"))
        refused = third.read_answer("catch")
        assert refused["code"] == "call-first"
        assert refused["message"].endswith(" s before you.")
        assert first.read_answer("call") == {"type": "ack", "id": "call", "version": 3}
    assert list_log(match)[1:] == [(0, {"call": True}, "")]


def test_delayed_echoes_do_not_count_if_pings_are_answered_quickly(
    live_site: LiveSite,
) -> None:
    """Guard against a script that delays the page's echoes. No script can delay the pongs."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        answer_probes(first, 0.4)
        [socket] = [one for one in list_table_sockets() if one.seat == 0]
        wait_for(lambda: socket.line.pongs.estimate.known, "an answered ping")
        lag = socket.line.lag(time.monotonic())
        assert lag.smallest < 0.3
        assert lag.usual < 0.3


def test_viewer_line_is_not_measured(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        [socket] = list_table_sockets()
        time.sleep(2.5)
        assert not socket.line.pongs.estimate.known


def test_earlier_catch_wins_on_equal_lines(live_site: LiveSite, lengthen_race_window: None) -> None:
    with ExitStack() as stack:
        match, first, third = open_with_forgotten_uno(live_site, stack)
        claim_catch(match, first, third)
        first.send(make_action_message({"call": True}, "call"))
        assert third.read_answer("catch")["type"] == "ack"
        refused = first.read_answer("call")
        assert refused["code"] == "catch-first"
        assert "caught you" in refused["message"]
    assert list_log(match)[1:] == [(2, {"catch": 0}, "")]


def test_pending_catch_is_hidden_from_other_windows(live_site: LiveSite) -> None:
    with ExitStack() as stack:
        match, first, third = open_with_forgotten_uno(live_site, stack)
        first.act({"play": "R1"})
        first.wait_for_view(top="R1")
        third.wait_for_view(top="R1")
        third.send(make_action_message({"catch": 0}, "catch"))
        wait_for(lambda: bool(Match.objects.get(pk=match.pk).race), "the claim")
        heard = len(first.heard)
        first.send({"type": "ping", "version": 2})
        assert first.wait_for("pong")["version"] == 2
        assert {m["type"] for m in first.heard[heard:]} <= {"pong", "probe"}
        assert third.read_answer("catch")["version"] == 3


@pytest.mark.slow
def test_catch_survives_the_process_that_received_it(site_process: SiteProcess) -> None:
    with ExitStack() as stack:
        match, first, third = open_with_forgotten_uno(site_process, stack)
        claim_catch(match, first, third)
        site_process.crash()
        site_process.start()
        user = match.seats.get(number=2).user
        again = stack.enter_context(open_window(site_process, match, user))
        again.send(make_action_message({"catch": 0}, "catch"))
        assert again.read_answer("catch")["type"] == "ack"
    assert list_log(match)[1:] == [(2, {"catch": 0}, "")]
