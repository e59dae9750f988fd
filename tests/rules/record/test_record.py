"""Tests of reading and checking hand records."""

from typing import Any, NoReturn

import pytest

from games.rules import record
from games.rules.actions.actions import Action, IllegalActionError
from games.rules.hand.position import Position
from tests.rules.records import (
    POSITION,
    make_record_with_position,
    make_small_record,
    make_whole_record,
)


def test_valid_records_pass_the_check() -> None:
    assert record.check(make_small_record()) is None
    assert record.check(make_whole_record()) is None


def test_all_log_entries_may_have_time_zero() -> None:
    played = make_small_record()
    played["log"] = [{**entry, "at": 0} for entry in played["log"]]
    assert record.check(played) is None


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "a record is a JSON object"),
        ([], "a record is a JSON object"),
        (make_small_record(format=...), 'missing key "format"'),
        (
            make_small_record(format="hand-record/4"),
            'format: expected one of "hand-record/1", "hand-record/2", "hand-record/3", got '
            "'hand-record/4'",
        ),
        (make_small_record(name=...), 'missing key "name"'),
        (make_small_record(name=""), "name: '' is not a name"),
        (make_small_record(name=7), "name: 7 is not a name"),
        (make_small_record(ruleset=...), 'missing key "ruleset"'),
        (
            make_small_record(ruleset="uno"),
            "There is no rule set 'uno'. Choose one of these: ocho, uno-500",
        ),
        (make_small_record(options={"colour": 1}), "There is no option 'colour'."),
        (
            make_small_record(options={"target": "x"}),
            "target can’t be 'x': it must be a whole number",
        ),
        (make_small_record(options=[]), "options: expected an object of option names and values"),
        (make_small_record(seats=...), 'missing key "seats"'),
        (make_small_record(seats=1), "seats: These rules are for 2 to 10 players, not 1"),
        (make_small_record(seats=11), "seats: These rules are for 2 to 10 players, not 11"),
        (make_small_record(seats=True), "seats: True is not a number of players"),
        (make_small_record(seats="3"), "seats: '3' is not a number of players"),
        (make_small_record(position=...), 'missing key "deck" or "position"'),
        (make_small_record(log=...), 'missing key "log"'),
        (make_small_record(log={}), "log: expected a list, got {}"),
        (make_small_record(dealer=3), "dealer: 3 is not a seat: the seats are 0 to 2"),
        (make_whole_record(position=POSITION), "deck and position: only one of them is allowed"),
        (make_small_record(deck=[], position=...), 'missing key "dealer"'),
        (make_small_record(match={"hands": []}), 'match: missing key "expect"'),
    ],
)
def test_invalid_records_are_reported(data: object, problem: str) -> None:
    assert str(record.check(data)).startswith(problem)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"cards": ...}, 'position: missing key "cards"'),
        ({"discard": ...}, 'position: missing key "discard"'),
        ({"draw": ...}, 'position: missing key "draw"'),
        ({"turn": ...}, 'position: missing key "turn"'),
        ({"direction": ...}, 'position: missing key "direction"'),
        ({"turn": 3}, "position: turn: 3 is not a seat: the seats are 0 to 2"),
        ({"turn": -1}, "position: turn: -1 is not a seat: the seats are 0 to 2"),
        ({"direction": 0}, "position: direction: 0 is neither 1 nor -1"),
        ({"direction": True}, "position: direction: True is neither 1 nor -1"),
        ({"cards": [["R1"], ["R2"]]}, "position: cards: 2 hands for 3 seats"),
        ({"cards": [["R1"], [], ["R2"]]}, "position: cards: seat 1 has no cards"),
        ({"cards": ["R1", "R2", "R3"]}, "position: cards: seat 0: expected a list, got 'R1'"),
        ({"cards": [["R1"], ["RX"], ["R2"]]}, "position: cards: seat 1: 'RX' is not a card."),
        (
            {"cards": [["R1"], ["SH"], ["R2"]]},
            "position: cards: seat 1: the deck uno-108 has no card SH",
        ),
        ({"cards": [["R1"], [5], ["R2"]]}, "position: cards: seat 1: 5 is not a card."),
        ({"discard": []}, "position: discard: it is empty, and needs a top card"),
        (
            {"draw": ["Y1", "G0", "G0"]},
            "position: more than 1 of G0, which is all that the deck holds",
        ),
        (
            {"draw": ["G1", "G2", "G1"]},
            "position: more than 2 of G1, which is all that the deck holds",
        ),
        ({"discard": ["W"]}, "position: color: it is missing, and the top card W has none"),
        ({"color": "S"}, "position: color: 'S' is not one of R, Y, G, B"),
        ({"color": "G"}, "position: color: G is not that of the top card R5"),
        ({"discard": ["W"], "color": 5}, "position: color: 5 is not one of R, Y, G, B"),
    ],
)
def test_invalid_positions_are_reported(changes: dict[str, Any], problem: str) -> None:
    assert str(record.check(make_record_with_position(**changes))).startswith(problem)


