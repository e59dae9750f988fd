"""Tests that invalid or wrong records fail with a sentence that names the fault."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from games.rules import record

FOLDER = Path(__file__).resolve().parents[1] / "invalid"


def list_cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{path.stem}: {case['name']}")
        for path in sorted(FOLDER.glob("*.json"))
        for case in json.loads(path.read_text())
    ]


@pytest.mark.parametrize("case", list_cases())
def test_invalid_record_fails_with_a_sentence_naming_the_fault(case: dict[str, Any]) -> None:
    failure = record.check(case["record"])
    assert failure is not None
    assert case["message"] in failure


def test_command_counts_failures_and_continues(tmp_path: Path) -> None:
    written = [case.values[0]["record"] for case in list_cases()]
    (tmp_path / "records.json").write_text(json.dumps(written))
    (tmp_path / "broken.json").write_text("{")
    out = StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("check_record", str(tmp_path), stdout=out)
    lines = out.getvalue().splitlines()
    assert lines[-1] == f"0 passed, {len(written) + 1} failed"
    assert sum(line.startswith("FAIL ") for line in lines) == len(written) + 1
