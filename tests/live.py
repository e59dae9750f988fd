"""The complete site for tests, run on a port by a thread or a separate process."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import uvicorn
from django.conf import settings
from django.db import connection
from django.test import Client

from games.process import here
from games.sockets.line.line import PROTOCOL
from tests.served import ServedSite
from tests.services import find_free_port, wait_for

if TYPE_CHECKING:  # the models need settings, which not every importing process has
    from tournament.models import User

SESSION_COOKIE = "sessionid"


class Site(Protocol):
    """Addresses of a running site, without slashes at the end."""

    @property
    def url(self) -> str: ...

    @property
    def ws_url(self) -> str: ...


class LiveSite:
    """Site that uvicorn runs in a thread, on the test's database.

    `stop()` and then `start()` restart it on the same port.
    """

    def __init__(self, application: Callable[..., Any]) -> None:
        self.application = application
        self.port = find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ws_url = f"ws://127.0.0.1:{self.port}"

    def start(self) -> None:
        config = uvicorn.Config(
            self.application,
            host="127.0.0.1",
            port=self.port,
            log_level="warning",
            ws=PROTOCOL,
            timeout_graceful_shutdown=2,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True, name="live-site")
        self.thread.start()
        wait_for(lambda: self.server.started or not self.thread.is_alive(), "the live site")
        assert self.server.started, "the live site ended at its start; see the log"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(timeout=60)
        assert not self.thread.is_alive(), "the live site does not stop"


class SiteProcess(ServedSite):
    """Site in a separate process, on the test's database.

    `crash()` kills the process, and `start()` starts another one on the same port.
    """

    def __init__(self, collected_static: Path) -> None:
        super().__init__(collected_static.parent)
        self.ws_url = f"ws://127.0.0.1:{self.port}"

    def popen_options(self) -> dict[str, Any]:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": get_test_database_url(),
            "SECRET_KEY": settings.SECRET_KEY,
            "LASTCARD_VAR": str(self.var),
        }
        return {"env": environment}

    def crash(self) -> None:
        self.stop(signal.SIGKILL)


def get_test_database_url() -> str:
    """Return the URL of the test's database, for processes that the test starts."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"


def build_application() -> Callable[..., Any]:
    """Build an ASGI application with the current test's settings.

    It uses the test's `Process`, so the test's actions reach its sockets immediately.
    """
    from tournament.asgi import Site

    return Site(here())


def make_session_cookie(user: "User") -> dict[str, str]:
    """Sign `user` in, and return the name and value of the session cookie."""
    client = Client()
    client.force_login(user)
    return {"name": SESSION_COOKIE, "value": client.cookies[SESSION_COOKIE].value}