def test_position_may_have_a_colour_or_an_empty_draw_pile() -> None:
    assert record.check(make_record_with_position(discard=["W"], color="G")) is None
    assert record.check(make_record_with_position(color="R")) is None
    assert record.check(make_record_with_position(draw=[])) is None


def test_incomplete_deck_is_rejected() -> None:
    deck = make_whole_record()["deck"]
    assert record.check(make_whole_record(deck=deck[1:])) == (
        "deck: it is incomplete, with too few of R0"
    )
    assert record.check(make_whole_record(deck=[*deck, "R0"])) == (
        "deck: more than 1 of R0, which is all that the deck holds"
    )
    assert record.check(make_whole_record(deck=["R1", *deck[1:]])) == (
        "deck: more than 2 of R1, which is all that the deck holds"
    )
    assert (
        str(record.check(make_whole_record(deck=["AS", *deck[1:]])))
        == "deck: the deck uno-108 has no card AS"
    )
    assert record.check(make_whole_record(deck="R1")) == "deck: expected a list, got 'R1'"


def test_deck_check_includes_blanks() -> None:
    house = {"options": {"blanks": 2, "blank_rule": "draw-one"}}
    deck = make_whole_record()["deck"]
    assert record.check(make_whole_record(deck=[*deck, "BLANK", "BLANK"], **house)) is None
    assert (
        record.check(make_whole_record(**house)) == "deck: it is incomplete, with too few of BLANK"
    )
    replaced = {"options": {"blanks": 1, "blank_rule": "replace", "blank_card": "Y7"}}
    assert record.check(make_whole_record(deck=[*deck, "Y7"], **replaced)) is None
    assert record.check(make_whole_record(deck=[*deck, "BLANK"], **replaced)) is None


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        (5, "entry 0: expected an object, got 5"),
        ({}, 'entry 0: missing key "seat"'),
        ({"draw": True}, 'entry 0: missing key "seat"'),
        ({"seat": 3, "draw": True}, "entry 0: seat: 3 is not a seat: the seats are 0 to 2"),
        ({"seat": 3, "draw": True, "refused": True}, "entry 0: seat: 3 is not a seat"),
        ({"seat": "0", "draw": True}, "entry 0: seat: '0' is not a seat"),
        ({"seat": 0}, "entry 0: An action has exactly one of play, draw"),
        ({"seat": 0, "draw": True, "pass": True}, "entry 0: An action has exactly one of"),
        ({"seat": 0, "draw": 1}, 'entry 0: "draw" is 1: it can only be true.'),
        ({"seat": 0, "play": "R99"}, "entry 0: 'R99' is not a card."),
        (
            {"seat": 0, "play": "AS", "refused": True},
            "entry 0: play: the deck uno-108 has no card AS",
        ),
        (
            {"seat": 0, "catch": 3, "refused": True},
            "entry 0: 3 is not a seat: the seats are 0 to 2",
        ),
        ({"seat": 0, "draw": True, "refused": 1}, "entry 0: refused: 1 is neither true nor"),
        ({"seat": 0, "expect": {}}, "entry 0: an entry is either an expectation or an action"),
        ({"expect": 1}, "entry 0: expect: expected an object, got 1"),
        ({"expect": {"tun": 1}}, "entry 0: expect: 'tun' is not one of cards, color,"),
        ({"expect": {"may": {"dance": True}}}, "entry 0: may: 'dance' is not one of challenge"),
        ({"expect": {"may": []}}, "entry 0: may: expected an object, got []"),
        (
            {"expect": {"cards": {"3": []}}},
            "entry 0: cards: '3' is not a seat: the seats are 0, 1, 2",
        ),
        ({"expect": {"cards": {"0": ["AS"]}}}, "entry 0: cards: the deck uno-108 has no card AS"),
        ({"expect": {"seen": {"0": []}}}, "entry 0: seen: expected an object, got []"),
        ({"expect": {"seen": {"0": {"9": []}}}}, "entry 0: seen: '9' is not a seat"),
        ({"expect": {"playable": "R5"}}, "entry 0: playable: expected a list, got 'R5'"),
        ({"expect": {"top": None}}, "entry 0: top: None is not a card."),
    ],
)
def test_invalid_log_entries_are_reported(entry: object, problem: str) -> None:
    assert str(record.check(make_small_record(log=[entry]))).startswith(problem)


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"turn": 2}, "turn: expected 2, got 0"),
        ({"turn": None}, "turn: expected null, got 0"),
        ({"direction": -1}, "direction: expected -1, got 1"),
        ({"color": "G"}, 'color: expected "G", got "R"'),
        ({"top": "G5"}, 'top: expected "G5", got "R5"'),
        ({"counts": [2, 2, 1]}, "counts: expected [2, 2, 1], got [2, 2, 2]"),
        ({"cards": {"1": ["R1"]}}, 'cards: seat 1: expected ["R1"], got ["B2", "R1"]'),
        ({"penalty": 2}, "penalty: expected 2, got 0"),
        ({"playable": ["R3"]}, 'playable: expected ["R3"], got ["G5", "R3"]'),
        ({"playable": ["R3", "G5", "G5"]}, 'playable: expected ["G5", "G5", "R3"], got'),
        ({"may": {"draw": False}}, 'may: expected {"draw": false}, got {"draw": true}'),
        ({"may": {"draw": 1}}, 'may: expected {"draw": 1}, got {"draw": true}'),
        ({"draw_pile": 3}, "draw_pile: expected 3, got 2"),
        ({"discard_pile": 2}, "discard_pile: expected 2, got 1"),
        ({"seen": {"0": {"1": ["R1"]}}}, 'seen: seat 0: expected {"1": ["R1"]}, got {}'),
        ({"over": True}, "over: expected true, got false"),
        ({"over": 0}, "over: expected 0, got false"),
        ({"winner": 0}, "winner: expected 0, got null"),
        ({"points": [1, 0, 0]}, "points: expected [1, 0, 0], got [0, 0, 0]"),
    ],
)
def test_unmet_expectations_are_reported(expect: dict[str, Any], problem: str) -> None:
    log = [{"expect": {"turn": 0}}, {"expect": expect}]
    assert str(record.check(make_small_record(log=log))).startswith(f"entry 1: {problem}")


