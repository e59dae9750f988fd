"""`make test`: run every check that this machine can run, and report the others.

PostgreSQL and Redis are private instances. With CI=true, a missing component is a failure. FAST=1
skips slow checks and those that need a browser or a service.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from tests import migrated, services

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = sys.executable
# npm writes this file after a complete installation.
NPM_PACKAGES = ROOT / "node_modules" / ".package-lock.json"

PRODUCTION = {
    "SECRET_KEY": "only-for-this-check-" * 4,
    "ALLOWED_HOSTS": "lastcard.example.edu",
    "HTTPS": "1",
    "EMAIL_HOST": "mail.example.edu",
    "DEFAULT_FROM_EMAIL": "cards@example.edu",
}
QUICK = "not browser and not slow"
# Tests for which `make nightly` measures coverage. `patient` tests cover no additional code.
COVERED_QUICK = f"{QUICK} and not patient and not nightly"
REAL_TIME = f"not ({QUICK}) and not patient and not nightly"
LOW_PRIORITY = ["nice", "-n", "19"]
# Tests whose results may depend on the database run on PostgreSQL and Redis if these are installed,
# like real events. `make nightly` also runs them on SQLite.
SQL = "(sql and database) or postgres or redis"
SQL_QUICK = f"({SQL}) and {COVERED_QUICK}"
SQL_REAL_TIME = f"({SQL}) and {REAL_TIME}"
PORTABLE_QUICK = f"(({QUICK} and not ({SQL})) or patient) and not nightly"
PORTABLE_REAL_TIME = f"not ({SQL}) and {REAL_TIME}"
DESK_TESTS = "tests/tournament/web/admin"
# Property tests try few examples here and many in `make nightly`.
FEW_EXAMPLES = ["--hypothesis-profile", "few"]
DISTRIBUTION_OPTIONS = ["--dist", "worksteal", "--durations", "10", "-raR"]


class Checks:
    """Runner of commands that records their outcomes."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.left_out: list[str] = []
        self.excused: list[str] = []  # skipped checks that do not fail a CI run
        self.prefix: list[str] = []  # prefix of background commands
        self.timings: list[tuple[str, float, float]] = []  # elapsed seconds, processor seconds

    def run(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run a command and print its output as it arrives."""
        print(f"\n=== {title}", flush=True)
        start = time.monotonic()
        with subprocess.Popen(command, cwd=ROOT, env=_merge_env(env)) as process:
            self._record_outcome(title, *wait_for_end(process), start)

    def run_alongside(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run a command in the background, and print its output after it has ended."""
        start = time.monotonic()
        with subprocess.Popen(
            [*self.prefix, *command],
            cwd=ROOT,
            env=_merge_env(env),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            output = process.stdout.read() if process.stdout else ""
            code, processor = wait_for_end(process)
        print(f"\n=== {title}\n{output}", end="")
        self._record_outcome(title, code, processor, start)

    def _record_outcome(self, title: str, code: int, processor: float, start: float) -> None:
        how = "ok" if code == 0 else f"FAILED ({code})"
        seconds = time.monotonic() - start
        self.timings.append((title, seconds, processor))
        print(f"--- {how}, {seconds:.0f} s, {processor:.0f} s of processor", flush=True)
        if code:
            self.failed.append(title)

    def skip(self, check: str, reason: str, *, excused: bool = False) -> None:
        """Report a check that cannot run here. In CI, this is a failure unless `excused`."""
        print(f"\n=== left out: {check}: {reason}", flush=True)
        (self.excused if excused else self.left_out).append(f"{check}: {reason}")

    def print_summary(self, in_ci: bool) -> int:
        print("\n=== Summary: time by the clock, time of processor")
        for title, seconds, processor in self.timings:
            print(f"{format_minutes(seconds)} {format_minutes(processor)}  {title}")
        print(f"{'':7} {format_minutes(sum(processor for *_, processor in self.timings))}  all")
        for line in [*self.left_out, *self.excused]:
            print(f"left out: {line}")
        for title in self.failed:
            print(f"failed: {title}")
        bad = bool(self.failed or (in_ci and self.left_out))
        print("Something is wrong." if bad else "All checks that ran have passed.")
        return int(bad)


def _merge_env(env: dict[str, str] | None) -> dict[str, str]:
    return {**os.environ, **(env or {})}


def wait_for_end(process: subprocess.Popen[Any]) -> tuple[int, float]:
    """Return the exit code and the processor seconds of a process and its descendants.

    On a shared machine, processor time says more about a check than elapsed time does.
    """
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def format_minutes(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes:4}:{rest:02}"


def run_linters(checks: Checks) -> None:
    checks.run_alongside("ruff check", str(BIN / "ruff"), "check", ".")
    checks.run_alongside("ruff format", str(BIN / "ruff"), "format", "--check", ".")
    checks.run_alongside("codespell", str(BIN / "codespell"))
    checks.run_alongside("mypy", str(BIN / "mypy"))
    checks.run_alongside("order of imports", str(BIN / "lint-imports"), "--no-cache", "--no-logo")


def run_django_checks(checks: Checks) -> None:
    manage = [PYTHON, "manage.py"]
    deploy = ["check", "--deploy", "--fail-level", "WARNING"]
    checks.run_alongside("manage.py check --deploy", *manage, *deploy, env=PRODUCTION)
    dry = ["makemigrations", "--check", "--dry-run"]
    checks.run_alongside("migrations match the models", *manage, *dry)


def check_translations(checks: Checks) -> None:
    try:
        services.find_gettext()
    except services.MissingServiceError as missing:
        checks.skip("the check of the texts for translators", f"this machine has no {missing}")
    else:
        checks.run_alongside("texts can be translated", PYTHON, "-m", "tests.catalogues")


def run_javascript_tests(checks: Checks) -> None:
    node = shutil.which("node")
    if node is None:
        checks.skip("tests of the JavaScript", "Node.js is missing (apt install nodejs)")
        return
    tested = build_node_command(node)
    checks.run_alongside("JavaScript", *tested, *list_js_tests("tests/js/*.test.js"))
    if not NPM_PACKAGES.exists():
        what = "eslint, tsc and the JavaScript's tests with a page"
        checks.skip(what, "npm is missing (apt install npm)")
        return
    checks.run_alongside(
        "JavaScript with a page", *tested, *list_js_tests("tests/js/dom/*.test.js")
    )
    checks.run_alongside("eslint", node, "node_modules/eslint/bin/eslint.js", "--max-warnings", "0")
    checks.run_alongside(
        "tsc", node, "node_modules/typescript/bin/tsc", "--project", "jsconfig.json"
    )


def build_node_command(node: str) -> list[str]:
    """Return the start of the command that runs the JavaScript tests.

    Node.js runs without the global `crypto`, like Node.js 18 in Debian 12.
    """
    return [node, "--no-experimental-global-webcrypto", "--test"]


def list_js_tests(pattern: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def list_retry_options() -> list[str]:
    """Return pytest's options for real-time tests, which may fail on a busy machine.

    Such tests are retried once. On the simulated slow machine of `make nightly`, they have no time
    limit and are not retried.
    """
    if os.environ.get("SLOW_MACHINE"):
        return ["-o", "faulthandler_timeout=0"]
    return ["--second-try"]


def run_pytest(
    checks: Checks, title: str, *arguments: str, env: dict[str, str] | None = None
) -> None:
    # Three workers on two cores, because some tests only wait. On a shared machine, a browser may
    # get too little time; the summary lists the affected tests as "RERUN".
    how = ["-n", "3", *list_retry_options(), *DISTRIBUTION_OPTIONS]
    checks.run(title, PYTHON, "-m", "pytest", *how, *arguments, env=env)


def run_pytest_in_background(
    checks: Checks, title: str, *arguments: str, env: dict[str, str] | None = None
) -> None:
    """Run pytest in the background, without a time limit for each test."""
    how = ["-n", "2", *list_retry_options(), "-o", "faulthandler_timeout=0", *DISTRIBUTION_OPTIONS]
    checks.run_alongside(title, PYTHON, "-m", "pytest", *how, *arguments, env=env)


def run_quick_tests(checks: Checks) -> None:
    run_pytest_in_background(checks, "quick tests on SQLite", "-m", PORTABLE_QUICK, *FEW_EXAMPLES)


def run_sql_tests(checks: Checks) -> None:
    """Run the quick tests on PostgreSQL and Redis, or on SQLite if these are missing."""
    what = "quick tests on PostgreSQL and Redis"
    if not run_on_services(checks, what, run_pytest_in_background, SQL_QUICK):
        run_pytest_in_background(checks, "those on SQLite", "-m", SQL_QUICK, *FEW_EXAMPLES)


def run_real_time_sql_tests(checks: Checks) -> None:
    """Run the real-time tests on PostgreSQL and Redis, or on SQLite if these are missing."""
    what = "browser and processes on PostgreSQL and Redis"
    if not run_on_services(checks, what, run_pytest, SQL_REAL_TIME):
        run_pytest(checks, "the same on SQLite", "-m", SQL_REAL_TIME, *FEW_EXAMPLES)


def run_on_services(checks: Checks, title: str, run: Callable[..., None], marks: str) -> bool:
    """Run the tests with these marks on PostgreSQL and Redis.

    Return False without running them if this machine lacks one of these services.
    """
    try:
        # Tests that kill PostgreSQL start their own, durable server.
        with running_services(durable=False) as env:
            run(
                checks, title, "-m", marks, "--naming", "sql,postgres,redis", *FEW_EXAMPLES, env=env
            )
    except services.MissingServiceError as missing:
        checks.skip(title, f"this machine has no {missing}")
        return False
    return True


@contextlib.contextmanager
def running_services(*, durable: bool = True) -> Iterator[dict[str, str]]:
    """Run a private PostgreSQL and Redis, and provide the environment variables for using them."""
    with services.Redis() as redis, migrated.start_postgres(durable=durable) as postgres:
        yield {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}


# Programs whose tests skip themselves if the program is missing.
PROGRAM_FINDERS: dict[str, Callable[[], object]] = {
    "tests in a browser": services.find_chromium,
    "the journeys in Firefox": services.find_firefox,
    "the journeys in WebKit": services.find_webkit,
    "the check of nginx's configuration": services.find_nginx,
    "the trials of the alert rules": services.find_promtool,
}


def report_skipped(checks: Checks) -> None:
    """Report the missing programs whose tests will be skipped."""
    for what, find in PROGRAM_FINDERS.items():
        try:
            find()
        except services.MissingServiceError as missing:
            checks.skip(what, f"this machine has no {missing}")


# Checks that use no database.
STATIC_CHECKS = (run_linters, run_django_checks, check_translations, run_javascript_tests)


@contextlib.contextmanager
def run_in_background(checks: Checks, *steps: Callable[[Checks], None]) -> Iterator[None]:
    """Run these steps in sequence while the body of the `with` statement runs."""
    with ThreadPoolExecutor(1) as executor:
        begun = [executor.submit(step, checks) for step in steps]
        yield
    for each in begun:
        each.result()


def run_fast_checks(checks: Checks) -> None:
    checks.skip("browser, services, processes that crash, long games and waits", "FAST=1")
    checks.skip("most examples of what holds for all hands, lists and seatings", "FAST=1")
    checks.skip("the organizers' pages, whose services and queries are tested", "FAST=1")
    checks.skip("what databases may answer differently", "FAST=1")
    checks.skip("what walks through every page and every file once more", "FAST=1")
    with run_in_background(checks, *STATIC_CHECKS):
        marks = f"{COVERED_QUICK} and not ({SQL})"
        run_pytest(checks, "pytest on SQLite", "-m", marks, *FEW_EXAMPLES, f"--ignore={DESK_TESTS}")


def run_all_checks(checks: Checks) -> None:
    """Run all checks, with those that do not depend on real time in the background.

    Background checks use the processor time that real-time tests leave idle.
    """
    report_skipped(checks)
    checks.prefix = LOW_PRIORITY
    with run_in_background(checks, *STATIC_CHECKS, run_quick_tests, run_sql_tests):
        run_browser_and_process_tests(checks)
        run_real_time_sql_tests(checks)


def run_browser_and_process_tests(checks: Checks) -> None:
    how = ["-m", PORTABLE_REAL_TIME, "--naming", "browser,slow", *FEW_EXAMPLES]
    run_pytest(checks, "pytest with browser and processes", *how)


def prepare_environment() -> None:
    """Prepare this process's environment variables and signals for a test run."""
    for name in ("DATABASE_URL", "REDIS_URL"):  # never use the services of a real site
        os.environ.pop(name, None)
    # Without cached bytecode, each worker spends six seconds compiling tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Background jobs ignore SIGINT. Services would inherit this, but must stop on SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def main() -> int:
    prepare_environment()
    checks = Checks()
    (run_fast_checks if os.environ.get("FAST") else run_all_checks)(checks)
    return checks.print_summary(in_ci=os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
