"""Results of a run of the fault tests, with a line for each numbered fault."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

CASE_FILE = re.compile(r"test_f(\d+)_(\w+)\.py::")


class TryCounter:
    """Counter of a test's tries, which are few by default and many in a long run."""

    def __init__(self, *, long: bool) -> None:
        self._long = long
        self.made = 0

    def __call__(self, few: int, many: int) -> Iterator[int]:
        """Yield numbers from 0: `many` of them in a long run, otherwise `few`."""
        for n in range(many if self._long else few):
            self.made += 1
            yield n


def mark_nightly_except(by_day: Any, values: Iterable[Any]) -> list[Any]:
    """Return pytest parameters for `values`, and mark all except `by_day` as nightly."""
    return [
        value if value == by_day else pytest.param(value, marks=pytest.mark.nightly)
        for value in values
    ]


@dataclass
class Case:
    """Results for one numbered fault."""

    number: int
    about: str
    tests: int = 0
    tries: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def format_line(self) -> str:
        outcome = ", ".join(self.failures) or "0"
        return f"| F{self.number} | {self.about} | {self.tests} | {self.tries} | {outcome} |"


class Cases:
    """Results of a run by fault number. Test files without a number are ignored."""

    def __init__(self) -> None:
        self._cases: dict[int, Case] = {}
        self._skipped: set[str] = set()

    def add(self, report: pytest.TestReport) -> None:
        """Record the report of one phase of one test.

        A test that does not count its tries counts as one try.
        """
        found = CASE_FILE.search(report.nodeid)
        if report.skipped:
            self._skipped.add(report.nodeid)
        if found is None or report.nodeid in self._skipped:
            return
        number, about = int(found[1]), found[2].replace("_", " ")
        case = self._cases.setdefault(number, Case(number, about))
        if report.failed:
            case.failures.append(report.nodeid.partition("::")[2])
        if report.when == "teardown":
            counted: list[tuple[str, Any]] = report.user_properties
            case.tests += 1
            case.tries += next((made for key, made in counted if key == "tries"), 1)

    def format_lines(self) -> list[str]:
        """Return the lines of a Markdown table of the cases, in order of number."""
        head = ["| case | what | tests | tries | failures |", "|---|---|---|---|---|"]
        return head + [self._cases[number].format_line for number in sorted(self._cases)]
