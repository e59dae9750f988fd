"""`make faults`: long runs of the numbered faults, on SQLite, then on PostgreSQL and Redis."""

import os
import subprocess
import sys

from tests.check import ROOT, prepare_environment, running_services

# Two hundred kills take longer than the usual time limit for a test.
LONG_RUN_OPTIONS = ["--long", "-n", "3", "--dist", "worksteal", "-o", "faulthandler_timeout=2400"]
LONG_RUN_OPTIONS += ["--tb", "short", "-rf"]


def run_pytest(title: str, *chosen: str, env: dict[str, str] | None = None) -> int:
    """Run the fault tests, which print a table of cases, and return pytest's exit status."""
    print(f"\n=== {title}", flush=True)
    command = [sys.executable, "-m", "pytest", "tests/faults", *LONG_RUN_OPTIONS, *chosen]
    environment = {**os.environ, **(env or {})}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def main() -> int:
    prepare_environment()
    chosen = sys.argv[1:]
    codes = [run_pytest("faults on SQLite", *chosen)]
    with running_services() as env:
        codes.append(run_pytest("faults on PostgreSQL and Redis", *chosen, env=env))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
