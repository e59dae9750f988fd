"""Requests to a process that is stopping."""

import asyncio
import socket
import threading
from typing import Any
from urllib.request import urlopen

import pytest
import uvicorn

from tests.nginx import Nginx
from tests.services import wait_for
from tournament.serving.connections import HeaderTimeoutProtocol

REQUEST = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"


class SlowSite:
    """App that responds after `seconds`. A request sets `request_arrived` when it arrives."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.request_arrived = threading.Event()

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        self.request_arrived.set()
        await asyncio.sleep(self.seconds)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"page"})


class ServerThread:
    """Server in a thread. When stopped, it waits one second for unanswered requests."""

    def __init__(self, site: SlowSite) -> None:
        self.site = site
        self._server = uvicorn.Server(
            uvicorn.Config(
                site,
                http=HeaderTimeoutProtocol,
                port=0,
                lifespan="off",
                log_config=None,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.servers[0].sockets[0].getsockname()[1])

    def request_stop(self) -> None:
        self._server.should_exit = True

    def __enter__(self) -> "ServerThread":
        self._thread.start()
        wait_for(lambda: self._server.started, "the server")
        return self

    def __exit__(self, *_exc: object) -> None:
        self.request_stop()
        self._thread.join(20)


def request_while_stopping(site: SlowSite) -> bytes:
    """Return the response to a request that is unanswered when the server begins to stop."""
    with (
        ServerThread(site) as server,
        socket.create_connection(("127.0.0.1", server.port)) as asking,
    ):
        asking.sendall(REQUEST)
        assert site.request_arrived.wait(20)
        server.request_stop()
        return read_response(asking)


def read_response(connection: socket.socket) -> bytes:
    parts = []
    try:
        while part := connection.recv(4096):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def test_unanswered_request_is_closed_without_a_response() -> None:
    assert request_while_stopping(SlowSite(30)) == b""


def test_request_is_answered_if_the_app_responds_in_time() -> None:
    assert request_while_stopping(SlowSite(0.1)).endswith(b"\r\n\r\n4\r\npage\r\n0\r\n\r\n")


@pytest.mark.slow
def test_nginx_retries_an_unanswered_request_on_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        ServerThread(SlowSite(30)) as old,
        ServerThread(SlowSite(0)) as new,
        Nginx(old.port, new.port) as nginx,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(nginx.certificate))
        answers = [b""]

        def request_until_received() -> None:
            while not old.site.request_arrived.is_set():
                with urlopen(f"https://127.0.0.1:{nginx.tls}/", timeout=20) as answer:
                    answers.append(answer.read())

        asking = threading.Thread(target=request_until_received)
        asking.start()
        assert old.site.request_arrived.wait(20)
        old.request_stop()
        asking.join(20)
        assert answers[-1] == b"page"
