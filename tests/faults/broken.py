"""Check that the tests of each fault fail when the fault is reintroduced.

`python -m tests.faults.broken` applies the breaks of `breaks.toml` to a copy of the tree, one at a
time. The fault's tests must pass before the break, and at least one must fail after it. The command
prints the failed tests. It exits with 1 if a break goes unnoticed or a result is inconclusive.
Arguments are the numbers of the faults to try, by default all.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.check import PYTHON, ROOT, prepare_environment, running_services
from tests.faults.breaks import BREAKS, Break, list_tests, needs_services
from tests.faults.outcomes import Outcome, parse_outcome

# Folders that the copy links to instead of copying.
SHARED_FOLDERS = (".venv", "node_modules")
IGNORED_FILES = shutil.ignore_patterns(
    *(*SHARED_FOLDERS, ".git", "var", "__pycache__", ".mypy_cache"),
    ".pytest_cache",  # belongs to PostgreSQL's user, so it cannot be copied
)
PYTEST = [PYTHON, "-m", "pytest", "-q", "--tb=no", "-rfE", "--second-try", "-x"]
MAX_SECONDS = 600.0  # time limit for the tests of one fault, because a test may hang
PYTEST += ["-o", "faulthandler_timeout=0"]
CLEANUP_SECONDS = 60.0


class TreeCopy:
    """Copy of the tree, whose tests run on SQLite or on the services named in `env`."""

    def __init__(self, tree: Path, env: dict[str, str]) -> None:
        self.tree, self._env = tree, env
        self._unbroken: dict[int, Outcome] = {}

    def try_break(self, broken: Break) -> Outcome:
        """Return the outcome of the fault's tests on the broken code.

        The outcome is inconclusive if the tests fail on the unbroken code.
        """
        unbroken = self.run_unbroken(broken.number)
        if not unbroken.has_passed:
            why = unbroken.trouble or ", ".join(unbroken.failed)
            return Outcome(trouble=f"not green unbroken: {why}")
        with self._break_code(broken):
            return self._run(broken.number)

    def run_unbroken(self, number: int) -> Outcome:
        if number not in self._unbroken:
            self._unbroken[number] = self._run(number)
        return self._unbroken[number]

    @contextmanager
    def _break_code(self, broken: Break) -> Iterator[None]:
        path = self.tree / broken.file
        whole = path.read_text()
        path.write_text(broken.apply(whole))
        try:
            yield
        finally:
            path.write_text(whole)

    def _run(self, number: int) -> Outcome:
        services = self._env if needs_services(number) else {}
        env = {**os.environ, "PYTHONPATH": str(self.tree), **services}
        return parse_outcome(*run_with_time_limit([*PYTEST, *list_tests(number)], self.tree, env))


def run_with_time_limit(
    command: list[str], folder: Path, env: dict[str, str], longest: float = MAX_SECONDS
) -> tuple[str, int | None]:
    """Run a command and return its output and exit status, which is None after a timeout."""
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | None = process.wait(longest)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end_process(process)
        printed.seek(0)
        return printed.read(), status


def _end_process(process: subprocess.Popen[bytes]) -> None:
    """Stop a process if it is still running, and kill its remaining children.

    SIGINT first lets the process stop its children itself.
    """
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    with suppress(subprocess.TimeoutExpired):
        process.wait(CLEANUP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def make_copy() -> Iterator[TreeCopy]:
    with tempfile.TemporaryDirectory(prefix="lastcard-broken-") as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=IGNORED_FILES, symlinks=True)
        for name in SHARED_FOLDERS:
            (tree / name).symlink_to(ROOT / name)
        # Tests that kill PostgreSQL start their own, durable server.
        with running_services(durable=False) as env:
            yield TreeCopy(tree, env)


def main() -> int:
    prepare_environment()
    asked = {int(number) for number in sys.argv[1:]}
    chosen = [each for each in BREAKS if not asked or each.number in asked]
    with make_copy() as copy:
        outcomes = [report_outcome(each, copy) for each in chosen]
    missed = asked - {each.number for each in chosen}
    for number in sorted(missed):
        sys.stdout.write(f"F{number} has no break\n")
    return int(bool(missed) or not all(each.is_noticed for each in outcomes))


def report_outcome(broken: Break, copy: TreeCopy) -> Outcome:
    outcome = copy.try_break(broken)
    sys.stdout.write(f"F{broken.number} {broken.file}: {outcome}\n")
    sys.stdout.flush()
    return outcome


if __name__ == "__main__":
    sys.exit(main())
