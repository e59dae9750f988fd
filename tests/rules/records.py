"""Small records, of which tests change one value at a time."""

from typing import Any

from games.rules.ruleset import rulesets

POSITION = {
    "cards": [["R3", "G5"], ["R1", "B2"], ["G1", "G2"]],
    "discard": ["R5"],
    "draw": ["Y1", "Y2"],
    "turn": 0,
    "direction": 1,
}


def make_small_record(**changes: Any) -> dict[str, Any]:
    """Return a valid record with three seats, with some values changed.

    The value `...` removes a key.
    """
    data = {
        "format": "hand-record/1",
        "name": "small",
        "ruleset": "uno-400",
        "seats": 3,
        "position": POSITION,
        "log": [],
    } | changes
    return {key: value for key, value in data.items() if value is not ...}


def make_record_with_position(**changes: Any) -> dict[str, Any]:
    merged = POSITION | changes
    return make_small_record(
        position={key: value for key, value in merged.items() if value is not ...}
    )


def make_whole_record(**changes: Any) -> dict[str, Any]:
    """Return a valid record of a hand that was dealt from a deck in deck order."""
    rs = rulesets.RULE_SETS["uno-400"]
    deck = rs.pack.notations(rs.cards())
    return make_small_record(position=..., deck=deck, dealer=0) | changes
