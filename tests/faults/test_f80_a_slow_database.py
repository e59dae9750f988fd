"""F80: PostgreSQL is slow, or one of its tables is locked.

Responses are late but correct, and nothing is lost.
"""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from games.clocks import downtime
from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    read_until_outage_notice,
    request_time_left,
)
from tests.faults.test_f53_postgres_restarted import open_practice, wait_for_turn
from tests.games.windows import Window
from tests.migrated import start_postgres
from tests.network import GOOD_NETWORK, Network, Quality
from tests.own_site import OwnSite
from tests.services import Postgres, wait_for

pytestmark = pytest.mark.slow

# Added to the round trip of each statement, in seconds.
DELAY_SECONDS = 0.2


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with start_postgres() as service:
        yield service


@pytest.fixture(scope="module")
def line(database: Postgres) -> Iterator[Network]:
    with Network(Path(database.folder) / ".s.PGSQL.5432") as line:
        yield line


@pytest.fixture(scope="module")
def site(line: Network) -> Iterator[OwnSite]:
    site = OwnSite(f"postgres://lastcard@127.0.0.1:{line.port}/postgres")
    site.make_user()
    with site:
        yield site


def test_locked_table_stops_the_clocks_and_alerts_monitors(
    site: OwnSite, database: Postgres
) -> None:
    with open_practice(site) as window:
        wait_for_turn(window)
        before = request_time_left(window).get_seconds_left()
        with lock_table(database, "games_match"):
            wait_for(lambda: list_problem_codes(site) == ["database"], "what monitors are told", 12)
        read_until_outage_notice(window)
        assert request_time_left(window).seconds == pytest.approx(before, abs=TOLERANCE_SECONDS)
        wait_for(lambda: list_problem_codes(site) == [], "all is well", 12)


def test_action_on_a_locked_table_gets_an_answer_and_is_applied_once(
    site: OwnSite, database: Postgres
) -> None:
    with open_practice(site) as window:
        message = wait_for_action(window)
        with lock_table(database, "games_match"):
            assert send_once(window, message)["code"] == "unavailable"
        assert send_until_saved(window, message)["type"] == "ack"
        assert count_stored_actions(database, message) == 1


def test_slow_statements_still_apply_every_move_once(
    site: OwnSite, line: Network, database: Postgres
) -> None:
    with open_practice(site) as window:
        wait_for_turn(window)
        line.quality = Quality(delay=(DELAY_SECONDS / 2, DELAY_SECONDS / 2))
        try:
            for _move in range(3):
                message = wait_for_action(window)
                assert send_until_saved(window, message)["type"] == "ack"
                assert count_stored_actions(database, message) == 1
            # Recording an outage must not take so long that it counts as another outage.
            with line.outage():
                time.sleep(downtime.SILENT_SECONDS + 1)
            assert send_until_saved(window, wait_for_action(window))["type"] == "ack"
            assert site.sign_in() == 200
        finally:
            line.quality = GOOD_NETWORK


@contextmanager
def lock_table(database: Postgres, table: str) -> Iterator[None]:
    """Lock this table, so that even readers have to wait."""
    with psycopg.connect(database.url) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
        yield


def wait_for_action(window: Window) -> dict[str, Any]:
    """Wait for this window's turn, and return a message with an available action."""
    action = wait_for_turn(window)
    name = f"mine-{time.monotonic_ns()}"
    return {"type": "action", "id": name, "version": window.version, "action": action}


def send_once(window: Window, message: dict[str, Any]) -> dict[str, Any]:
    """Send the message, and return the answer or the notice."""
    window.send(message)
    end = time.monotonic() + 60
    while (answer := window.read())["type"] not in ("ack", "refused", "notice"):
        assert time.monotonic() < end, "neither answer nor notice"
    return answer


def send_until_saved(window: Window, message: dict[str, Any]) -> dict[str, Any]:
    """Send the message again after each notice that it could not be saved, like a browser.

    Return the answer.
    """
    end = time.monotonic() + 60
    while (answer := send_once(window, message))["type"] == "notice":
        assert time.monotonic() < end, "nothing is saved any more"
        time.sleep(0.5)
    window.catch_up(answer["version"])
    return answer


def list_problem_codes(site: OwnSite) -> list[str]:
    """Return the codes of the problems that /readyz reports."""
    return [wrong["code"] for wrong in json.loads(site.get("/readyz")[1])["wrong"]]


def count_stored_actions(database: Postgres, message: dict[str, Any]) -> int:
    """Return how often the message's action is stored."""
    asked = "SELECT count(*) FROM games_loggedaction WHERE client_id = %s"
    with psycopg.connect(database.url) as connection:
        row = connection.execute(asked, [message["id"]]).fetchone()
        assert row is not None
        return int(row[0])
