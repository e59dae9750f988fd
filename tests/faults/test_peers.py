"""Peers that misbehave: do not read, do not answer, offer compression."""

import asyncio
import base64
import os
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from games.live import sockets
from games.live.consumers import TableSocket
from games.live.sockets import OpenSockets
from games.models import Match
from games.process import here
from tests.games.helpers import begin
from tests.games.windows import Window, open_window, windows
from tests.live import LiveSite, SiteProcess
from tests.services import wait_for

Stuck = tuple[Window, Window, sockets.Socket[Any]]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def stuck(live_site: LiveSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stuck]:
    """Windows of two players, and the second one's socket, whose client reads nothing."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        opened = [one for one in here().part(OpenSockets) if isinstance(one, TableSocket)]
        socket = next(one for one in opened if one.seat == 1)

        async def never(**message: Any) -> None:
            await asyncio.sleep(3600)

        monkeypatch.setattr(socket, "send", never)
        yield first, second, socket


def test_a_client_that_does_not_read_holds_up_nobody(
    stuck: Stuck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 3600.0)
    first, _, socket = stuck
    assert first.act({"play": "R1"})["type"] == "ack"
    assert first.wait_until(top="R1")
    assert socket in here().part(OpenSockets)


def test_a_client_that_does_not_read_is_dropped(
    stuck: Stuck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 0.5)
    first, second, socket = stuck
    assert first.act({"play": "R1"})["type"] == "ack"
    wait_for(lambda: socket not in here().part(OpenSockets), "the drop")
    assert second.closed() == 1006


def handshake(site: SiteProcess, match: Match) -> socket.socket:
    """A socket that has upgraded and will never say anything again."""
    raw = socket.create_connection(("127.0.0.1", site.port))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET /ws/match/{match.public_id}/ HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        f"Origin: {site.url}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
    ]
    raw.sendall("\r\n".join([*lines, "", ""]).encode())
    return raw


def test_a_mute_peer_is_gone_within_20_seconds(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with handshake(site_process, match) as raw:
        raw.settimeout(25)
        start = time.monotonic()
        while raw.recv(65536):
            pass
        assert 8 < time.monotonic() - start < 20


def test_compression_is_declined(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match, compression="deflate") as window:
        window.wait_for("view")
        assert window.socket.protocol.extensions == []


def test_a_big_message_is_refused_before_it_is_whole(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match) as window:
        window.wait_for("view")
        window.send(" " * 1_000_000)
        assert window.closed() == 1009
