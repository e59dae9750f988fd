"""Tests of the report on line and branch coverage."""

import json
from pathlib import Path

import pytest

from tests import lines


def make_coverage(executed: list[int], missing: list[int], branches: list[list[int]]) -> lines.File:
    """Return the coverage data of a file, in which no run took the `branches`."""
    return {
        "executed_lines": executed,
        "missing_lines": missing,
        "executed_branches": [],
        "missing_branches": branches,
    }


def test_lines_run_by_any_worker_count_as_covered(tmp_path: Path) -> None:
    meta = {"software": "slipcover", "branch_coverage": True}
    for worker, seen, missing in (("gw0", [1, 2], [3]), ("gw1", [1, 3], [2])):
        found = {"meta": meta, "files": {"games/facts.py": make_coverage(seen, missing, [])}}
        (tmp_path / f"{worker}.json").write_text(json.dumps(found))
    assert lines.merge_coverage_files(tmp_path)["games/facts.py"]["executed_lines"] == [1, 2, 3]


def test_lines_and_branches_have_equal_weight() -> None:
    assert lines.compute_percentage([make_coverage([1, 2, 3], [4], [[4, 5], [4, 6]])]) == 50


@pytest.mark.parametrize(("required", "enough"), [(75, True), (75.1, False)])
def test_insufficient_coverage_is_reported_with_the_missing_lines(
    required: float, enough: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"games/facts.py": make_coverage([1, 2, 3], [4], [])}
    assert lines.report_missing_lines("of all", files, required) is enough
    assert capsys.readouterr().out == (
        f" 75.0 %  games/facts.py: 4\n 75.0 %  of all; asked for: {required} %\n"
    )
