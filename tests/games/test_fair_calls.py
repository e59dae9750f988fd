"""Lag at real sockets: how the server measures it."""

import time

import pytest

from games import sockets
from tests.games.helpers import begin
from tests.games.windows import open_window, windows

pytestmark = pytest.mark.django_db(transaction=True)


def lag_of(seat):
    """The lag measured on the open socket of a seat."""
    found = [one for one in sockets.OPEN if getattr(one, "seat", None) == seat]
    assert len(found) == 1
    return found[0].lag.lag


def answer_probes(window, seconds):
    """Answer the first probe, which came before the view, and the next one, each so late."""
    number = next(m["n"] for m in window.heard if m["type"] == "probe")
    for _ in range(2):
        time.sleep(seconds)
        window.send({"type": "echo", "n": number})
        window.send({"type": "ping", "version": 1})
        number = window.wait_for("probe")["n"]


def test_the_server_measures_the_round_trip_of_each_socket(live_site):
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    people = [seat.user for seat in match.seats.order_by("number")]
    with open_window(live_site, match, people[0]) as slow:
        slow.wait_for("view")
        answer_probes(slow, 0.5)
        with open_window(live_site, match, people[1]) as quick:
            quick.wait_for("view")
            answer_probes(quick, 0)
            assert lag_of(0) > 0.4
            assert lag_of(1) < lag_of(0)


def test_who_answers_no_probe_is_credited_with_nothing(live_site):
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        time.sleep(0.3)
        for number in (0, 7, -1):
            first.send({"type": "echo", "n": number})
        first.send({"type": "ping", "version": 1})
        first.wait_for("pong")
        assert lag_of(0) == 0


def test_viewers_are_not_probed(live_site):
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        viewer.send({"type": "ping", "version": 1})
        viewer.wait_for("pong")
        viewer.send({"type": "sync"})
        viewer.wait_for("view")
        assert [m["type"] for m in viewer.heard] == ["view", "pong", "view"]
