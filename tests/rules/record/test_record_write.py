"""Tests of writing records, and of forged records."""

import json
from random import Random
from typing import Any

import pytest

from games.rules import record
from games.rules.chance import ChanceError, QuickChance, RecordingChance
from games.rules.hand.position import Position
from games.rules.record import shuffle
from games.rules.ruleset import rulesets
from tests.rules.records import make_small_record, make_whole_record


def write_random_record(key: str, seed: int, steps: int = 500, **options: object) -> dict[str, Any]:
    """Return the record of a random hand as JSON that a test may change."""
    rs = rulesets.make(key, options)
    random = Random(seed)
    order = rs.pack.notations(rs.cards())
    random.shuffle(order)
    chance = RecordingChance(QuickChance(random.random), rs.pack)
    hand = Position.deal(rs, 3, 1, order, chance)
    actions: list[dict[str, Any]] = []
    while hand.turn is not None and len(actions) < steps:
        seat = hand.turn
        action = random.choice(hand.legal_actions(seat))
        hand.apply(seat, action, chance)
        actions.append({"seat": seat, **action.to_json(), "at": 0.5 * len(actions)})
    made = record.write(
        name="Round 1, table 3, hand 2",
        rs=rs,
        seats=3,
        dealer=1,
        deck=order,
        actions=actions,
        chance=chance.results,
        names=["Asha", "Ben", "Chen"],
        nonce="5a" * 32,
        commitment=shuffle.commitment(order, "5a" * 32),
    )
    return {**made}


@pytest.mark.parametrize("key", rulesets.RULE_SETS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exported_hand_passes_the_check(key: str, seed: int) -> None:
    data = json.loads(json.dumps(write_random_record(key, seed)))
    assert record.check(data) is None


def test_version_1_record_needs_no_commitment() -> None:
    rs = rulesets.RULE_SETS["uno-400"]
    deck = rs.pack.notations(rs.cards())
    made = record.write(name="x", rs=rs, seats=2, dealer=0, deck=deck, actions=[])
    assert made["format"] == "hand-record/1"
    assert not {"commitment", "nonce", "fair"} & set(made)
    assert record.check(json.loads(json.dumps(made))) is None


def test_unfinished_hand_can_be_exported() -> None:
    data = write_random_record("uno-400", 1, steps=5)
    assert data["log"][-1]["expect"]["over"] is False
    assert record.check(data) is None


def find_record_with(key: str) -> dict[str, Any]:
    for seed in range(40):
        data = write_random_record("ocho", seed)
        if key == "reveals" and any("reveals" in entry for entry in data["log"]):
            return data
        if key == "reshuffles" and len(data["reshuffles"]) > 1:
            return data
    raise AssertionError(key)


def test_forged_deck_is_detected() -> None:
    data = write_random_record("uno-400", 1)
    data["nonce"] = "00" * 32
    assert str(record.check(data)).startswith("commitment: expected")


@pytest.mark.parametrize("key", ["nonce", "commitment"])
def test_commitment_and_nonce_require_each_other(key: str) -> None:
    data = write_random_record("uno-400", 1)
    del data[key]
    assert record.check(data) == f'missing key "{key}"'


def test_forged_reshuffles_are_detected() -> None:
    data = find_record_with("reshuffles")
    more = data | {"reshuffles": [*data["reshuffles"], ["R1"]]}
    assert record.check(more) == "reshuffles: 1 more than there were"
    assert "one more is needed here" in str(record.check(data | {"reshuffles": []}))
    other = [data["reshuffles"][0][1:], *data["reshuffles"][1:]]
    assert "are not the cards that are shuffled" in str(record.check(data | {"reshuffles": other}))


def test_forged_reveals_are_detected() -> None:
    data = find_record_with("reveals")
    number = next(n for n, entry in enumerate(data["log"]) if "reveals" in entry)
    entry = data["log"][number]
    seat, card = next(iter(entry["reveals"].items()))
    entry["reveals"] = {seat: card}
    assert f"entry {number}: reveals: expected" in str(record.check(data))
    entry["reveals"] = {seat: "DR" if card != "DR" else "BB"}
    assert f"entry {number}: reveals" in str(record.check(data))


def test_unexpected_reveals_are_detected() -> None:
    log = [{"seat": 0, "play": "R3", "reveals": {"1": "R1"}}]
    assert (
        record.check(make_small_record(log=log)) == 'entry 0: reveals: expected {"1": "R1"}, got {}'
    )


@pytest.mark.parametrize("names", [["Asha"], ["Asha", "Ben", 3], ["Asha", "Ben", ""], "Asha"])
def test_record_needs_one_name_per_seat(names: object) -> None:
    assert str(record.check(make_small_record(names=names))).startswith("names: ")


def make_sitter(**changed: object) -> dict[str, object]:
    return {"seat": 1, "name": "Ben", "from": 1} | changed


def test_record_may_name_a_player_who_took_over_a_seat() -> None:
    log = [{"seat": 0, "play": "R3"}]
    assert record.check(make_small_record(log=log, sitters=[make_sitter()])) is None


@pytest.mark.parametrize(
    ("sitters", "problem"),
    [
        (3, "sitters: expected a list"),
        ([3], "sitters: 0: expected an object"),
        ([make_sitter(seat=3)], "sitters: 0: seat: 3 is not a seat"),
        ([make_sitter(name=4)], "sitters: 0: name: 4 is not text"),
        (
            [make_sitter(), make_sitter(**{"from": 0})],
            "sitters: 1: from: 0 is not a log entry",
        ),
        ([make_sitter(**{"from": 2})], "sitters: 0: from: 2 is not a log entry"),
        ([make_sitter(**{"from": "1"})], "sitters: 0: from: '1' is not a log entry"),
    ],
)
def test_invalid_entry_about_a_new_player_is_refused(sitters: object, problem: str) -> None:
    log = [{"seat": 0, "play": "R3"}]
    assert str(record.check(make_small_record(log=log, sitters=sitters))).startswith(problem)


@pytest.mark.parametrize("times", [[2, 1], [-1], ["0"], [True], [float("nan")]])
def test_log_times_must_not_decrease(times: list[float | str]) -> None:
    actions = [{"seat": 0, "play": "R3"}, {"seat": 1, "play": "R1"}]
    log = [action | {"at": at} for action, at in zip(actions, times, strict=False)]
    assert "not a time of at least" in str(record.check(make_small_record(log=log)))


def test_hand_that_cannot_have_been_played_is_not_written() -> None:
    rs = rulesets.RULE_SETS["uno-400"]
    deck = make_whole_record()["deck"]
    with pytest.raises(ChanceError):
        # The W+4 turned up first is shuffled back into the deck, but `chance` lacks the shuffle.
        record.write(
            name="x",
            rs=rs,
            seats=2,
            dealer=0,
            deck=[*deck[:14], *deck[-1:], *deck[14:-1]],
            actions=[],
        )
