"""Tests of reading the stored seating of a round, also from earlier versions."""

import json

import pytest

from tournament.pure.arrangement import AcceptedViolations, RoundSeating
from tournament.pure.brackets.plans import bracket_final
from tournament.pure.qualifying.sentences import describe_advancing, name_table
from tournament.pure.sentences import Sentence

FULL_SEATING = RoundSeating(
    byes=(7,),
    out=(3, 4),
    changed=True,
    despite=AcceptedViolations(
        ("Asha and Ben must not sit together but share table 1.",), "They have made up."
    ),
    key="abc",
    digest="cbaf",
    costs={"hard": 1},
    bounds={"again": 0},
    order=(1, 2),
    seeds=(9, 8),
    plan=bracket_final("Final", 4),
    why=((9, describe_advancing(1, name_table(2), 1)), (8, Sentence.from_json("Place 2."))),
    playoff=((1, 2), (4, 3)),
)


@pytest.mark.parametrize("seating", [FULL_SEATING, RoundSeating()])
def test_stored_seating_is_read_back_unchanged(seating: RoundSeating) -> None:
    assert RoundSeating.from_json(json.loads(json.dumps(seating.to_json()))) == seating


def test_seating_stored_without_a_version_is_read() -> None:
    drawn = {"byes": [7], "key": "abc", "digest": "cbaf", "costs": {}, "bounds": {}}
    moved = drawn | {"changed": True, "out": [3], "despite": {"broken": ["So."], "reason": "Yes."}}
    assert RoundSeating.from_json(moved) == RoundSeating(
        byes=(7,),
        out=(3,),
        changed=True,
        despite=AcceptedViolations(("So.",), "Yes."),
        key="abc",
        digest="cbaf",
    )
    bracket = {"seeds": [9, 8], "byes": [], "plan": "Final.", "playoff": [[1, 2]]}
    assert RoundSeating.from_json(bracket) == RoundSeating(
        seeds=(9, 8), plan=Sentence.from_json("Final."), playoff=((1, 2),)
    )
    turn = {"key": "", "rotation": 2, "order": [1, 2, 3, 4]}
    assert RoundSeating.from_json(turn) == RoundSeating(order=(1, 2, 3, 4))
    assert RoundSeating.from_json({}) == RoundSeating()


def test_newer_version_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^RoundSeating of version 3 cannot be read\.$"):
        RoundSeating.from_json({"version": 3})
