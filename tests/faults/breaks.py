"""The changes in `breaks.toml`, each of which reintroduces a numbered fault."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FILE_NUMBER = re.compile(r"test_f(\d+)_")
# Tests with one of these marks run on PostgreSQL and Redis, all others on SQLite.
SERVICE_MARK = re.compile(r"mark\.(sql|postgres|redis)\b")


@dataclass(frozen=True)
class Break:
    """A change that removes a guard against a fault by replacing `old` with `new` in a file."""

    number: int
    file: str
    old: str
    new: str
    why: str = ""

    def apply(self, text: str) -> str:
        """Return the source text with `old` replaced.

        Raises ValueError if `old` does not occur exactly once.
        """
        if text.count(self.old) != 1:
            raise ValueError(f"F{self.number}: {self.old!r} stands not once in {self.file}")
        return text.replace(self.old, self.new)


_DEFINITIONS: dict[str, Any] = tomllib.loads((HERE / "breaks.toml").read_text())
BREAKS = tuple(Break(**each) for each in _DEFINITIONS["break"])
# Numbers of faults that no small change can reintroduce, with the reason.
UNBREAKABLE: dict[int, str] = {int(key): why for key, why in _DEFINITIONS["unbreakable"].items()}
_TESTS_ELSEWHERE: dict[int, list[str]] = {
    int(key): found for key, found in _DEFINITIONS["elsewhere"].items()
}


def list_tests(number: int) -> list[str]:
    """Return pytest's arguments for the tests of a fault."""
    own = (path.relative_to(ROOT) for path in HERE.glob(f"test_f{number:02}_*.py"))
    return [*map(str, sorted(own)), *_TESTS_ELSEWHERE.get(number, ())]


def list_numbers() -> set[int]:
    """Return the numbers of all faults that have tests."""
    own = (FILE_NUMBER.match(path.name) for path in HERE.glob("test_f*.py"))
    return {int(found[1]) for found in own if found} | set(_TESTS_ELSEWHERE)


def needs_services(number: int) -> bool:
    """Return whether the fault's tests must run on PostgreSQL and Redis."""
    files = {test.partition("::")[0] for test in list_tests(number)}
    return any(SERVICE_MARK.search((ROOT / file).read_text()) for file in files)
