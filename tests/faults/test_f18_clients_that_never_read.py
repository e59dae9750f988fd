"""F18: a client that reads nothing from its socket."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from games.process import here
from games.sockets import base as sockets
from games.sockets.consumers import TableSocket
from games.sockets.line.line import Line
from games.sockets.open_sockets import OpenSockets
from tests.games.helpers import begin
from tests.games.windows import Window, open_windows
from tests.live import LiveSite
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


StuckWindows = tuple[Window, Window, sockets.Socket[Any]]


@pytest.fixture
def stuck_windows(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[StuckWindows]:
    """Provide two players' windows, and the second player's socket, which cannot send."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        opened = [one for one in here().part(OpenSockets) if isinstance(one, TableSocket)]
        socket = next(one for one in opened if one.seat == 1)

        async def wait_forever(message: Any) -> None:
            await asyncio.sleep(3600)

        monkeypatch.setattr(socket, "wire", Line())
        monkeypatch.setattr(socket, "_send", wait_forever)
        yield first, second, socket


def test_non_reading_client_delays_no_other_client(
    stuck_windows: StuckWindows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 3600.0)
    first, _, socket = stuck_windows
    assert first.act({"play": "R1"})["type"] == "ack"
    assert first.wait_for_view(top="R1")
    assert socket in here().part(OpenSockets)


def test_non_reading_client_is_dropped(
    stuck_windows: StuckWindows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 0.5)
    first, second, socket = stuck_windows
    assert first.act({"play": "R1"})["type"] == "ack"
    wait_for(lambda: socket not in here().part(OpenSockets), "the drop")
    assert second.read_close_code() == 1006
