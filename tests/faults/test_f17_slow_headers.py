"""F17: hundreds of connections that send their headers too slowly, at nginx."""

import http.client
import socket
import ssl
import time
from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.live import LiveSite
from tests.nginx import Nginx

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
CONNECTIONS = 500


@pytest.fixture
def nginx(live_site: LiveSite, settings: Settings) -> Iterator[Nginx]:
    settings.ALLOWED_HOSTS = ["cards.example.edu"]
    with Nginx(live_site.port) as proxy:
        yield proxy


def get_status(nginx: Nginx, path: str) -> int:
    """Fetch a page over TLS and return its status."""
    context = ssl._create_unverified_context()
    line = http.client.HTTPSConnection("127.0.0.1", nginx.tls, timeout=20, context=context)
    line.request("GET", path, headers={"Host": "cards.example.edu"})
    status = line.getresponse().status
    line.close()
    return status


def count_open(lines: list[socket.socket]) -> int:
    count = 0
    for line in lines:
        line.setblocking(False)
        try:
            count += line.recv(4096) != b""
        except BlockingIOError:
            count += 1
        except OSError:
            pass
    return count


@pytest.mark.parametrize("entry", ["plain", "tls"])
def test_five_hundred_slow_connections_are_closed_while_others_sign_in(
    nginx: Nginx, entry: str
) -> None:
    lines = [
        socket.create_connection(("127.0.0.1", getattr(nginx, entry)), timeout=20)
        for _ in range(CONNECTIONS)
    ]
    begun = time.monotonic()
    if entry == "plain":
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\nHost: cards.exam")
    asked = time.monotonic()
    assert get_status(nginx, "/accounts/login/") == 200
    assert time.monotonic() - asked < 2
    while count_open(lines) and time.monotonic() - begun < 30:
        time.sleep(0.2)
    assert time.monotonic() - begun < 15
    for line in lines:
        line.close()
