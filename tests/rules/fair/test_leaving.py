"""Tests that site, script and page agree on the hands in which a seat has no share."""

import json
import subprocess
from pathlib import Path

import pytest

from games.rules.fair.attempts import FairDeal, is_left_out
from games.rules.fair.deal import NO_BEFORE, DealKey
from games.rules.fair.leaving import find_faults
from games.rules.record import check_matches
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import make_deal_with_shares, make_opened_attempt, play_fair_hand
from tests.rules.records import make_small_record
from tests.rules.verifying import MATCH_SCRIPT, load_module

LEFT_OUT_WRONGLY = "sits out, but has not held up hands for that"
INCLUDED_WRONGLY = "has a share, but had to sit out for hands that it held up"
LEAVING_SCRIPT = Path(__file__).resolve().parents[3] / "static" / "js" / "fair" / "leaving.js"


def make_deal(number: int, *, delayed: bool = False, left_out: bool = False) -> FairDeal:
    """Return the deal of a hand of seats 0 and 2.

    Seat 0 may have delayed the hand, or may have no share in it because of earlier delays.
    """
    entries = {0: NO_BEFORE if left_out else None, 2: None}
    first, second = (DealKey("table-7", number, attempt) for attempt in (1, 2))
    if delayed:
        return FairDeal(
            make_opened_attempt(second, entries),
            (make_opened_attempt(first, entries, unopened=[0]),),
        )
    return FairDeal(make_opened_attempt(first, entries))


def make_match(kinds: str, first: int = 1) -> dict[int, FairDeal | None]:
    """Return the deals of a match from one letter for each hand.

    * "h": seat 0 delayed ("held up") the hand.
    * "d": the hand was dealt without delay.
    * "b": seat 0 had no share because of delays before.
    * "o": an old hand without a fair deal.
    * "?": there is no record of the hand.
    """
    made: dict[int, FairDeal | None] = {}
    for number, kind in enumerate(kinds, first):
        if kind == "o":
            made[number] = None
        elif kind != "?":
            made[number] = make_deal(number, delayed=kind == "h", left_out=kind == "b")
    return made


CASES = [
    ("d", None),
    ("hhb", None),
    ("hhbhbbbh", None),
    ("hd", None),
    ("b", f"hand 1: seat 0 {LEFT_OUT_WRONGLY}"),
    ("hb", f"hand 2: seat 0 {LEFT_OUT_WRONGLY}"),
    ("ddb", f"hand 3: seat 0 {LEFT_OUT_WRONGLY}"),
    ("hddb", f"hand 4: seat 0 {LEFT_OUT_WRONGLY}"),
    ("hhd", f"hand 3: seat 0 {INCLUDED_WRONGLY}"),
    ("hhbhbd", f"hand 6: seat 0 {INCLUDED_WRONGLY}"),
    ("oob", f"hand 3: seat 0 {LEFT_OUT_WRONGLY}"),
    ("??b", None),
    ("?hd", None),
    ("??d", None),
    ("?dd?b", None),
    ("dd?b", f"hand 4: seat 0 {LEFT_OUT_WRONGLY}"),
    ("?hhd", f"hand 4: seat 0 {INCLUDED_WRONGLY}"),
]


@pytest.mark.parametrize(("kinds", "fault"), CASES)
def test_seats_are_left_out_after_delaying_earlier_hands(kinds: str, fault: str | None) -> None:
    assert next(find_faults(make_match(kinds)), None) == fault


@pytest.mark.parametrize(("kinds", "fault"), [case for case in CASES if "o" not in case[0]])
def test_script_agrees_with_the_site(kinds: str, fault: str | None) -> None:
    hands = {number: deal.to_json() for number, deal in make_match(kinds).items() if deal}
    found = next(load_module(MATCH_SCRIPT).leaving(hands), None)
    assert (found is None) == (fault is None)
    assert fault is None or str(found).startswith(" ".join(fault.split()[:4]))


def test_page_agrees_with_the_site(tmp_path: Path) -> None:
    matches = [
        [[number, deal and deal.to_json()] for number, deal in make_match(kinds).items()]
        for kinds, _ in CASES
    ]
    code = f"""import {{ leavingFaults }} from {json.dumps(LEAVING_SCRIPT.as_uri())};
const found = {json.dumps(matches)}.map((hands) => {{
  const before = new Map();
  return hands.flatMap(([hand, fair]) => {{
    const found = leavingFaults(fair, before).map(({{ code, about }}) => [hand, code, about]);
    before.set(hand, fair);
    return found;
  }})[0] ?? null;
}});
console.log(JSON.stringify(found));"""
    file = tmp_path / "leaving.mjs"
    file.write_text(code)
    done = subprocess.run(["node", file], capture_output=True, text=True, check=True)
    codes = {LEFT_OUT_WRONGLY: "not-before", INCLUDED_WRONGLY: "had-to-sit-out"}
    expected = [
        fault and [int(fault.split()[1].rstrip(":")), codes[fault.partition("seat 0 ")[2]], 0]
        for _, fault in CASES
    ]
    assert json.loads(done.stdout) == expected


def test_seat_that_never_opens_its_share_delays_fewer_and_fewer_hands() -> None:
    hands: list[bool] = []
    while len(hands) < 16:
        hands.append(not is_left_out(hands))
    assert [number for number, delayed in enumerate(hands, 1) if delayed] == [1, 2, 4, 8, 16]


def test_records_of_each_match_are_checked_together() -> None:
    ocho = rulesets.RULE_SETS["ocho"]
    good = [
        play_fair_hand("ocho", make_deal_with_shares(ocho, range(3), 0, number))
        for number in (1, 2)
    ]
    assert check_matches([*good, make_small_record(), 7, {}]) == {"table-7": None}
    wrong = play_fair_hand("ocho", make_deal(3, left_out=True))
    assert check_matches([*good, wrong]) == {"table-7": f"hand 3: seat 0 {LEFT_OUT_WRONGLY}"}
