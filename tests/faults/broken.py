"""The code of each fault broken once: the tests of its number must notice, and alone.

`python -m tests.faults.broken` breaks a copy of the tree, one number after the other, runs that
number's tests, prints which of them noticed, and fails where none did; `make nightly` runs it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.check import ROOT

# What a copy shares with the tree.
SHARED = (".venv", "node_modules")
LEFT_OUT = shutil.ignore_patterns(*SHARED, ".git", "var", "__pycache__", ".mypy_cache")
FAILED = re.compile(r"^FAILED \S+::(\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Break:
    """What guards against a fault, and what it is changed into; `old` stands once in the file."""

    number: int
    file: str
    old: str
    new: str


BREAKS = (
    Break(1, "games/sockets/entrance/origin.py", "if allowed(scope):", "if scope:"),
    Break(20, "games/sockets/entrance/places.py", "MOST = 20", "MOST = 21"),
    Break(
        26,
        "games/rules/fair/attempts.py",
        "if opened.secret in secrets:",
        "if opened.secret in ():",
    ),
    Break(
        38,
        "tournament/oversight/second_person.py",
        "return people_for(event, right).exclude(pk=actor.pk).exists()",
        "return False",
    ),
    Break(
        40,
        "tournament/people/accounts/desk_codes.py",
        "LIFE = timedelta(minutes=5)",
        "LIFE = timedelta(minutes=50)",
    ),
    Break(41, "tournament/site/middleware.py", '"account_login": 600', '"account_login": 60'),
    Break(
        60,
        "tournament/people/accounts/desk_codes.py",
        "LIFE = timedelta(minutes=5)",
        "LIFE = timedelta(minutes=50)",
    ),
    Break(61, "games/clocks/lag.py", "MOST_RACE = 0.15", "MOST_RACE = 0.9"),
    Break(
        63,
        "tournament/people/accounts/limits.py",
        "ready = now + min(",
        "ready = now + 3600 + min(",
    ),
    Break(
        75,
        "tournament/management/commands/check_history.py",
        "elif event.public and not",
        "elif False and not",
    ),
    Break(
        76,
        "tournament/exports/transfer/cells.py",
        "or not LEAST <= told <= MOST",
        "",
    ),
)


def main() -> int:
    asked = {int(number) for number in sys.argv[1:]}
    chosen = [each for each in BREAKS if not asked or each.number in asked]
    with tempfile.TemporaryDirectory(prefix="lastcard-broken-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT, symlinks=True)
        for name in SHARED:
            (copy / name).symlink_to(ROOT / name)
        survived = [each for each in chosen if not _noticed(each, copy)]
    return 1 if survived else 0


def _noticed(broken: Break, copy: Path) -> bool:
    tests = _tried(broken, copy)
    told = ", ".join(tests) or "NOBODY NOTICED"
    sys.stdout.write(f"F{broken.number} {broken.file}: {told}\n")
    sys.stdout.flush()
    return bool(tests)


def _tried(broken: Break, copy: Path) -> list[str]:
    """The tests of the number that fail once its code is broken."""
    path = copy / broken.file
    whole = path.read_text()
    path.write_text(broken_text(broken, whole))
    try:
        return [*_failures(copy, broken.number)]
    finally:
        path.write_text(whole)


def broken_text(broken: Break, text: str) -> str:
    """Raises ValueError where the code is no longer what is to be broken."""
    if text.count(broken.old) != 1:
        raise ValueError(f"F{broken.number}: {broken.old!r} stands not once in {broken.file}")
    return text.replace(broken.old, broken.new)


def _failures(copy: Path, number: int) -> Iterator[str]:
    tests = [str(path) for path in sorted((copy / "tests/faults").glob(f"test_f{number:02}_*.py"))]
    command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rf", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    done = subprocess.run(
        command, cwd=copy, env=environment, check=False, capture_output=True, text=True
    )
    yield from FAILED.findall(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
