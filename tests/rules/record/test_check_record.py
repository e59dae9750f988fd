"""Tests of the output and exit status of `manage.py check_record`."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.management.commands.check_record import Command
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import NO_BEFORE, DealKey
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import make_deal_with_shares, make_opened_attempt, play_fair_hand

ROOT = Path(__file__).resolve().parents[3]
UNREACHABLE = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "SECRET_KEY": "for this test, long enough to be taken for a real one",
}
VALID_RECORD = {
    "format": "hand-record/1",
    "name": "001: first to 500 wins",
    "ruleset": "uno-500",
    "seats": 2,
    "match": {"hands": [[500, 0]], "expect": {"winners": [0]}},
}
WRONG_RECORD = VALID_RECORD | {
    "name": "wrong",
    "match": {"hands": [[500, 0]], "expect": {"winners": [1]}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.json").write_text(json.dumps([VALID_RECORD, WRONG_RECORD]))
    (tmp_path / "sub" / "b.json").write_text(json.dumps(VALID_RECORD))
    (tmp_path / "readme.txt").write_text("no record")
    return tmp_path


def check_record(*paths: object) -> tuple[list[str], int]:
    """Run the command and return its output lines and exit status."""
    out = io.StringIO()
    try:
        Command(stdout=out).handle(paths=[str(path) for path in paths])
    except SystemExit as end:
        return out.getvalue().splitlines(), int(end.code or 0)
    return out.getvalue().splitlines(), 0


def test_command_needs_no_database(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check_record", str(folder / "sub")],
        cwd=ROOT,
        env=os.environ | UNREACHABLE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (
        "ok 001: first to 500 wins\n1 passed, 0 failed\n",
        "",
        0,
    )


def test_folder_is_searched_for_records(folder: Path) -> None:
    assert check_record(folder) == (
        [
            "ok 001: first to 500 wins",
            "FAIL wrong: match: winners: expected [1], got [0]",
            "ok 001: first to 500 wins",
            "2 passed, 1 failed",
        ],
        1,
    )


def test_files_can_be_checked_one_by_one(folder: Path) -> None:
    assert check_record(folder / "sub" / "b.json", folder / "sub") == (
        ["ok 001: first to 500 wins", "ok 001: first to 500 wins", "2 passed, 0 failed"],
        0,
    )


def test_first_unmet_expectation_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(make_record_with_wrong_expectation()))
    assert check_record(path)[0][0] == "FAIL it: entry 3: turn: expected 2, got 1"


def make_record_with_wrong_expectation() -> dict[str, Any]:
    position = {
        "cards": [["R3", "G5", "G6"], ["R1", "B2"], ["G1", "G2"]],
        "discard": ["R5"],
        "draw": [],
        "turn": 0,
        "direction": 1,
    }
    log = [
        {"expect": {"turn": 0}},
        {"seat": 0, "play": "R3"},
        {"seat": 2, "draw": True, "refused": True},
        {"expect": {"turn": 2}},
    ]
    return VALID_RECORD | {"name": "it", "seats": 3, "position": position, "log": log}


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"{", "FAIL {path}: this is not JSON: "),
        (b"\xff", "FAIL {path}: this is not JSON: "),
        (b"[[[]]]", "FAIL {path} record 0: a record is a JSON object"),
        (b"[" * 5000, "FAIL {path}: this is not JSON: "),
        (b'{"name": "\\ud800 x\\ny"}', 'FAIL \\ud800 x y: missing key "format"'),
        (b'{"format": "hand-record/1"}', 'FAIL {path} record 0: missing key "ruleset"'),
    ],
)
def test_invalid_file_is_reported_without_a_traceback(
    tmp_path: Path, content: bytes, line: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    lines, status = check_record(path)
    assert lines[0].startswith(line.format(path=path))
    assert (lines[1:], status) == (["0 passed, 1 failed"], 1)


def test_missing_path_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    assert check_record(path) == (
        [f"FAIL {path}: cannot be read: No such file or directory", "0 passed, 1 failed"],
        1,
    )


def test_empty_folder_has_no_failure(tmp_path: Path) -> None:
    assert check_record(tmp_path) == (["0 passed, 0 failed"], 0)


def test_records_in_the_folder_of_cases_are_valid() -> None:
    lines, status = check_record(Path(__file__).resolve().parents[1] / "cases")
    assert (lines[-1].split()[-2:], status) == (["0", "failed"], 0)


def test_records_of_a_match_are_checked_together(tmp_path: Path) -> None:
    ocho = rulesets.RULE_SETS["ocho"]
    sat_out = FairDeal(make_opened_attempt(DealKey("table-7", 3, 1), {0: NO_BEFORE, 2: None}))
    deals = [*(make_deal_with_shares(ocho, range(3), 0, number) for number in (1, 2)), sat_out]
    path = tmp_path / "match.json"
    path.write_text(json.dumps([play_fair_hand("ocho", deal) for deal in deals]))
    expected = "FAIL match table-7: hand 3: seat 0 sits out, but has not held up hands for that"
    assert check_record(path) == (
        ["ok ocho: a fair hand"] * 3 + [expected, "3 passed, 1 failed"],
        1,
    )
