"""Tests of the digests by which browsers check that a list contains the whole deck."""

import hashlib
import re
from pathlib import Path

from games.rules.ruleset import rulesets

SCRIPT = Path(__file__).resolve().parents[3] / "static" / "js" / "fair" / "decks.js"


def test_browser_script_has_the_digest_of_each_deck() -> None:
    found = re.findall(r'^  \[(\d+), "([0-9a-f]{16})"\],$', SCRIPT.read_text(), re.M)
    known = {(int(count), digest) for count, digest in found}
    assert known == {digest_deck(key) for key in rulesets.RULE_SETS}


def digest_deck(key: str) -> tuple[int, str]:
    rules = rulesets.make(key, {})
    cards = rules.pack.notations(rules.cards())
    return len(cards), hashlib.sha256(" ".join(cards).encode()).hexdigest()[:16]


def test_blanks_come_after_all_other_cards() -> None:
    plain, more = rulesets.make("uno-500", {}), rulesets.make("uno-500", {"blanks": 3})
    cards = plain.pack.notations(plain.cards())
    assert more.pack.notations(more.cards()) == [*cards, *["BLANK"] * 3]
