"""Contents of `breaks.toml`: how to break the code of each fault, and which tests notice."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILE_NUMBER = re.compile(r"test_f(\d+)_")
# Tests with one of these marks run on PostgreSQL and Redis. All others run on SQLite.
SERVICE_MARK = re.compile(r"mark\.(sql|postgres|redis)\b")


@dataclass(frozen=True)
class Break:
    """Break of the code `old`, a guard against a fault, which `new` replaces.

    `old` occurs exactly once in the file.
    """

    number: int
    file: str
    old: str
    new: str
    why: str = ""

    def apply(self, text: str) -> str:
        """Return the source text with this break applied.

        Raises ValueError if the code to be broken does not occur exactly once.
        """
        if text.count(self.old) != 1:
            raise ValueError(f"F{self.number}: {self.old!r} stands not once in {self.file}")
        return text.replace(self.old, self.new)


_DEFINITIONS: dict[str, Any] = tomllib.loads((HERE / "breaks.toml").read_text())
BREAKS = tuple(Break(**each) for each in _DEFINITIONS["break"])
# The reason why no change to the code can reveal this fault, by number.
UNBREAKABLE: dict[int, str] = {int(key): why for key, why in _DEFINITIONS["unbreakable"].items()}
_TESTS_ELSEWHERE: dict[int, list[str]] = {
    int(key): found for key, found in _DEFINITIONS["elsewhere"].items()
}


def list_tests(number: int) -> list[str]:
    """Return the files and tests of a fault number, as arguments for pytest."""
    own = (path.relative_to(ROOT) for path in HERE.glob(f"test_f{number:02}_*.py"))
    return [*map(str, sorted(own)), *_TESTS_ELSEWHERE.get(number, ())]


def list_numbers() -> set[int]:
    """Return all fault numbers that have tests."""
    own = (FILE_NUMBER.match(path.name) for path in HERE.glob("test_f*.py"))
    return {int(found[1]) for found in own if found} | set(_TESTS_ELSEWHERE)


def needs_services(number: int) -> bool:
    """Return whether the fault's tests must run on PostgreSQL and Redis.

    They must if their results may differ between databases, or if they need one of these
    services.
    """
    files = {test.partition("::")[0] for test in list_tests(number)}
    return any(SERVICE_MARK.search((ROOT / file).read_text()) for file in files)
