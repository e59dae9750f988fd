"""Tests of presence at a table, with a real server and real connections."""

import json
import time
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.clocks.presence import PresenceBook
from games.models import Match, Seat
from games.workers import sweep
from tests.games.helpers import begin, make_match
from tests.games.windows import list_table_sockets, open_window, open_windows, wait_for_condition
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_players_see_arrivals(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first_user, second_user = (match.seats.get(number=n).user for n in (0, 1))
    with open_window(live_site, match, first_user) as first:
        first.wait_for("view")
        assert [seat["present"] for seat in first.view["seats"]] == [True, False]
        with open_window(live_site, match, second_user):
            wait_for_condition(lambda: first.read() and first.view["seats"][1]["present"])


def test_first_view_of_a_viewer_shows_who_is_present(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    Seat.objects.filter(match=match).update(seen_at=timezone.now())
    with open_window(live_site, match) as viewer:
        first = viewer.wait_for("view")["view"]
    assert [seat["present"] for seat in first["seats"]] == [True, True]


def test_players_see_departures(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.clocks.presence.GONE_SECONDS", 1.5)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first_user, second_user = (match.seats.get(number=n).user for n in (0, 1))
    with open_window(live_site, match, first_user) as first:
        first.wait_for("view")
        with open_window(live_site, match, second_user) as second:
            second.wait_for("view")
            wait_for_condition(lambda: first.read() and first.view["seats"][1]["present"])
        wait_for_condition(lambda: first.read() and not first.view["seats"][1]["present"])
        assert first.view["seats"][1]["gone_seconds"] >= 1


def test_view_of_ten_players_is_small(live_site: LiveSite) -> None:
    match = services.start_match(make_match("ocho", people=1, bots=9))
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as window:
        message = window.wait_for("view")
        assert len(json.dumps(message)) < 8000
    assert Match.objects.get(pk=match.pk).version >= 1


def test_first_message_after_an_absence_makes_the_player_present(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.clocks.presence.GONE_SECONDS", 1.5)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        wait_for_condition(lambda: first.read() and not first.view["seats"][1]["present"])
        second.send({"type": "ping", "version": 1})
        wait_for_condition(lambda: first.read() and first.view["seats"][1]["present"])


def test_silent_window_is_probed_and_its_echo_keeps_the_player_present(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a hidden page, which sends almost nothing by itself but answers probes."""
    monkeypatch.setattr(sweep, "PROBE_SWEEPS", 1)
    monkeypatch.setattr("games.clocks.presence.GONE_SECONDS", 3.0)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        # The first probe was sent before the first view.
        window.send({"type": "echo", "n": 1})
        end = time.monotonic() + 9
        while time.monotonic() < end:
            window.send({"type": "echo", "n": window.wait_for("probe")["n"]})
            assert window.view["seats"][0]["present"]
        wait_for_condition(lambda: window.read() and not window.view["seats"][0]["present"])


def make_deserted_match() -> Match:
    """Create a match that is paused because no player was present."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60, absence_seconds=1)
    services.tick(match.due)
    match.refresh_from_db()
    assert match.paused
    return match


def is_running(match: Match) -> bool:
    return not Match.objects.get(pk=match.pk).paused


def test_deserted_table_resumes_when_a_player_opens_a_window(live_site: LiveSite) -> None:
    match = make_deserted_match()
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        assert not is_running(match)
        with open_window(live_site, match, match.seats.get(number=0).user):
            wait_for_condition(lambda: is_running(match))


def test_sweep_resumes_a_table_whose_player_connected_to_another_process(
    live_site: LiveSite,
) -> None:
    match = make_deserted_match()
    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        match.seats.filter(number=1).update(seen_at=timezone.now())
        wait_for_condition(lambda: is_running(match))


def test_player_who_returns_only_during_the_departure_query_is_gone(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.clocks.presence.GONE_SECONDS", 1.5)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    here_at = match.seats.filter(number=1).values_list("here", flat=True)
    user, leave, returned = match.seats.get(number=1).user, PresenceBook.leave, list[bool]()

    def leave_and_reconnect(presence: PresenceBook, *found: Any) -> list[int]:
        changed = leave(presence, *found)
        if not returned:
            returned.append(True)
            with open_window(live_site, match, user) as window:
                window.wait_for("view")
            wait_for_condition(lambda: not list_table_sockets())
        return changed

    monkeypatch.setattr(PresenceBook, "leave", leave_and_reconnect)
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
    wait_for_condition(lambda: returned and here_at.get() == "")


def test_player_stays_present_between_two_presence_checks(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against treating a seat as silent just because its table was not checked."""
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(sweep, "PEOPLE_EVERY", 20)
    monkeypatch.setattr("games.clocks.presence.GONE_SECONDS", 1.0)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        end = time.monotonic() + 4
        while time.monotonic() < end:
            window.send({"type": "ping", "version": window.version})
            window.wait_for("pong")
            assert window.view["seats"][0]["present"]
            time.sleep(0.1)
