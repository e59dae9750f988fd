"""`make test` itself: what is missing is named, and fails in CI; what fails is named everywhere."""

import shutil
import signal
import sys
import threading
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from tests import check, services
from tests.typed import sure


@pytest.fixture
def checks() -> check.Checks:
    return check.Checks()


def test_a_failing_command_fails_the_whole(
    checks: check.Checks, capfd: pytest.CaptureFixture[str]
) -> None:
    checks.run("good", sys.executable, "-c", "print('fine')")
    checks.run("bad", sys.executable, "-c", "raise SystemExit(3)")
    assert checks.summary(in_ci=False) == 1
    assert "failed: bad\nSomething is wrong." in capfd.readouterr().out


def test_what_runs_beside_is_printed_whole_when_it_has_ended(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "import sys; print('one', flush=True); print('two', file=sys.stderr); sys.exit(3)"
    checks.run_beside("bad", sys.executable, "-c", says)
    assert capsys.readouterr().out == "\n=== bad\none\ntwo\n--- FAILED (3), 0 s\n"
    checks.run_beside("good", sys.executable, "-c", "", env={"ANY": "thing"})
    assert checks.failed == ["bad"]


def test_what_runs_beside_in_a_whole_run_leaves_the_machine_to_the_others(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.beside = check.YIELDING
    checks.run_beside("nice", sys.executable, "-c", "import os; print(os.nice(0))")
    assert capsys.readouterr().out.splitlines()[2] == "19"


def test_steps_beside_are_carried_out_in_their_order_and_waited_for(checks: check.Checks) -> None:
    begun, done = threading.Event(), list[str]()

    def first(_checks: check.Checks) -> None:
        begun.wait(60)
        done.append("first")

    def second(_checks: check.Checks) -> None:
        done.append("second")

    with check.beside(checks, first, second):
        assert done == []
        begun.set()
    assert done == ["first", "second"]


def test_what_fails_in_a_step_beside_is_not_swallowed(checks: check.Checks) -> None:
    def broken(_checks: check.Checks) -> None:
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"), check.beside(checks, broken):
        pass


@pytest.mark.parametrize("marks", [*product([True, False], repeat=4)])
def test_a_whole_run_has_each_test_once_and_many_examples_of_what_has_examples(
    marks: tuple[bool, ...],
) -> None:
    known = dict(zip(("browser", "slow", "patient", "hypothesis"), marks, strict=True))
    asked = [check.COUNTED, check.PATIENT, check.IN_REAL_TIME]
    counted, patient, in_real_time = (eval(expression, {}, known) for expression in asked)
    assert patient or counted or in_real_time
    assert not (in_real_time and (patient or counted))
    assert not (patient and counted) or known["hypothesis"]


def test_what_is_missing_is_named_and_fails_in_ci_alone(
    checks: check.Checks, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path="": None)
    check.on_services(checks)
    check.skipped(checks)
    check.javascript(checks)
    assert checks.left_out == [
        "tests on PostgreSQL and Redis: this machine has no Redis (apt install redis-server)",
        "tests in a browser: this machine has no Chromium (apt install chromium-headless-shell)",
        "the journeys in Firefox: this machine has no Firefox (apt install firefox-esr)",
        "the journeys in WebKit: this machine has no WebKit and Xvfb "
        "(apt install webkit2gtk-driver xvfb)",
        "the check of nginx's configuration: this machine has no nginx and openssl "
        "(apt install nginx openssl)",
        "tests of the JavaScript: Node.js is missing (apt install nodejs)",
    ]
    assert checks.summary(in_ci=False) == 0
    assert checks.summary(in_ci=True) == 1


def test_what_is_not_run_again_on_services_is_there() -> None:
    left = [*check.SHOWN, *check.ON_THE_LINE]
    assert [path for path in left if not list(check.ROOT.glob(path))] == []


def test_private_servers_run_and_leave_nothing_behind() -> None:
    try:
        with check.running_services() as env:
            with psycopg.connect(**libpq(env["DATABASE_URL"])) as connection:
                assert connection.execute("SHOW fsync").fetchone() == ("on",)
                folder = Path(connection.info.host)
            client = redis.Redis.from_url(env["REDIS_URL"])
            assert client.ping() is True
            client.close()
            assert folder.exists()
    except services.ServiceMissing as missing:
        pytest.skip(f"needs {missing}")
    assert not folder.exists()
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(env["REDIS_URL"]).ping()


def libpq(url: str) -> dict[str, Any]:
    import dj_database_url

    parsed = dj_database_url.parse(url)
    return {"host": parsed["HOST"], "user": parsed["USER"], "dbname": parsed["NAME"]}


class Sleeper(services.Service):
    def command(self) -> list[str]:
        return [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]

    def ready(self) -> bool:
        return "up" in self.log.read_text()


class Dead(Sleeper):
    def command(self) -> list[str]:
        return [sys.executable, "-c", "raise SystemExit('no room')"]


def test_a_service_is_stopped_and_started_again() -> None:
    with Sleeper() as sleeper:
        first = sure(sleeper.process).pid
        sleeper.stop(signal.SIGKILL)
        assert sure(sleeper.start().process).pid != first
    assert not sleeper.folder.exists()


def test_a_service_that_ends_at_once_says_why() -> None:
    dead = Dead()
    with pytest.raises(RuntimeError, match="no room"), dead:
        pass
    assert not dead.folder.exists()
