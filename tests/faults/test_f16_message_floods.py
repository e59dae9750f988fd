"""F16: floods of messages, far more than any client needs."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed

from games.models import Match
from tests.faults.cases import TryCounter
from tests.games.helpers import begin
from tests.games.windows import Window, open_window, open_windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_more_than_100_messages_in_20_seconds_are_refused(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        for _ in range(100):
            window.send({"type": "ping", "version": 1})
        for _ in range(100):
            window.wait_for("pong")
        window.send({"type": "ping", "version": 1})
        assert window.read_close_code() == 1008


def flood_socket(site: LiveSite, match: Match, seat: int) -> int:
    """Send a burst of messages over the limit, and return the socket's close code."""
    with open_window(site, match, match.seats.get(number=seat).user) as window:
        with contextlib.suppress(ConnectionClosed):
            for _ in range(300):
                window.send({"type": "sync"})
        return window.read_close_code()


@pytest.mark.timed
def test_flooding_seat_is_disconnected_and_the_others_play_on(
    live_site: LiveSite, tries: TryCounter
) -> None:
    match = begin(["R1 R2 R3", "R6 R7 R8", "G1 G2 G3"], "R5", turn_seconds=300)
    with open_windows(live_site, match) as (first, second, third), ThreadPoolExecutor(4) as pool:
        floods = [pool.submit(flood_socket, live_site, match, 2) for _ in tries(4, 60)]
        waited = [time_play(first, "R1"), time_play(second, "R6")]
        assert [each.result(timeout=120) for each in floods] == [1008] * len(floods)
        third.wait_for_view(turn=2)
        assert third.act({"draw": True})["type"] == "ack"
    # Without a flood, a response takes less than a tenth of a second.
    assert max(waited) < 2


def time_play(player: Window, card: str) -> float:
    """Wait for this player's turn, play a card, and return the seconds until the response."""
    player.wait_for_view(turn=player.view["you"])
    begun = time.monotonic()
    assert player.act({"play": card})["type"] == "ack"
    return time.monotonic() - begun
