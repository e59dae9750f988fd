"""`make nightly`: run the long checks one after the other, and continue after a failure.

`make test` runs most of these checks with fewer examples and tries, and each test on one database
only. `make nightly ONLY=coverage` runs one part.
"""

import os
import sys
import tempfile
from datetime import UTC, datetime

from tests import check, container, lines, seeded, throttling
from tests.check import DISTRIBUTION_OPTIONS, PYTHON, Checks
from tests.services import MissingServiceError

# Without a time limit, because some of these tests take very long.
PYTEST = [PYTHON, "-m", "pytest", "-n", "3", "-o", "faulthandler_timeout=0", *DISTRIBUTION_OPTIONS]
FAR = ["--hypothesis-profile", "far"]


def examples(checks: Checks) -> None:
    checks.run("what holds for all, by 500 examples", *PYTEST, *FAR, "-m", "hypothesis")


def days(checks: Checks) -> None:
    """Simulate 500 event days, seeded by the date, so that each night tries different ones."""
    test = "tests/tournament/stages/test_days.py"
    seed = os.environ.get(seeded.SEED_VARIABLE, str(datetime.now(UTC).toordinal()))
    title = f"doors at each step of 500 days of seed {seed}"
    checks.run(title, *PYTEST, *FAR, test, env={seeded.SEED_VARIABLE: seed})


def coverage(checks: Checks) -> None:
    """Run the quick tests on SQLite, and check their coverage."""
    with tempfile.TemporaryDirectory() as folder:
        how = [*PYTEST, *check.FEW_EXAMPLES, *lines.PYTEST_OPTIONS, "-m", check.COVERED_QUICK]
        checks.run("quick tests on SQLite", *how, env={"LASTCARD_LINES": folder})
        checks.run("lines and branches that tests run", PYTHON, "-m", "tests.lines", folder)


def databases(checks: Checks) -> None:
    """Run all database tests on PostgreSQL and Redis.

    Then run on SQLite the real-time tests that `make test` runs only on PostgreSQL and Redis.
    """
    how = [*PYTEST, *check.FEW_EXAMPLES, "--second-try", "-m"]
    with check.running_services(durable=False) as env:
        title = "all that uses a database, on PostgreSQL and Redis"
        checks.run(title, *how, "database and not browser", env=env)
    title = "browser and processes on SQLite, and what is only asked at night"
    checks.run(title, *how, f"{check.SQL_REAL_TIME} or nightly")


def faults(checks: Checks) -> None:
    checks.run("faults, as often as promised", PYTHON, "-m", "tests.faults")


def broken(checks: Checks) -> None:
    """Reintroduce each fault once, and check that its tests fail."""
    checks.run("each fault's code broken once", PYTHON, "-m", "tests.faults.broken")


def mutants(checks: Checks) -> None:
    """Test a sample of mutants, seeded by the date, so that each night tests a different one."""
    seed = str(datetime.now(UTC).toordinal())
    sample = ["--sample", os.environ.get("SAMPLE", "600"), "--seed", seed]
    checks.run(f"mutants of seed {seed}", PYTHON, "-m", "tests.mutants", *sample)


def bad_network(checks: Checks) -> None:
    test = "tests/browser/test_bad_network.py"
    checks.run("bad network, 20 matches", *PYTEST, test, env={"LASTCARD_REPEAT": "20"})


def bare_root(checks: Checks) -> None:
    checks.run("the README's lines in a bare Debian", PYTHON, "-m", "tests.fresh", "--whole")
    checks.run("deploy/setup in bare Debians", PYTHON, "-m", "tests.server")


def two_hosts(checks: Checks) -> None:
    checks.run("one of two hosts is cut off", PYTHON, "-m", "tests.two_hosts")


def image(checks: Checks) -> None:
    """Build the container image and play on it, if this machine can."""
    title = "the container image is built and played on"
    if why := container.find_obstacle():
        checks.skip(title, why, excused=True)
        return
    checks.run(title, PYTHON, "-m", "tests.container")


def newest(checks: Checks) -> None:
    checks.run("the newest Django and Python", "make", "newest")


def audit(checks: Checks) -> None:
    checks.run("known vulnerabilities in what is installed", "make", "audit")


SLOW_MACHINE = "make test without second tries, each process at 40 % of a core"


def slow_machine(checks: Checks) -> None:
    """Run `make test` on a simulated slow machine, if this machine can simulate one."""
    try:
        with throttling.parent_group(40):
            pass
    except MissingServiceError as missing:
        checks.skip(SLOW_MACHINE, f"this machine has no {missing}", excused=True)
        return
    command = ["-m", "tests.throttling", "40", PYTHON, "-m", "tests.check"]
    checks.run(SLOW_MACHINE, PYTHON, *command, env={"SLOW_MACHINE": "1"})


PARTS = [
    *(coverage, examples, days, databases, bad_network, faults, broken, mutants, newest),
    *(audit, slow_machine, two_hosts, bare_root, image),
]


def main() -> int:
    check.prepare_environment()
    checks, only = Checks(), os.environ.get("ONLY")
    for part in PARTS:
        if only in (None, "", part.__name__):
            part(checks)
    return checks.print_summary(in_ci=True)


if __name__ == "__main__":
    sys.exit(main())
