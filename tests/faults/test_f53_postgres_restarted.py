"""PostgreSQL goes away in mid-match and comes back: nothing acknowledged is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from websockets.sync.client import connect
from websockets.typing import Origin

from games.live.client import Visitor
from tests.games.windows import Window
from tests.services import Postgres, Service, ServiceMissing, answers, free_port

pytestmark = pytest.mark.slow

MAKE_USER = """
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
user = get_user_model().objects.create_user("p", "p@college.example", "only for this test")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
"""


class Site(Service):
    """A whole site on a PostgreSQL of its own, known from outside alone."""

    def __init__(self, database: Postgres) -> None:
        super().__init__()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": database.url,
            "SECRET_KEY": "for this test alone, " * 3,
            "LASTCARD_VAR": str(self.folder),
        }
        self.environment.pop("REDIS_URL", None)
        self.manage("migrate", "-v0")
        self.manage("collectstatic", "--noinput", "-v0")
        self.manage("shell", "-v0", "-c", MAKE_USER)

    def manage(self, *arguments: str) -> None:
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments]
        subprocess.run(command, env=self.environment, check=True)

    def command(self) -> list[str]:
        manage = str(settings.BASE_DIR / "manage.py")
        return [sys.executable, manage, "serve", "--port", str(self.port)]

    def popen_options(self) -> dict[str, Any]:
        return {"env": self.environment}

    def ready(self) -> bool:
        return answers(("127.0.0.1", self.port))


@pytest.fixture
def database() -> Iterator[Postgres]:
    try:
        service = Postgres()
    except ServiceMissing as missing:
        pytest.skip(f"needs {missing}")
    with service:
        yield service


def open_practice(site: Site) -> Window:
    visitor = Visitor(site.url)
    visitor.sign_in("p@college.example", "only for this test")
    match = visitor.practice("uno-400", 2)
    address = f"{site.url.replace('http', 'ws')}/ws/match/{match}/"
    headers = {"Cookie": visitor.cookies}
    return Window(connect(address, origin=Origin(site.url), additional_headers=headers))


def my_turn(window: Window) -> dict[str, Any]:
    """Play on until it is this window's turn with something to do."""
    end = time.monotonic() + 40
    while not (
        window.view and window.view["turn"] == window.view["you"] and window.view["actions"]
    ):
        assert time.monotonic() < end
        window.read(40)
    action: dict[str, Any] = window.view["actions"][0]
    return action


def test_an_outage_is_survived_and_the_unanswered_action_sent_again(database: Postgres) -> None:
    with Site(database) as site, open_practice(site) as window:
        assert window.act(my_turn(window))["type"] == "ack"
        action = my_turn(window)
        acked = window.version
        database.stop(signal.SIGQUIT)
        message = {"type": "action", "id": "again", "version": acked, "action": action}
        window.send(message)
        assert window.wait_for("notice", 40)["code"] == "unavailable"
        window.send({"type": "ping", "version": acked})
        assert window.wait_for("pong")["version"] == acked
        database.start()
        end = time.monotonic() + 10
        answer = None
        while answer is None:
            assert time.monotonic() < end, "back within ten seconds"
            window.send(message)
            reply = window.read()
            while reply["type"] not in ("ack", "refused", "notice"):
                reply = window.read()
            if reply["type"] == "ack":
                answer = reply
            else:
                time.sleep(0.5)
        assert answer["id"] == "again"
        # In a version between them the clocks were put right.
        assert answer["version"] == acked + 2
        window.catch_up(answer["version"])
        assert window.act(my_turn(window))["type"] == "ack"
