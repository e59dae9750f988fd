"""Outcomes of pytest runs."""

import re
from dataclasses import dataclass

# Groups: the test, and the reason if pytest prints one.
FAILED = re.compile(r"^FAILED (tests/.+?)(?: - (.*))?$", re.MULTILINE)
ERROR = re.compile(r"^ERROR (tests/.+?)(?: - .*)?$", re.MULTILINE)
PASSED = re.compile(r"\b[1-9]\d* passed\b")
# These errors mean that the code did not run, so the test did not detect the missing guard.
CRASH = re.compile(r"(Syntax|Indentation|Import|ModuleNotFound|Name|UnboundLocal)Error\b")


@dataclass(frozen=True)
class Outcome:
    """Failed tests of a run, or the reason why it is inconclusive (`trouble`)."""

    failed: tuple[str, ...] = ()
    trouble: str = ""

    @property
    def is_noticed(self) -> bool:
        return bool(self.failed) and not self.trouble

    @property
    def has_passed(self) -> bool:
        return not self.failed and not self.trouble

    def __str__(self) -> str:
        if self.trouble:
            return f"CANNOT TELL: {self.trouble}"
        return f"noticed by {', '.join(self.failed)}" if self.failed else "NOBODY NOTICED"


def parse_outcome(output: str, status: int | None) -> Outcome:
    """Return the outcome of a run of `pytest -rfE --tb=no`.

    The status is None if the run was stopped after a timeout.
    """
    failed = dict(FAILED.findall(output))
    names = tuple(test.partition("::")[2] for test in failed)
    return Outcome(names, _find_trouble(output, status, failed))


def _find_trouble(output: str, status: int | None, failed: dict[str, str]) -> str:
    """Return the reason why a run is inconclusive, or an empty string.

    `failed` maps each failed test to the reason for its failure.
    """
    if status is None:
        return "the tests took too long and were ended"
    # A failed test may also report an error during its cleanup, which is ignored.
    if errors := [test for test in ERROR.findall(output) if test not in failed]:
        return f"{errors[0]} has an error before its question or after it"
    if status not in (0, 1):
        return f"pytest ended with {status}"
    if crash := next(filter(CRASH.match, failed.values()), ""):
        return f"a test crashed: {crash}"
    if status == 1 and not failed:
        return "pytest ended with 1 and names no test that failed"
    if status == 0 and not PASSED.search(output):
        return "no test ran: all were skipped or deselected"
    return ""
