"""Tests of the commitment in records of version 1, and of the sources of randomness."""

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

PACK = rulesets.RULE_SETS["uno-400"].pack


def test_commitment_is_the_digest_of_cards_and_nonce() -> None:
    made = hashlib.sha256(b"R5 W+4 G0\n00ff").hexdigest()
    assert shuffle.commitment(["R5", "W+4", "G0"], "00ff") == made


def test_commitment_depends_on_order_and_nonce() -> None:
    order = ["R5", "W+4", "G0"]
    made = {
        shuffle.commitment(order, "00ff"),
        shuffle.commitment(order[::-1], "00ff"),
        shuffle.commitment(order, "ff00"),
    }
    assert len(made) == 3


@pytest.mark.parametrize("chance", [SystemChance(), QuickChance(Random(3).random)])
def test_shuffle_places_cards_uniformly(chance: SystemChance) -> None:
    """Check that the first of six cards is equally likely to end up at each position.

    If it is, chi-square exceeds 20.5 only once in a thousand runs.
    """
    places = [0] * 6
    for _ in range(3000):
        kinds = [0, 1, 2, 3, 4, 5]
        chance.shuffle(kinds)
        assert sorted(kinds) == [0, 1, 2, 3, 4, 5]
        places[kinds.index(0)] += 1
    assert sum((n - 500) ** 2 / 500 for n in places) < 30


@pytest.mark.parametrize("chance", [SystemChance(), QuickChance(Random(3).random)])
def test_random_choices_are_in_range(chance: SystemChance) -> None:
    assert {chance.choice(3) for _ in range(200)} == {0, 1, 2}


def test_recorded_chance_replays_its_results() -> None:
    recording = RecordingChance(QuickChance(Random(1).random), PACK)
    kinds = [PACK.kind(card) for card in ("R1", "R2", "R3", "R4", "R5")]
    recording.shuffle(kinds)
    chosen = recording.choice(9)
    recorded = RecordedChance(recording.results, PACK)
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
def test_recorded_shuffle_that_does_not_match_the_deck_is_refused(
    results: list[list[str] | int], message: str
) -> None:
    with pytest.raises(ChanceError, match=message):
        RecordedChance(results, PACK).shuffle([PACK.kind("R1"), PACK.kind("R2")])


@pytest.mark.parametrize("result", [3, -1, ["R1"]])
def test_recorded_choice_out_of_range_is_refused(result: object) -> None:
    with pytest.raises(ChanceError, match="is not one of 3"):
        RecordedChance([result], PACK).choice(3)  # type: ignore[list-item]  # must refuse
