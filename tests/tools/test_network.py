"""Tests that the simulated bad network behaves as documented."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from tests.network import Network, Quality


@pytest.fixture
def echo_port() -> Iterator[int]:
    """Provide the port of a server that echoes all data it receives."""

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection:
            try:
                while data := connection.recv(1000):
                    connection.sendall(data)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)


def echo(network: Network, text: bytes, seconds: float = 10) -> bytes:
    with socket.create_connection(("127.0.0.1", network.port), timeout=seconds) as line:
        line.sendall(text)
        line.shutdown(socket.SHUT_WR)
        heard = b""
        while data := line.recv(1000):
            heard += data
        return heard


def test_slow_network_delivers_bytes_in_order_and_late(echo_port: int) -> None:
    quality = Quality(delay=(0.05, 0.1), loss=0.3, again=(0.1, 0.2))
    with Network(echo_port, quality) as network:
        start = time.monotonic()
        with socket.create_connection(("127.0.0.1", network.port), timeout=10) as line:
            for number in range(10):
                line.sendall(b"%d" % number)
                time.sleep(0.01)
            line.shutdown(socket.SHUT_WR)
            heard = b"".join(iter(lambda: line.recv(1000), b""))
        assert heard == b"0123456789"
        assert time.monotonic() - start > 0.2


def test_bytes_sent_during_an_outage_arrive_afterwards(echo_port: int) -> None:
    with (
        Network(echo_port) as network,
        socket.create_connection(("127.0.0.1", network.port), timeout=10) as line,
    ):
        line.sendall(b"before")
        assert line.recv(1000) == b"before"
        with network.outage():
            line.sendall(b"kept")
            line.settimeout(0.3)
            with pytest.raises(TimeoutError):
                line.recv(1000)
        line.settimeout(10)
        assert line.recv(1000) == b"kept"


def test_connection_opened_during_an_outage_waits_for_its_end(echo_port: int) -> None:
    with Network(echo_port) as network:
        with network.outage(), pytest.raises(TimeoutError):
            echo(network, b"hello", seconds=0.3)
        assert echo(network, b"hello") == b"hello"


def test_connections_can_be_broken(echo_port: int) -> None:
    with Network(echo_port, Quality(breaks=1)) as network:
        with pytest.raises(OSError, match=r"reset|Broken pipe|not connected"):
            echo(network, b"hello")
        assert network.broken >= 1
