"""Tests that every hand record in `cases/` is valid, with one test per record."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.rules import record
from games.rules.ruleset import rulesets

FOLDER = Path(__file__).resolve().parents[1] / "cases"
PUBLISHED_CASES = [
    "crazy-eights",
    "match",
    "ocho",
    "ocho-cards",
    "uno-400",
    "uno-500",
    "uno-assignment",
]


def list_records() -> list[Any]:
    cases = []
    for path in sorted(FOLDER.rglob("*.json")):
        for number, data in enumerate(record.load(path.read_bytes())):
            label = f"{path.stem}[{number}] {record.name_of(data)}"
            cases.append(pytest.param(data, id=label))
    return cases


@pytest.mark.parametrize("data", list_records())
def test_record_is_valid(data: dict[str, Any]) -> None:
    assert record.check(data) is None


def test_every_rule_set_has_records() -> None:
    used = Counter(case.values[0]["ruleset"] for case in list_records())
    assert set(used) == set(rulesets.RULE_SETS)


@pytest.mark.parametrize("name", PUBLISHED_CASES)
def test_files_of_published_records_keep_their_names(name: str) -> None:
    data = json.loads((FOLDER / f"{name}.json").read_text())
    assert [record.check(each) for each in data] == [None] * len(data)
