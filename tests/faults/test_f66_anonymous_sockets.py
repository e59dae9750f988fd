"""F66: hundreds of anonymous sockets from one address.

The limits allow a hall full of visitors, but stop a flood.
"""

import asyncio
import json
import socket
import time
from contextlib import ExitStack
from typing import Any

import pytest
from pytest_django import Settings
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from tests.faults.cases import TryCounter
from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite
from tests.own_site import OwnSite

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
FULL, MISUSE = 1013, 1008


@pytest.fixture
def visitor_count(tries: TryCounter) -> int:
    """Provide the number of visitors: 120, or 600 in the long run."""
    return len(list(tries(120, 600)))


class VisitorHall:
    """Windows of many visitors at one table, from one address."""

    def __init__(self, site: LiveSite, match: str) -> None:
        self.address = f"{site.ws_url}/ws/match/{match}/"
        self.origin = Origin(site.url)
        self.closed: list[tuple[int, str]] = []
        self.windows: list[ClientConnection] = []

    async def open_windows(self, count: int) -> None:
        opening = (connect(self.address, origin=self.origin) for _ in range(count))
        self.windows += await asyncio.gather(*opening)

    async def listen(self, window: ClientConnection, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await window.recv()
        except TimeoutError:
            return
        except ConnectionClosed:
            pass
        self.closed.append((window.close_code or 0, window.close_reason or ""))

    async def send_from_all(self, message: dict[str, Any], times: int, pause: float) -> None:
        """Send this message from every window, `times` times with pauses of `pause` seconds."""
        text = json.dumps(message)
        for _ in range(times):
            await asyncio.gather(
                *(window.send(text) for window in self.windows), return_exceptions=True
            )
            await asyncio.sleep(pause)

    async def listen_on_all(self, seconds: float) -> None:
        await asyncio.gather(*(self.listen(window, seconds) for window in self.windows))

    async def close_windows(self) -> None:
        await asyncio.gather(*(window.close() for window in self.windows))


def test_viewer_over_the_limit_gets_a_reason_and_players_still_connect(
    live_site: LiveSite, settings: Settings, visitor_count: int
) -> None:
    settings.ANONYMOUS_SOCKETS = visitor_count
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")

    async def fill_hall() -> VisitorHall:
        hall = VisitorHall(live_site, match.public_id)
        await hall.open_windows(visitor_count + 30)
        await hall.listen_on_all(3)
        await asyncio.to_thread(check_player_can_play, live_site, match)
        await hall.close_windows()
        return hall

    hall = asyncio.run(fill_hall())
    assert {code for code, _reason in hall.closed} == {FULL}
    assert len(hall.closed) == 30
    assert hall.closed[0][1].startswith("Too many people on your network are watching right now.")


def check_player_can_play(site: LiveSite, match: Any) -> None:
    """Check that a player can connect and act although the visitors' limit is reached."""
    with open_window(site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        begun = time.monotonic()
        assert window.act({"play": "R1"})["type"] == "ack"
        assert time.monotonic() - begun < 2


def test_normal_viewers_in_a_hall_are_never_disconnected(
    live_site: LiveSite, visitor_count: int
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")

    async def watch_with_all() -> VisitorHall:
        hall = VisitorHall(live_site, match.public_id)
        await hall.open_windows(visitor_count)
        await hall.send_from_all({"type": "ping", "version": 1}, times=8, pause=0.2)
        await hall.listen_on_all(1)
        await hall.close_windows()
        return hall

    assert asyncio.run(watch_with_all()).closed == []


def test_socket_flood_is_cut_off_and_a_player_plays_on(
    live_site: LiveSite, visitor_count: int
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")

    async def flood_hall() -> VisitorHall:
        hall = VisitorHall(live_site, match.public_id)
        await hall.open_windows(visitor_count)
        await hall.send_from_all({"type": "sync"}, times=40, pause=0.05)
        await asyncio.to_thread(check_player_can_play, live_site, match)
        await hall.listen_on_all(2)
        await hall.close_windows()
        return hall

    hall = asyncio.run(flood_hall())
    assert {code for code, _reason in hall.closed} == {MISUSE}
    assert len(hall.closed) > visitor_count * 0.9


class LimitedSite(OwnSite):
    """Site with a low limit on open files."""

    FILES = 256

    def command(self) -> list[str]:
        few = f'ulimit -Sn {self.FILES}; exec "$@"'
        return ["sh", "-c", few, "sh", *super().command()]


def test_site_answers_beyond_its_open_file_limit() -> None:
    with LimitedSite() as site, ExitStack() as open_lines:
        for _ in range(site.FILES + 50):
            line = socket.create_connection(("127.0.0.1", site.port), timeout=20)
            open_lines.enter_context(line)
        begun = time.monotonic()
        assert site.get("/livez")[0] == 200
        assert time.monotonic() - begun < 3  # before the first connections time out
