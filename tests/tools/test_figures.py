"""Tests that the documented figures about the code match those of `python -m bench.figures`."""

import re
from pathlib import Path

import pytest

from bench import figures

ROOT = Path(__file__).resolve().parents[2]
# Figures may change by this fraction before the table has to be rewritten.
TOLERANCE = 0.05


def read_table(table: str) -> dict[str, list[float]]:
    """Return the numbers in each row, keyed by the name of the row."""
    rows = (line.strip("| ").split(" | ") for line in table.splitlines()[2:])
    return {name: [float(number) for number in _find_numbers(value)] for name, value in rows}


def _find_numbers(value: str) -> list[str]:
    return re.findall(r"[\d.]+", value.replace(",", ""))


def list_stale_rows(recorded: dict[str, list[float]], now: dict[str, list[float]]) -> list[str]:
    """Return the names of rows whose recorded numbers are outdated.

    A number is outdated if it is off by more than TOLERANCE. A count must also be off by at least
    two.
    """
    return [
        name
        for name, numbers in now.items()
        if len(recorded.get(name, [])) != len(numbers)
        or any(is_outdated_figure(*pair) for pair in zip(recorded[name], numbers, strict=True))
    ]


def is_outdated_figure(recorded: float, now: float) -> bool:
    return abs(recorded - now) > max(TOLERANCE * now, now.is_integer())


@pytest.mark.patient
def test_contributing_page_has_current_figures() -> None:
    found, now = (
        read_table(figures.read_recorded_table(ROOT)),
        read_table(figures.format_table(ROOT)),
    )
    assert list_stale_rows(found, now) == [], "python -m bench.figures --write"
    assert list(found) == list(now)


def test_wrong_or_missing_row_is_detected() -> None:
    now = {"files": [600.0], "function": [5.0, 13.0, 34.0], "tests": [1.51], "Any": [500.0]}
    near = {"files": [571.0], "function": [5.0, 13.0, 35.0], "tests": [1.48], "Any": [500.0]}
    assert list_stale_rows(near, now) == []
    far = {"files": [569.0], "function": [5.0, 13.0], "tests": [1.2]}
    assert list_stale_rows(far, now) == ["files", "function", "tests", "Any"]


def test_only_the_table_between_the_marks_is_replaced() -> None:
    page = (ROOT / figures.PAGE).read_text()
    written = figures.MARKS.sub("new\n", page)
    assert written == page.replace(figures.read_recorded_table(ROOT), "new\n")
    assert written.count("<!-- figures -->\nnew\n<!-- /figures -->") == 1
