"""F53: PostgreSQL fails during a match and recovers. No acknowledged action is lost."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from games.client.player import Visitor
from games.clocks import downtime
from tests.games.windows import Window
from tests.migrated import start_postgres
from tests.own_site import ADDRESS, PASSWORD, OwnSite
from tests.services import Postgres

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with start_postgres() as service:
        yield service


@pytest.fixture(scope="module")
def site(database: Postgres) -> Iterator[OwnSite]:
    site = OwnSite(database.url)
    site.make_user()
    with site:
        yield site


def open_practice(site: OwnSite) -> Window:
    visitor = Visitor(site.url)
    visitor.sign_in(ADDRESS, PASSWORD)
    match = visitor.practice("uno-400", 2)
    address = f"{site.url.replace('http', 'ws')}/ws/match/{match}/"
    headers = {"Cookie": visitor.cookies}
    return Window(connect(address, origin=Origin(site.url), additional_headers=headers))


def wait_for_turn(window: Window) -> dict[str, Any]:
    """Read until it is this window's turn, and return the first available action."""
    end = time.monotonic() + 40
    while not (
        window.view and window.view["turn"] == window.view["you"] and window.view["actions"]
    ):
        assert time.monotonic() < end
        window.read(40)
    action: dict[str, Any] = window.view["actions"][0]
    return action


def test_unanswered_action_is_sent_again_after_an_outage(site: OwnSite, database: Postgres) -> None:
    with open_practice(site) as window:
        assert window.act(wait_for_turn(window))["type"] == "ack"
        action = wait_for_turn(window)
        acked = window.version
        database.stop(signal.SIGQUIT)
        message = {"type": "action", "id": "again", "version": acked, "action": action}
        window.send(message)
        assert window.wait_for("notice", 40)["code"] == "unavailable"
        window.send({"type": "ping", "version": acked})
        assert window.wait_for("pong")["version"] == acked
        # A shorter interruption would not count as an outage.
        time.sleep(downtime.SILENT_SECONDS)
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
        # Correcting the clocks adds a version, before or after that of the action.
        assert answer["version"] in (acked + 1, acked + 2)
        window.catch_up(acked + 2)
        wait_for_turn(window)
        lines = window.view["log"]
        mine = [line for line in lines if line["seat"] == window.view["you"] and not line["more"]]
        assert len(mine) == 2, "neither lost nor done twice"
        assert [line for line in lines if line["text"].startswith("The site was down for")] != []
        assert window.act(wait_for_turn(window))["type"] == "ack"


@pytest.mark.parametrize("signal_", [signal.SIGQUIT, signal.SIGSTOP], ids=["killed", "hung"])
def test_action_during_the_outage_is_refused_within_two_seconds(
    site: OwnSite, database: Postgres, signal_: signal.Signals
) -> None:
    with open_practice(site) as window:
        action = wait_for_turn(window)
        with interrupt_postgres(database, signal_):
            begun = time.monotonic()
            window.send(
                {"type": "action", "id": "one", "version": window.version, "action": action}
            )
            assert window.wait_for("notice", 10)["code"] == "unavailable"
            assert time.monotonic() - begun < 2
            window.send({"type": "ping", "version": window.version})
            window.wait_for("pong", 2)


@contextmanager
def interrupt_postgres(database: Postgres, signal_: signal.Signals) -> Iterator[None]:
    """Kill or suspend all processes of PostgreSQL during the `with` block."""
    assert database.process is not None
    if signal_ == signal.SIGQUIT:
        database.stop(signal_)
        yield
        database.start()
        return
    children = Path(f"/proc/{database.process.pid}/task/{database.process.pid}/children")
    processes = [database.process.pid, *map(int, children.read_text().split())]
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    yield
    for pid in processes:
        os.kill(pid, signal.SIGCONT)


def test_pages_explain_the_database_outage(site: OwnSite, database: Postgres) -> None:
    before = len(site.log.read_text())
    database.stop(signal.SIGQUIT)
    try:
        with pytest.raises(HTTPError) as answered:
            urlopen(f"{site.url}/e/unknown/")
        assert answered.value.status == 503
        assert "can’t save anything right now" in answered.value.read().decode()
    finally:
        database.start()
    text = site.log.read_text()[before:]
    assert "ERROR django.request: Service Unavailable: /e/unknown/: " in text
    assert "Traceback" not in text
