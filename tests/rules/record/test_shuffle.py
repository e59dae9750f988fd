"""The commitment of old records, and where chance comes from."""

import hashlib
from random import Random

import pytest

from games.rules.chance import (
    ChanceError,
    QuickChance,
    RecordedChance,
    RecordingChance,
    SystemChance,
)
from games.rules.record import shuffle
from games.rules.ruleset import rulesets

DECK = rulesets.RULE_SETS["uno-400"].pack


def test_anybody_can_compute_the_commitment() -> None:
    made = hashlib.sha256(b"R5 W+4 G0\n00ff").hexdigest()
    assert shuffle.commitment(["R5", "W+4", "G0"], "00ff") == made


def test_another_order_or_nonce_has_another_commitment() -> None:
    order = ["R5", "W+4", "G0"]
    made = {
        shuffle.commitment(order, "00ff"),
        shuffle.commitment(order[::-1], "00ff"),
        shuffle.commitment(order, "ff00"),
    }
    assert len(made) == 3


@pytest.mark.parametrize("chance", [SystemChance(), QuickChance(Random(3).random)])
def test_each_place_is_equally_likely(chance: SystemChance) -> None:
    """Chi-square over where the first of six cards goes; 20.5 is exceeded once in a thousand."""
    places = [0] * 6
    for _ in range(3000):
        kinds = [0, 1, 2, 3, 4, 5]
        chance.shuffle(kinds)
        assert sorted(kinds) == [0, 1, 2, 3, 4, 5]
        places[kinds.index(0)] += 1
    assert sum((n - 500) ** 2 / 500 for n in places) < 30


@pytest.mark.parametrize("chance", [SystemChance(), QuickChance(Random(3).random)])
def test_choices_are_in_range(chance: SystemChance) -> None:
    assert {chance.choice(3) for _ in range(200)} == {0, 1, 2}


def test_recorded_chance_is_given_back() -> None:
    recording = RecordingChance(QuickChance(Random(1).random), DECK)
    kinds = [DECK.kind(card) for card in ("R1", "R2", "R3", "R4", "R5")]
    recording.shuffle(kinds)
    chosen = recording.choice(9)
    recorded = RecordedChance(recording.results, DECK)
    again = sorted(kinds)
    recorded.shuffle(again)
    assert (again, recorded.choice(9)) == (kinds, chosen)


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([], "more was left to chance"),
        ([["R1", "R1"]], "does not have the cards"),
        ([3], "does not have the cards"),
    ],
)
def test_a_recorded_shuffle_that_does_not_fit(results: list[list[str] | int], message: str) -> None:
    with pytest.raises(ChanceError, match=message):
        RecordedChance(results, DECK).shuffle([DECK.kind("R1"), DECK.kind("R2")])


@pytest.mark.parametrize("result", [3, -1, ["R1"]])
def test_a_recorded_choice_that_does_not_fit(result: object) -> None:
    with pytest.raises(ChanceError, match="is not one of 3"):
        RecordedChance([result], DECK).choice(3)  # type: ignore[list-item]  # must refuse
