"""Tests of docs/verify_deal.py, run with nothing but Python and the file."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import NO_BEFORE, DealKey
from games.rules.record import check_matches
from games.rules.ruleset import rulesets
from tests.rules import fair_vectors
from tests.rules.fair_deals import (
    make_deal_with_shares,
    make_drawn_dealer_record,
    make_opened_attempt,
    make_third_attempt_record,
    play_fair_hand,
)
from tests.rules.records import make_small_record
from tests.rules.verifying import SCRIPT, load_script, verdict

MATCH_TITLE = "match table-7"


def run_script(*paths: Path, folder: Path) -> tuple[list[str], int]:
    """Run the script without the project or installed packages.

    Returns its output lines and exit status.
    """
    command = [sys.executable, "-I", "-S", str(SCRIPT), *(path.name for path in paths)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines(), done.returncode


def write_record(folder: Path, name: str, data: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_records_of_all_rule_sets_are_verified(tmp_path: Path) -> None:
    for key in rulesets.RULE_SETS:
        path = write_record(tmp_path, f"{key}.json", make_drawn_dealer_record(key))
        line = (
            f"{path.name} record 0: ok, with the shares of seats 0, 1, without 2 (bot): "
            f"{MATCH_TITLE}, hand 1, attempt 1"
        )
        assert run_script(path, folder=tmp_path) == ([line], 0)


def test_file_can_contain_a_list_of_records(tmp_path: Path) -> None:
    good = make_third_attempt_record()
    bad = good | {"dealer": 0}
    assert run_script(write_record(tmp_path, "two.json", [good, bad]), folder=tmp_path) == (
        [
            "two.json record 0: ok, with the shares of seats 0, 3, 5, without 2 (failed):"
            f" {MATCH_TITLE}, hand 208, attempt 3",
            "two.json record 1: FAIL dealer: the list or the draw names another one",
        ],
        1,
    )


def test_file_can_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(make_drawn_dealer_record("ocho")).encode())
    assert run_script(path, folder=tmp_path)[1] == 0


@pytest.mark.parametrize(
    "data", [make_small_record(), {}, {"fair": None}, {"fair": {"list": 5}}, 7, "x"]
)
def test_invalid_fair_deal_record_fails(data: object) -> None:
    assert verdict(data).startswith("FAIL this is no record of a fair deal: ")


def make_changed_record(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """Return the record of a hand after two void attempts, with the value at `path` changed."""
    data = copy.deepcopy(make_third_attempt_record())
    part: Any = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return data


@pytest.mark.parametrize(("key", "value"), [("match", "table-8"), ("hand", 207), ("attempt", 2)])
def test_attempt_of_another_deal_fails(key: str, value: object) -> None:
    message = "FAIL attempt 1: its list is that of another match, hand or attempt"
    assert verdict(make_changed_record(("fair", "void", 0, "list", key), value)) == message


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            ("fair", "list", "seats"),
            [],
            "attempt 3: the share of seat 0 does not fit its commitment",
        ),
        (("fair", "void", 0, "list", "match"), None, "attempt 1: its list is that of another"),
        (("format",), "hand-record/9", "'hand-record/9' is no format of a fair deal's record"),
        (("fair", "signed"), {}, "hand-record/2 has no signatures"),
        (("fair", "void", 0, "signed"), {"0": {}}, "hand-record/2 has no signatures"),
    ],
)
def test_malformed_record_fails_with_one_sentence(
    tmp_path: Path, path: tuple[str | int, ...], value: object, expected: str
) -> None:
    lines, status = run_script(
        write_record(tmp_path, "it.json", make_changed_record(path, value)), folder=tmp_path
    )
    assert (len(lines), status) == (1, 1)
    assert lines[0].startswith(f"it.json record 0: FAIL {expected}")


def test_x_ray_of_empty_hands_fails_with_one_sentence() -> None:
    data = copy.deepcopy(make_third_attempt_record())
    entry = next(entry for entry in data["log"] if "held" in entry)
    entry["held"] = {seat: [] for seat in entry["held"]}
    assert verdict(data).startswith("FAIL this is no record of a fair deal: ")


def test_two_records_of_one_hand_fail(tmp_path: Path) -> None:
    """Check that two records of the same hand fail together. Each of them is valid by itself."""
    ocho = rulesets.RULE_SETS["ocho"]
    one = play_fair_hand("ocho", make_deal_with_shares(ocho, range(3), 0))
    other = play_fair_hand("ocho", make_deal_with_shares(ocho, range(4), 0))
    lines, code = run_script(
        write_record(tmp_path, "fork.json", [one, one, other]), folder=tmp_path
    )
    assert lines[2:] == ["fork.json record 2: FAIL there is another record of hand 1"]
    assert code == 1
    expected = "hand 1: there are two records of it that differ"
    assert check_matches([one, other, one]) == {"table-7": expected}
    assert check_matches([one, one]) == {"table-7": None}


def test_script_computes_the_example_values() -> None:
    """Check that the script computes the values in the examples for other implementations."""
    module, examples = load_script(), fair_vectors.make_vectors()
    for words, n, number in fair_vectors.REJECTED_WORDS:
        assert module.below(n, iter(words)) == number
    decks = examples["decks"]
    assert isinstance(decks, list)
    for deck in decks:
        stream = module.words(deck, "deal")
        assert module.shuffled(deck["list"]["deck"], stream) == deck["order"]
    dealers = examples["dealers"]
    assert isinstance(dealers, list)
    assert [module.dealer(deal) for deal in dealers] == [deal["dealer"] for deal in dealers]


def test_script_is_short_enough_to_read_in_a_few_minutes() -> None:
    code = SCRIPT.read_text().split('"""', 2)[2]
    assert sum(bool(line.strip()) for line in code.splitlines()) < 105


def test_records_of_a_match_are_checked_together(tmp_path: Path) -> None:
    """Check that records fail together if they contradict each other. Each is valid by itself.

    Seat 0 was left out of the third hand without having delayed the first two.
    """
    ocho = rulesets.RULE_SETS["ocho"]
    entries = {0: NO_BEFORE, 2: None}
    sat_out = FairDeal(make_opened_attempt(DealKey("table-7", 3, 1), entries))
    deals = [*(make_deal_with_shares(ocho, range(3), 0, number) for number in (1, 2)), sat_out]
    data = [play_fair_hand("ocho", deal) for deal in deals]
    lines, code = run_script(write_record(tmp_path, "match.json", data), folder=tmp_path)
    assert lines[2].startswith(
        "match.json record 2: ok, with the shares of seats 2, without 0 (bef"
    )
    expected = "match table-7: FAIL hand 3: seat 0 sits out, but held up no hands for that"
    assert (lines[3:], code) == ([expected], 1)


def test_guarantees_fit_on_two_pages_before_the_byte_format() -> None:
    promised, bytes_, _ = SCRIPT.with_name("fair-deal.md").read_text().partition("## Bytes")
    assert bytes_
    assert len(promised.split()) <= 2 * 450