def test_expectations_may_list_cards_in_any_order() -> None:
    expect = {
        "turn": 0,
        "direction": 1,
        "color": "R",
        "top": "R5",
        "counts": [2, 2, 2],
        "cards": {"0": ["G5", "R3"], "2": ["G2", "G1"]},
        "penalty": 0,
        "playable": ["G5", "R3"],
        "may": {"draw": True, "pass": False, "challenge": False},
        "draw_pile": 2,
        "discard_pile": 1,
        "seen": {"0": {"1": []}, "1": {}},
        "over": False,
        "winner": None,
        "points": [0, 0, 0],
    }
    assert record.check(make_small_record(log=[{"expect": expect}])) is None


def test_unexpected_refusal_is_reported() -> None:
    log = [{"expect": {}}, {"seat": 1, "play": "R1"}]
    assert record.check(make_small_record(log=log)) == (
        "entry 1: refused as not-your-turn: It’s not your turn."
    )


def test_missing_refusal_is_reported() -> None:
    problem = record.check(make_small_record(log=[{"seat": 0, "play": "R3", "refused": True}]))
    assert problem == "entry 0: refused: expected true, got an accepted action"


def test_code_of_a_refusal_is_checked() -> None:
    log = [{"seat": 1, "play": "R1", "refused": "not-your-turn"}]
    assert record.check(make_small_record(log=log)) is None
    log = [{"seat": 1, "play": "R1", "refused": "does-not-fit"}]
    assert record.check(make_small_record(log=log)) == (
        'entry 0: refused: expected "does-not-fit", got "not-your-turn"'
    )


