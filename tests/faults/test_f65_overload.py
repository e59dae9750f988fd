"""F65: the site is overloaded. The overload marks no player as absent."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from games.clocks import presence
from games.liveness import heartbeat
from games.models import Match, Outage, Seat
from games.play import outages
from games.process import here
from games.sockets.open_sockets import OpenSockets
from games.workers import sweep
from tests.faults.cases import TryCounter
from tests.games.helpers import begin, list_log
from tests.games.windows import Window, open_window, open_windows, wait_for_condition
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

GONE_SECONDS = 2.0
LATE_SECONDS = 3.5


@pytest.fixture(autouse=True)
def shorten_absence_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "GONE_SECONDS", GONE_SECONDS)


def block_event_loop(site: LiveSite, seconds: float) -> None:
    """Block the site's event loop for `seconds` seconds, as an overload would."""
    held = threading.Event()

    def block_loop() -> None:
        time.sleep(seconds)
        held.set()

    [loop] = {one.loop for one in site.server.server_state.connections}
    loop.call_soon_threadsafe(block_loop)
    assert held.wait(seconds + 20)


def list_presence(window: Window) -> list[bool]:
    return [seat["present"] for seat in window.view["seats"]]


def read_for(window: Window, seconds: float) -> list[list[bool]]:
    """Ping for `seconds` seconds, and return the presence of all seats after each pong."""
    shown, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        window.send({"type": "ping", "version": window.version})
        window.wait_for("pong")
        shown.append(list_presence(window))
        time.sleep(0.2)
    return shown


def run_in_parallel(*works: Callable[[], object]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_overloaded_site_marks_no_player_as_gone(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, tries: TryCounter
) -> None:
    """Check that unread messages of a player still count as a sign of life."""
    monkeypatch.setattr(sweep, "PEOPLE_EVERY", 1)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    with open_windows(live_site, match) as (first, second):
        run_in_parallel(lambda: read_for(first, 1), lambda: read_for(second, 1))
        for _ in tries(1, 5):
            shown: list[list[bool]] = []
            run_in_parallel(
                lambda: block_event_loop(live_site, LATE_SECONDS),
                lambda seen=shown: seen.extend(read_for(first, LATE_SECONDS + 3)),  # type: ignore[misc]
                lambda: read_for(second, LATE_SECONDS + 3),
            )
            assert [one for one in shown if one != [True, True]] == []
    assert list_log(match) == []


def test_restoring_time_for_many_tables_causes_no_second_outage(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Make restoring the time at all tables take longer than a heartbeat may."""
    matches = [begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60) for _ in range(10)]
    give_back = outages._restore_outage_time

    def restore_time_slowly(*args: Any) -> None:
        time.sleep(0.4)
        give_back(*args)

    monkeypatch.setattr(outages, "_restore_outage_time", restore_time_slowly)
    last = matches[-1]
    with open_window(live_site, last, last.seats.get(number=0).user) as window:
        window.wait_for("view")
        block_event_loop(live_site, LATE_SECONDS)
        assert window.act({"play": "R1"})["type"] == "ack"
        assert Match.objects.filter(outage=0).exists()
        wait_for_condition(lambda: not Match.objects.filter(outage=0).exists(), 20)
        wait_for_condition(lambda: not Outage.objects.filter(settled=False).exists())
    assert Outage.objects.count() == 1
    assert [list_log(match) for match in matches[:-1]] == [[]] * 9


def test_site_acts_for_no_player_during_a_slow_heartbeat_write(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Block the write of a heartbeat, as a busy SQLite database would."""
    match, write = begin(["R1 R2 R8", "R3 R4 R9"], "G5", turn_seconds=4), heartbeat._write_beat

    def write_slowly(*args: Any) -> None:
        monkeypatch.setattr(heartbeat, "_write_beat", write)
        time.sleep(6)
        write(*args)

    with open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        monkeypatch.setattr(heartbeat, "_write_beat", write_slowly)
        wait_for_condition(lambda: Match.objects.filter(pk=match.pk, outage__gt=0).exists(), 20)
    assert list_log(match) == []


def test_silent_player_still_counts_as_gone(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    with open_windows(live_site, match) as (first, _):
        wait_for_condition(lambda: read_for(first, 0.5) and list_presence(first) == [True, False])


def test_connected_players_cause_no_writes(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    with open_windows(live_site, match) as (first, second):
        before = list_seats(match)
        run_in_parallel(lambda: read_for(first, 4), lambda: read_for(second, 4))
        assert list_seats(match) == before
    assert [here for here, _, _ in before] == [get_own_key(), get_own_key()]


def list_seats(match: Match) -> list[tuple[object, ...]]:
    return list(Seat.objects.filter(match=match).values_list("here", "seen_at", "controller"))


def get_own_key() -> str:
    return here().key


def test_arrivals_and_departures_send_only_small_messages_to_others(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    users = [seat.user for seat in match.seats.order_by("number")]
    with open_window(live_site, match, users[0]) as first:
        first.wait_for("view")
        wait_for_condition(lambda: read_for(first, 0.3))
        before = [message["type"] for message in first.heard].count("view")
        with open_window(live_site, match, users[1]) as second:
            second.wait_for("view")
            assert first.wait_for("here")["seats"][1]["present"]
        wait_for_condition(lambda: read_for(first, 0.5) and list_presence(first) == [True, False])
        assert [message["type"] for message in first.heard].count("view") == before


def test_player_marked_as_gone_by_another_process_is_marked_as_present_again(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PRESENCE_EVERY", 1)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    with open_window(live_site, match, match.seats.get(number=0).user) as first:
        first.wait_for("view")
        Seat.objects.filter(match=match, number=0).update(here="")
        wait_for_condition(
            lambda: read_for(first, 0.3) and list_seats(match)[0][0] == get_own_key()
        )


def test_reload_does_not_count_as_absence(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=60)
    user = match.seats.get(number=1).user
    with open_window(live_site, match, match.seats.get(number=0).user) as first:
        first.wait_for("view")
        for _ in range(3):
            with open_window(live_site, match, user) as second:
                second.wait_for("view")
        with open_window(live_site, match, user) as second:
            second.wait_for("view")
            shown: list[list[bool]] = []
            run_in_parallel(lambda: shown.extend(read_for(first, 3)), lambda: read_for(second, 3))
            assert [one for one in shown[1:] if one != [True, True]] == []
        assert len([*here().part(OpenSockets)]) <= 2
