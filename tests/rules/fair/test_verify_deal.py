"""docs/verify_deal.py as a stranger runs it: nothing but Python and the file."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import NO_BEFORE, DealKey
from games.rules.ruleset import rulesets
from tests.rules import fair_vectors
from tests.rules.fair_deals import drawn, opened, played, with_shares, xrayed
from tests.rules.records import small
from tests.rules.verifying import SCRIPT, script, verdict

MATCH = "match table-7"


def run(*paths: Path, folder: Path) -> tuple[list[str], int]:
    """Its lines and exit status, away from the project and from installed packages."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *(path.name for path in paths)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines(), done.returncode


def write(folder: Path, name: str, data: object) -> Path:
    path = folder / name
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_records_of_all_rule_sets(tmp_path: Path) -> None:
    paths = [write(tmp_path, f"{key}.json", drawn(key)) for key in rulesets.RULE_SETS]
    lines = [
        f"{path.name} record 0: ok, with the shares of seats 0, 1, without 2 (bot): {MATCH},"
        " hand 1, attempt 1"
        for path in paths
    ]
    assert run(*paths, folder=tmp_path) == (lines, 0)


def test_a_file_may_hold_a_list(tmp_path: Path) -> None:
    good = xrayed()
    bad = good | {"dealer": 0}
    assert run(write(tmp_path, "two.json", [good, bad]), folder=tmp_path) == (
        [
            "two.json record 0: ok, with the shares of seats 0, 3, 5, without 2 (failed):"
            f" {MATCH}, hand 208, attempt 3",
            "two.json record 1: FAIL dealer: the list or the draw names another one",
        ],
        1,
    )


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(drawn("ocho")).encode())
    assert run(path, folder=tmp_path)[1] == 0


@pytest.mark.parametrize("data", [small(), {}, {"fair": None}, {"fair": {"list": 5}}, 7, "x"])
def test_whatever_is_no_record_of_a_fair_deal_fails(data: object) -> None:
    assert verdict(data).startswith("FAIL this is no record of a fair deal: ")


def test_it_computes_the_examples() -> None:
    """The same examples as the browser's; digests stand for whatever they are made of."""
    module, examples = script(), fair_vectors.vectors()
    for words, n, number in fair_vectors.REJECTED:
        assert module.below(n, iter(words)) == number
    decks = examples["decks"]
    assert isinstance(decks, list)
    for deck in decks:
        stream = module.words(deck, "deal")
        assert module.shuffled(deck["list"]["deck"], stream) == deck["order"]
    dealers = examples["dealers"]
    assert isinstance(dealers, list)
    assert [module.dealer(deal) for deal in dealers] == [deal["dealer"] for deal in dealers]


def test_it_can_be_read_in_a_few_minutes() -> None:
    code = SCRIPT.read_text().split('"""', 2)[2]
    assert sum(bool(line.strip()) for line in code.splitlines()) < 100


def test_records_of_a_match_are_judged_together(tmp_path: Path) -> None:
    """Alone each holds: only together they show that seat 0 had not held up two hands."""
    ocho = rulesets.RULE_SETS["ocho"]
    entries = {0: NO_BEFORE, 2: None}
    sat_out = FairDeal(opened(DealKey("table-7", 3, 1), entries))
    deals = [*(with_shares(ocho, range(3), 0, number) for number in (1, 2)), sat_out]
    data = [played("ocho", deal) for deal in deals]
    lines, code = run(write(tmp_path, "match.json", data), folder=tmp_path)
    assert lines[2].startswith(
        "match.json record 2: ok, with the shares of seats 2, without 0 (bef"
    )
    told = "match table-7: FAIL hand 3: seat 0 sits out, but held up no hands for that"
    assert (lines[3:], code) == ([told], 1)


def test_what_is_promised_takes_two_pages_before_the_bytes() -> None:
    promised, bytes_, _ = SCRIPT.with_name("fair-deal.md").read_text().partition("## Bytes")
    assert bytes_
    assert len(promised.split()) <= 2 * 450
