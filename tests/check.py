"""`make test`: every check and test, on what this machine has; it says what it left out.

With CI=true a missing component is a failure. PostgreSQL and Redis are private instances.
FAST=1 leaves out what needs a browser or a service, and what takes seconds by its nature.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import lines, migrated, services

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = sys.executable
NPM_PACKAGES = ROOT / "node_modules" / ".package-lock.json"  # npm writes it when it has finished

PRODUCTION = {
    "SECRET_KEY": "only-for-this-check-" * 4,
    "ALLOWED_HOSTS": "lastcard.example.edu",
    "HTTPS": "1",
    "EMAIL_HOST": "mail.example.edu",
    "DEFAULT_FROM_EMAIL": "cards@example.edu",
}
QUICK = "not browser and not slow"
# Lines are counted in what mirrors the code. `patient` tests wait for nothing: they take what the
# others leave of the machine while these wait for browsers and clocks.
COUNTED = f"{QUICK} and not patient and not nightly"
PATIENT = "patient and not nightly"
IN_REAL_TIME = f"not ({QUICK}) and not patient and not nightly"
YIELDING = ["nice", "-n", "19"]
# What two databases may answer differently runs again on PostgreSQL and Redis; pages and sums do
# not. In real time, with processes that die and the whole event, which takes minutes, it runs on
# those alone where they are installed: events run on them. `make nightly` asks SQLite too.
SQL = "(sql and database) or postgres or redis"
SQL_QUICK = f"({SQL}) and {COUNTED}"
SQL_IN_REAL_TIME = f"({SQL}) and {IN_REAL_TIME}"
ALIKE_IN_REAL_TIME = f"not ({SQL}) and {IN_REAL_TIME}"
DESK = "tests/tournament/web/admin"
# Of what holds for all a few examples are tried; `make nightly` looks far.
FEW = ["--hypothesis-profile", "few"]
DISTRIBUTED = ["--dist", "worksteal", "--durations", "10", "-raR"]


class Checks:
    """Runs commands and remembers how they ended."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.left_out: list[str] = []
        self.beside: list[str] = []  # by what a command begins that runs beside others
        self.took: list[tuple[str, float]] = []  # s

    def run(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Print what the command says as it says it."""
        print(f"\n=== {title}", flush=True)
        start = time.monotonic()
        ended = subprocess.run(command, cwd=ROOT, env=_with(env), check=False)
        self._note(title, ended.returncode, start)

    def run_beside(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run the command while others run, and print its output when it has ended."""
        start = time.monotonic()
        ended = subprocess.run(
            [*self.beside, *command],
            cwd=ROOT,
            env=_with(env),
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        print(f"\n=== {title}\n{ended.stdout}", end="")
        self._note(title, ended.returncode, start)

    def _note(self, title: str, code: int, start: float) -> None:
        how = "ok" if code == 0 else f"FAILED ({code})"
        self.took.append((title, time.monotonic() - start))
        print(f"--- {how}, {self.took[-1][1]:.0f} s", flush=True)
        if code:
            self.failed.append(title)

    def leave_out(self, what: str, why: str) -> None:
        print(f"\n=== left out: {what}: {why}", flush=True)
        self.left_out.append(f"{what}: {why}")

    def summary(self, in_ci: bool) -> int:
        print("\n=== Summary")
        for title, seconds in self.took:
            minutes, rest = divmod(round(seconds), 60)
            print(f"{minutes:4}:{rest:02}  {title}")
        for line in self.left_out:
            print(f"left out: {line}")
        for title in self.failed:
            print(f"failed: {title}")
        bad = bool(self.failed or (in_ci and self.left_out))
        print("Something is wrong." if bad else "All checks that ran have passed.")
        return int(bad)


def _with(env: dict[str, str] | None) -> dict[str, str]:
    return {**os.environ, **(env or {})}


def lint(checks: Checks) -> None:
    checks.run_beside("ruff check", str(BIN / "ruff"), "check", ".")
    checks.run_beside("ruff format", str(BIN / "ruff"), "format", "--check", ".")
    checks.run_beside("codespell", str(BIN / "codespell"))
    checks.run_beside("mypy", str(BIN / "mypy"))
    checks.run_beside("order of imports", str(BIN / "lint-imports"), "--no-cache", "--no-logo")


def django_checks(checks: Checks) -> None:
    manage = [PYTHON, "manage.py"]
    deploy = ["check", "--deploy", "--fail-level", "WARNING"]
    checks.run_beside("manage.py check --deploy", *manage, *deploy, env=PRODUCTION)
    dry = ["makemigrations", "--check", "--dry-run"]
    checks.run_beside("migrations match the models", *manage, *dry)


def words(checks: Checks) -> None:
    try:
        services.gettext()
    except services.MissingServiceError as missing:
        checks.leave_out("the check of the texts for translators", f"this machine has no {missing}")
    else:
        checks.run_beside("texts can be translated", PYTHON, "-m", "tests.catalogues")


def javascript(checks: Checks) -> None:
    node = shutil.which("node")
    if node is None:
        checks.leave_out("tests of the JavaScript", "Node.js is missing (apt install nodejs)")
        return
    tested = node_tests(node)
    checks.run_beside("JavaScript", *tested, *js_tests("tests/js/*.test.js"))
    if not NPM_PACKAGES.exists():
        what = "eslint, tsc and the JavaScript's tests with a page"
        checks.leave_out(what, "npm is missing (apt install npm)")
        return
    checks.run_beside("JavaScript with a page", *tested, *js_tests("tests/js/dom/*.test.js"))
    checks.run_beside("eslint", node, "node_modules/eslint/bin/eslint.js", "--max-warnings", "0")
    checks.run_beside("tsc", node, "node_modules/typescript/bin/tsc", "--project", "jsconfig.json")


def node_tests(node: str) -> list[str]:
    """Return the start of the command that runs the JavaScript tests.

    It works as on Debian 12, whose Node.js 18 has no global `crypto`.
    """
    return [node, "--no-experimental-global-webcrypto", "--test"]


def js_tests(pattern: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def pytest(checks: Checks, title: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    # Three at a time on two cores: some wait for a clock. A browser may starve on a shared machine:
    # "RERUN" in the summary names such a test.
    how = ["-n", "3", "--second-try", *DISTRIBUTED]
    checks.run(title, PYTHON, "-m", "pytest", *how, *arguments, env=env)


def pytest_beside(
    checks: Checks, title: str, *arguments: str, env: dict[str, str] | None = None
) -> None:
    """Run pytest while other checks run, without a limit on the time that a test may wait."""
    how = ["-n", "2", "--second-try", "-o", "faulthandler_timeout=0", *DISTRIBUTED]
    checks.run_beside(title, PYTHON, "-m", "pytest", *how, *arguments, env=env)


def patient(checks: Checks) -> None:
    what = "pytest of what waits for nothing"
    pytest_beside(checks, what, "-m", PATIENT, "--naming", "patient", *FEW)


def sql(checks: Checks) -> None:
    on_services(checks, "tests on PostgreSQL and Redis", pytest_beside, SQL_QUICK)


def sql_in_real_time(checks: Checks) -> None:
    """Of SQLite where there is nothing else."""
    what = "browser and processes on PostgreSQL and Redis"
    if not on_services(checks, what, pytest, SQL_IN_REAL_TIME):
        pytest(checks, "the same on SQLite", "-m", SQL_IN_REAL_TIME, *FEW)


def on_services(checks: Checks, what: str, run: Callable[..., None], marks: str) -> bool:
    """Run the tests on PostgreSQL and Redis, and return whether this machine has them."""
    try:
        # Tests in which PostgreSQL dies have one of their own, which flushes.
        with running_services(durable=False) as env:
            run(checks, what, "-m", marks, "--naming", "sql,postgres,redis", *FEW, env=env)
    except services.MissingServiceError as missing:
        checks.leave_out(what, f"this machine has no {missing}")
        return False
    return True


@contextlib.contextmanager
def running_services(*, durable: bool = True) -> Iterator[dict[str, str]]:
    """Environment of a site on a private PostgreSQL and Redis."""
    with services.Redis() as redis, migrated.postgres(durable=durable) as postgres:
        yield {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}


# What tests find by themselves, or are skipped without.
FOUND_BY_TESTS: dict[str, Callable[[], object]] = {
    "tests in a browser": services.chromium,
    "the journeys in Firefox": services.firefox,
    "the journeys in WebKit": services.webkit,
    "the check of nginx's configuration": services.nginx,
    "the trials of the alert rules": services.promtool,
}


def skipped(checks: Checks) -> None:
    """Name what tests will be skipped for."""
    for what, find in FOUND_BY_TESTS.items():
        try:
            find()
        except services.MissingServiceError as missing:
            checks.leave_out(what, f"this machine has no {missing}")


# What reads the code and runs none of it with a database.
READING = (lint, django_checks, words, javascript)


@contextlib.contextmanager
def beside(checks: Checks, *steps: Callable[[Checks], None]) -> Iterator[None]:
    """Run these steps one after the other while the body of the `with` statement runs."""
    with ThreadPoolExecutor(1) as executor:
        begun = [executor.submit(step, checks) for step in steps]
        yield
    for each in begun:
        each.result()


def fast(checks: Checks) -> None:
    checks.leave_out("browser, services, processes that crash, long games and waits", "FAST=1")
    checks.leave_out("most examples of what holds for all hands, lists and seatings", "FAST=1")
    checks.leave_out("the organizers' pages, whose services and queries are tested", "FAST=1")
    checks.leave_out("what walks through every page and every file once more", "FAST=1")
    with beside(checks, *READING):
        pytest(checks, "pytest on SQLite", "-m", COUNTED, *FEW, f"--ignore={DESK}")


def whole(checks: Checks) -> None:
    """Run all checks, with the patient ones in the background.

    Tests that do not depend on real time use the capacity that clocks, browsers and processes
    leave of the machine.
    """
    skipped(checks)
    checks.beside = YIELDING
    with beside(checks, *READING, sql, patient):
        counted(checks)
        browser_and_processes(checks)
        sql_in_real_time(checks)


def browser_and_processes(checks: Checks) -> None:
    how = ["-m", ALIKE_IN_REAL_TIME, "--naming", "browser,slow", *FEW]
    pytest(checks, "pytest with browser and processes", *how)


def counted(checks: Checks) -> None:
    """Run the tests that do not depend on real time, and check how much of the code they run."""
    with tempfile.TemporaryDirectory() as folder:
        seen = {"LASTCARD_LINES": folder}
        pytest(checks, "pytest on SQLite", "-m", COUNTED, *FEW, *lines.QUIET, env=seen)
        checks.run("lines and branches that tests run", PYTHON, "-m", "tests.lines", folder)


def prepare() -> None:
    """Prepare the environment of a run."""
    for name in ("DATABASE_URL", "REDIS_URL"):  # never on the servers of a real site
        os.environ.pop(name, None)
    # Compiling all tests anew takes each worker six seconds.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # A background job ignores it, and so would every service that is stopped by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main() -> int:
    prepare()
    checks = Checks()
    (fast if os.environ.get("FAST") else whole)(checks)
    return checks.summary(in_ci=os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
