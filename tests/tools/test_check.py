"""Tests of `make test`, which reports failures and missing tools. Only CI requires all tools."""

import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from tests import check, services
from tests.conftest import pytest_ignore_collect
from tests.typed import sure


@pytest.fixture
def checks() -> check.Checks:
    return check.Checks()


def test_failing_command_fails_the_whole_check(
    checks: check.Checks, capfd: pytest.CaptureFixture[str]
) -> None:
    checks.run("good", sys.executable, "-c", "print('fine')")
    checks.run("bad", sys.executable, "-c", "raise SystemExit(3)")
    assert checks.print_summary(in_ci=False) == 1
    assert "failed: bad\nSomething is wrong." in capfd.readouterr().out


def test_parallel_output_is_printed_when_the_command_ends(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "import sys; print('one', flush=True); print('two', file=sys.stderr); sys.exit(3)"
    checks.run_alongside("bad", sys.executable, "-c", says)
    said = capsys.readouterr().out
    assert re.sub(r"\d+ s", "N s", said) == (
        "\n=== bad\none\ntwo\n--- FAILED (3), N s, N s of processor\n"
    )
    checks.run_alongside("good", sys.executable, "-c", "", env={"ANY": "thing"})
    assert checks.failed == ["bad"]


def test_parallel_steps_in_a_full_run_yield_the_cpu_to_other_steps(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.prefix = check.LOW_PRIORITY
    checks.run_alongside("nice", sys.executable, "-c", "import os; print(os.nice(0))")
    assert capsys.readouterr().out.splitlines()[2] == "19"


def test_parallel_steps_run_in_order_and_are_awaited(checks: check.Checks) -> None:
    begun, done = threading.Event(), list[str]()

    def first(_checks: check.Checks) -> None:
        begun.wait(60)
        done.append("first")

    def second(_checks: check.Checks) -> None:
        done.append("second")

    with check.run_in_background(checks, first, second):
        assert done == []
        begun.set()
    assert done == ["first", "second"]


def test_failure_in_a_parallel_step_is_not_swallowed(checks: check.Checks) -> None:
    def raise_error(_checks: check.Checks) -> None:
        raise RuntimeError("no room")

    with pytest.raises(RuntimeError, match="no room"), check.run_in_background(checks, raise_error):
        pass


MARK_NAMES = ("browser", "slow", "patient", "nightly", "database", "sql", "postgres", "redis")
MARK_COMBINATIONS = [
    dict(zip(MARK_NAMES, some, strict=True))
    for some in product([True, False], repeat=len(MARK_NAMES))
]


def is_selected(expression: str, marks: dict[str, bool]) -> bool:
    return bool(eval(expression, {}, marks))


def count_matching_parts(parts: list[str], known: dict[str, bool]) -> int:
    return [is_selected(part, known) for part in parts].count(True)


def test_full_run_includes_each_test_once_except_nightly_ones() -> None:
    parts = [check.PORTABLE_QUICK, check.SQL_QUICK, check.PORTABLE_REAL_TIME, check.SQL_REAL_TIME]
    assert [count_matching_parts(parts, known) for known in MARK_COMBINATIONS] == [
        not known["nightly"] for known in MARK_COMBINATIONS
    ]


def test_database_tests_run_on_services() -> None:
    parts = [check.SQL_QUICK, check.SQL_REAL_TIME]
    for known in MARK_COMBINATIONS:
        asked = is_selected(check.SQL, known) and not known["patient"] and not known["nightly"]
        assert count_matching_parts(parts, known) == asked


def test_nightly_run_covers_service_tests_on_sqlite() -> None:
    nights = [check.COVERED_QUICK, f"{check.SQL_REAL_TIME} or nightly"]
    for known in MARK_COMBINATIONS:
        by_day = [check.SQL_QUICK, check.SQL_REAL_TIME]
        assert count_matching_parts(nights, known) >= count_matching_parts(by_day, known)


def test_service_tests_fall_back_to_sqlite(
    checks: check.Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()
    for run in ("run", "run_alongside"):
        monkeypatch.setattr(
            check.Checks, run, lambda self, title, *_command, **_how: asked.append(title)
        )
    monkeypatch.setattr(check, "run_on_services", lambda *_given: False)
    check.run_sql_tests(checks)
    check.run_real_time_sql_tests(checks)
    monkeypatch.setattr(check, "run_on_services", lambda *_given: True)
    check.run_sql_tests(checks)
    check.run_real_time_sql_tests(checks)
    assert asked == ["those on SQLite", "the same on SQLite"]


def test_selection_markers_are_used_only_in_test_files() -> None:
    """Check that selection markers are used only in test files.

    `--naming` skips files that do not name the marker, so a marker set elsewhere would be missed.
    """
    given = re.compile(r"mark\.(browser|slow|patient|sql|postgres|redis)\b")
    files = [path for path in Path(check.ROOT, "tests").rglob("*.py") if path.name[:5] != "test_"]
    assert [path.name for path in files if given.search(path.read_text())] == []


def test_file_without_the_keywords_is_not_loaded(
    tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pytestconfig.option, "naming", ["slow"])
    for name, text in {"test_a.py": "slow", "test_b.py": "quick", "conftest.py": ""}.items():
        (tmp_path / name).write_text(text)
    left_out = [
        path.name
        for path in sorted(tmp_path.iterdir())
        if pytest_ignore_collect(path, pytestconfig)
    ]
    assert left_out == ["test_b.py"]


def test_summary_lists_the_time_of_each_part(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.timings = [("one part", 361.6, 600), ("another", 8.2, 1.4)]
    checks.print_summary(in_ci=False)
    found = capsys.readouterr().out.splitlines()
    assert found[found.index("=== Summary: time by the clock, time of processor") + 1 :] == [
        "   6:02   10:00  one part",
        "   0:08    0:01  another",
        "          10:01  all",
        "All checks that ran have passed.",
    ]


@pytest.mark.parametrize("run", [check.Checks.run, check.Checks.run_alongside])
def test_cpu_time_includes_descendant_processes(
    checks: check.Checks, run: Callable[..., None]
) -> None:
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    run(checks, "busy", "sh", "-c", f"{sys.executable} -c '{busy}'; true")
    assert checks.timings[0][2] >= 0.5


def test_excused_part_does_not_fail_ci(
    checks: check.Checks, capsys: pytest.CaptureFixture[str]
) -> None:
    checks.skip("a slow machine", "no control groups", excused=True)
    assert checks.print_summary(in_ci=True) == 0
    assert "left out: a slow machine: no control groups\n" in capsys.readouterr().out


def test_missing_tools_are_named_and_fail_only_in_ci(
    checks: check.Checks, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path="": None)
    monkeypatch.setattr(check.Checks, "run", lambda *_given, **_named: None)
    monkeypatch.setattr(check.Checks, "run_alongside", lambda *_given, **_named: None)
    check.run_sql_tests(checks)
    check.run_real_time_sql_tests(checks)
    check.report_skipped(checks)
    check.run_javascript_tests(checks)
    assert checks.left_out == [
        "quick tests on PostgreSQL and Redis: this machine has no Redis (apt install redis-server)",
        "browser and processes on PostgreSQL and Redis: this machine has no Redis "
        "(apt install redis-server)",
        "tests in a browser: this machine has no Chromium (apt install chromium-headless-shell)",
        "the journeys in Firefox: this machine has no Firefox (apt install firefox-esr)",
        "the journeys in WebKit: this machine has no WebKit and Xvfb "
        "(apt install webkit2gtk-driver xvfb)",
        "the check of nginx's configuration: this machine has no nginx and openssl "
        "(apt install nginx openssl)",
        "the trials of the alert rules: this machine has no promtool (apt install prometheus)",
        "tests of the JavaScript: Node.js is missing (apt install nodejs)",
    ]
    assert checks.print_summary(in_ci=False) == 0
    assert checks.print_summary(in_ci=True) == 1


def test_tests_excluded_from_a_fast_run_exist() -> None:
    assert list((check.ROOT / check.DESK_TESTS).rglob("test_*.py"))


def test_script_tests_run_without_a_global_crypto(tmp_path: Path) -> None:
    """Check that newer versions of Node.js run the script tests without a global `crypto`.

    Debian's Node.js 18 has no such global.
    """
    if (node := shutil.which("node")) is None:
        pytest.skip("needs Node.js")
    script = tmp_path / "script.mjs"
    script.write_text("console.log(typeof crypto)")
    asked = [*check.build_node_command(node)[:-1], str(script)]
    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    assert said == "undefined\n"


@pytest.mark.slow
def test_private_servers_leave_nothing_behind() -> None:
    try:
        with check.running_services() as env:
            with psycopg.connect(**parse_database_url(env["DATABASE_URL"])) as connection:
                assert connection.execute("SHOW fsync").fetchone() == ("on",)
                folder = Path(connection.info.host)
            client = redis.Redis.from_url(env["REDIS_URL"])
            assert client.ping() is True
            client.close()
            assert folder.exists()
    except services.MissingServiceError as missing:
        pytest.skip(f"needs {missing}")
    assert not folder.exists()
    with pytest.raises(redis.ConnectionError):
        redis.Redis.from_url(env["REDIS_URL"]).ping()


def parse_database_url(url: str) -> dict[str, Any]:
    import dj_database_url

    parsed = dj_database_url.parse(url)
    return {"host": parsed["HOST"], "user": parsed["USER"], "dbname": parsed["NAME"]}


class SleepingService(services.Service):
    def command(self) -> list[str]:
        return [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]

    def ready(self) -> bool:
        return "up" in self.log.read_text()


class DeadService(SleepingService):
    def command(self) -> list[str]:
        return [sys.executable, "-c", "raise SystemExit('no room')"]


def test_service_can_be_stopped_and_restarted() -> None:
    with SleepingService() as sleeper:
        first = sure(sleeper.process).pid
        sleeper.stop(signal.SIGKILL)
        assert sure(sleeper.start().process).pid != first
    assert not sleeper.folder.exists()


def test_service_that_fails_to_start_reports_the_reason() -> None:
    dead = DeadService()
    with pytest.raises(RuntimeError, match="no room"), dead:
        pass
    assert not dead.folder.exists()
