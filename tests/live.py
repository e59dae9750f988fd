"""The real site for tests: its pages, sockets and ticker on a port, in a thread or a process."""

import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any

import uvicorn
from django.test import Client

from tests.services import free_port, wait_for


class LiveSite:
    """uvicorn in a thread of the test, on the test's database.

    `url` and `ws_url` have no slash at the end. `stop()` and `start()` restart it on the same port.
    """

    def __init__(self, application: Callable[..., Any]) -> None:
        self.application = application
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ws_url = f"ws://127.0.0.1:{self.port}"

    def start(self) -> None:
        config = uvicorn.Config(
            self.application,
            host="127.0.0.1",
            port=self.port,
            log_level="warning",
            ws="websockets-sansio",
            timeout_graceful_shutdown=2,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True, name="live-site")
        self.thread.start()
        wait_for(lambda: self.server.started or not self.thread.is_alive(), "the live site")
        assert self.server.started, "the live site ended at its start; see the log"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=15)
        assert not self.thread.is_alive(), "the live site does not stop"


def fresh_application() -> Callable[..., Any]:
    """The ASGI application, built now: middleware reads the test's settings when it is made."""
    import tournament.asgi

    asgi = import_module("importlib").reload(tournament.asgi)
    application: Callable[..., Any] = asgi.application
    return application


def session_cookie(user: Any) -> dict[str, str]:
    """Name and value of the cookie of a new session for `user`."""
    client = Client()
    client.force_login(user)
    morsel = client.cookies["sessionid"]
    return {"name": morsel.key, "value": morsel.value}