def test_refusal_that_changes_the_hand_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def apply_carelessly(hand: Position, seat: int, action: Action) -> NoReturn:
        hand.direction = -hand.direction
        raise IllegalActionError("not-your-turn", "It’s not your turn.")

    monkeypatch.setattr(Position, "apply", apply_carelessly)
    log = [{"seat": 2, "draw": True, "refused": True}]
    assert (
        record.check(make_small_record(log=log))
        == "entry 0: refused: the refusal has changed the hand"
    )


def test_finished_hand_has_no_turn() -> None:
    position = POSITION | {"cards": [["R3"], ["R1"], ["G1"]]}
    ended = [{"seat": 0, "play": "R3"}]
    assert record.check(
        make_small_record(position=position, log=[*ended, {"expect": {"turn": 1}}])
    ) == ("entry 1: turn: expected 1, got null")
    expect = {
        "over": True,
        "winner": 0,
        "points": [2, 0, 0],
        "playable": [],
        "may": {"draw": False},
    }
    assert (
        record.check(make_small_record(position=position, log=[*ended, {"expect": expect}])) is None
    )


@pytest.mark.parametrize(
    ("match", "problem"),
    [
        ({"hands": [[1, 2]], "expect": {}}, "match: hand 0: 2 numbers for 3 seats"),
        ({"hands": [[400, 0, 0], [0, 0, 1]], "expect": {}}, "match: hand 1: the match is over"),
        ({"hands": [], "expect": {"total": 1}}, "match: expect: 'total' is not one of out, over"),
        ({"hands": [5], "expect": {}}, "match: hands: expected a list, got 5"),
        (
            {"hands": [[1, 0, 0]], "expect": {"totals": [2, 0, 0]}},
            "match: totals: expected [2, 0, 0], got [1, 0, 0]",
        ),
        ({"hands": [[1, 0, 0]], "expect": {"over": True}}, "match: over: expected true, got false"),
        (
            {"hands": [[400, 0, 0]], "expect": {"winners": []}},
            "match: winners: expected [], got [0]",
        ),
        ({"hands": [[1, 0, 0]], "expect": {"out": [1]}}, "match: out: expected [1], got []"),
    ],
)
def test_inconsistent_matches_are_reported(match: object, problem: str) -> None:
    data = make_small_record(position=..., log=..., match=match)
    assert str(record.check(data)).startswith(problem)


def test_record_may_contain_a_match_and_a_hand() -> None:
    match = {"hands": [[1, 0, 0]], "expect": {"totals": [1, 0, 0], "winners": []}}
    assert record.check(make_small_record(match=match)) is None
    assert record.check(make_small_record(match=match, log=[{"expect": {"turn": 1}}])) == (
        "entry 0: turn: expected 1, got 0"
    )


def test_excessive_nesting_is_reported() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert (
        record.check(make_small_record(log=[{"expect": {"counts": deep}}]))
        == "it is nested too deeply"
    )


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"nope"])
def test_non_json_file_is_reported(content: bytes) -> None:
    with pytest.raises(ValueError, match="this is not JSON"):
        record.load(content)


def test_file_may_contain_one_record_or_a_list() -> None:
    assert record.load(b'\xef\xbb\xbf{"name": "x"}') == [{"name": "x"}]
    assert record.load(b"[1, 2]") == [1, 2]
