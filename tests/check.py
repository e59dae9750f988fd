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
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import migrated, services

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PYTHON = sys.executable
NPM_PACKAGES = ROOT / "node_modules" / ".package-lock.json"  # npm writes it when it has finished

PRODUCTION = {
    "SECRET_KEY": "only-for-this-check-" * 4,
    "ALLOWED_HOSTS": "lastcard.example.edu",
    "HTTPS": "1",
}
QUICK = "not browser and not slow"
# Lines are counted in what mirrors the code. `patient` tests and many examples wait for nothing:
# they take what the others leave of the machine while these wait for browsers and clocks.
COUNTED = f"{QUICK} and not patient"
PATIENT = "patient or hypothesis"
IN_REAL_TIME = f"not ({QUICK}) and not ({PATIENT})"
YIELDING = ["nice", "-n", "19"]
# What differs between databases and processes runs again on PostgreSQL and Redis: whatever uses the
# database, and of the browser the whole event, which passes through everything else.
WHOLE_EVENT = "tests/browser/test_whole_event.py"
ON_SERVICES = [
    "tests/games",
    "tests/tournament",
    "tests/faults",
    WHOLE_EVENT,
    "-m",
    "database and not patient",
]
# But pages, which only show what queries have found and call services, and the demo, which services
# and bots make: the whole event walks through them on every database. And not what is refused or
# dropped on the line itself, before anybody is asked.
DESK = "tests/tournament/admin"
SHOWN = [DESK, *(f"tests/tournament/test_{name}.py" for name in ("demo*", "views_*"))]
ON_THE_LINE = [f"tests/faults/test_f{number}_*.py" for number in ("01", "14", "15", "19")]
FEW = ["--hypothesis-profile", "few"]
DISTRIBUTED = ["--dist", "worksteal", "--durations", "10", "-raR"]


class Checks:
    """Runs commands and remembers how they ended."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.left_out: list[str] = []
        self.beside: list[str] = []  # by what a command begins that runs beside others

    def run(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Print what the command says as it says it."""
        print(f"\n=== {title}", flush=True)
        start = time.monotonic()
        ended = subprocess.run(command, cwd=ROOT, env=_with(env), check=False)
        self._note(title, ended.returncode, start)

    def run_beside(self, title: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Print what the command has said when it has ended: others run meanwhile."""
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
        print(f"--- {how}, {time.monotonic() - start:.0f} s", flush=True)
        if code:
            self.failed.append(title)

    def leave_out(self, what: str, why: str) -> None:
        print(f"\n=== left out: {what}: {why}", flush=True)
        self.left_out.append(f"{what}: {why}")

    def summary(self, in_ci: bool) -> int:
        print("\n=== Summary")
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
    checks.run_beside("mypy", str(BIN / "mypy"))


def django_checks(checks: Checks) -> None:
    manage = [PYTHON, "manage.py"]
    deploy = ["check", "--deploy", "--fail-level", "WARNING"]
    checks.run_beside("manage.py check --deploy", *manage, *deploy, env=PRODUCTION)
    dry = ["makemigrations", "--check", "--dry-run"]
    checks.run_beside("migrations match the models", *manage, *dry)


def words(checks: Checks) -> None:
    try:
        services.gettext()
    except services.ServiceMissing as missing:
        checks.leave_out("the check of the texts for translators", f"this machine has no {missing}")
    else:
        checks.run_beside("texts can be translated", PYTHON, "-m", "tests.catalogues")


def javascript(checks: Checks) -> None:
    node = shutil.which("node")
    if node is None:
        checks.leave_out("tests of the JavaScript", "Node.js is missing (apt install nodejs)")
        return
    checks.run_beside("JavaScript", node, "--test", *js_tests("tests/js/*.test.js"))
    if not NPM_PACKAGES.exists():
        what = "eslint, tsc and the JavaScript's tests with a page"
        checks.leave_out(what, "npm is missing (apt install npm)")
        return
    checks.run_beside("JavaScript with a page", node, "--test", *js_tests("tests/js/dom/*.test.js"))
    checks.run_beside("eslint", node, "node_modules/eslint/bin/eslint.js", "--max-warnings", "0")
    checks.run_beside("tsc", node, "node_modules/typescript/bin/tsc", "--project", "jsconfig.json")


def js_tests(pattern: str) -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def pytest(checks: Checks, title: str, *arguments: str, env: dict[str, str] | None = None) -> None:
    # Three at a time on two cores: some wait for a clock. A browser may starve on a shared machine:
    # "RERUN" in the summary names such a test.
    how = ["-n", "3", "--second-try", *DISTRIBUTED]
    checks.run(title, PYTHON, "-m", "pytest", *how, *arguments, env=env)


def patient(checks: Checks) -> None:
    """However long such a test waits for its turn, it has not hung."""
    how = ["-n", "2", "-o", "faulthandler_timeout=0", *DISTRIBUTED, "-m", PATIENT]
    checks.run_beside("pytest of what waits for nothing", PYTHON, "-m", "pytest", *how)


def on_services(checks: Checks) -> None:
    try:
        # Tests in which PostgreSQL dies have one of their own, which flushes.
        with running_services(durable=False) as env:
            left = [f"--ignore-glob={ROOT / path}" for path in (*SHOWN, *ON_THE_LINE)]
            how = [*FEW, *left, *ON_SERVICES]
            pytest(checks, "pytest on PostgreSQL and Redis", *how, env=env)
    except services.ServiceMissing as missing:
        checks.leave_out("tests on PostgreSQL and Redis", f"this machine has no {missing}")


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
}


def skipped(checks: Checks) -> None:
    """Name what tests will be skipped for."""
    for what, find in FOUND_BY_TESTS.items():
        try:
            find()
        except services.ServiceMissing as missing:
            checks.leave_out(what, f"this machine has no {missing}")


# What reads the code and runs none of it with a database.
READING = (lint, django_checks, words, javascript)


@contextlib.contextmanager
def beside(checks: Checks, *steps: Callable[[Checks], None]) -> Iterator[None]:
    """These steps one after the other, while others run."""
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
    """What holds for all examples is tried with few while lines are counted, then with many."""
    skipped(checks)
    pytest(checks, "pytest on SQLite", "-m", COUNTED, *FEW, "--cov", "--cov-report=")
    coverage(checks)
    checks.beside = YIELDING
    with beside(checks, *READING, patient):
        pytest(checks, "pytest with browser and processes", "-m", IN_REAL_TIME)
        on_services(checks)


def coverage(checks: Checks) -> None:
    """Pure modules and the rest, each by the percentage that pyproject.toml asks for."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["lastcard"]["coverage"]
    for title, which, percent in (
        ("coverage of what is pure", "--include", told["pure_percent"]),
        ("coverage of the rest", "--omit", told["rest_percent"]),
    ):
        modules = f"{which}={','.join(told['pure'])}"
        how = ["--skip-covered", "--show-missing", f"--fail-under={percent}", modules]
        checks.run(title, PYTHON, "-m", "coverage", "report", *how)


def main() -> int:
    for name in ("DATABASE_URL", "REDIS_URL"):  # never on the servers of a real site
        os.environ.pop(name, None)
    # Compiling all tests anew takes each worker six seconds.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # A background job ignores it, and so would every service that is stopped by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    checks = Checks()
    (fast if os.environ.get("FAST") else whole)(checks)
    return checks.summary(in_ci=os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
