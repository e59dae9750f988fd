"""F19: a peer that disappears without closing its connection."""

import base64
import os
import socket
import time

import pytest

from games.models import Match
from tests.games.helpers import begin
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def open_mute_socket(site: SiteProcess, match: Match) -> socket.socket:
    """Open a WebSocket that sends nothing after the handshake."""
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


def test_mute_peer_counts_as_gone_within_20_seconds(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_mute_socket(site_process, match) as raw:
        raw.settimeout(25)
        start = time.monotonic()
        while raw.recv(65536):
            pass
        assert 8 < time.monotonic() - start < 20
