import re
from collections.abc import Sequence
from typing import Any, cast

import pytest

from games.rules.ruleset import rulesets
from games.rules.ruleset.applicability import applies
from games.rules.ruleset.rulesets import OPTIONS, RULE_SETS, OptionError, make


def test_every_option_accepts_its_default() -> None:
    for rs in RULE_SETS.values():
        assert list(rs.options()) == list(OPTIONS)
        for name, value in rs.options().items():
            assert OPTIONS[name].check(value) == value


@pytest.mark.parametrize("option", OPTIONS.values(), ids=list(OPTIONS))
def test_every_value_has_one_sentence(option: rulesets.Option) -> None:
    examples: dict[str, Sequence[bool | int | str]] = {
        "int": [option.min, option.max],
        "card": ["", "Y7"],
        "text": ["", "Gift Day"],
    }
    sentences = [option.sentence(value) for value in examples.get(option.kind, option.values)]
    assert len(set(sentences)) == len(sentences)
    for sentence in sentences:
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_changed_options_are_those_that_differ_from_the_defaults() -> None:
    rs = make("uno-400", {"target": 300, "hand_size": 7})
    assert rs.changed_options() == {"target": 300}
    assert RULE_SETS["uno-400"].changed_options() == {}


@pytest.mark.parametrize(
    ("options", "name", "sentence"),
    [
        ({"colour": 1}, "colour", "There is no option 'colour'."),
        ({"renege": 1}, "renege", "renege can’t be 1: it must be true or false."),
        (
            {"target": -1},
            "target",
            "target can’t be -1: it must be a whole number from 0 to 99999.",
        ),
        (
            {"target": 2.5},
            "target",
            "target can’t be 2.5: it must be a whole number from 0 to 99999.",
        ),
        (
            {"target": True},
            "target",
            "target can’t be True: it must be a whole number from 0 to 99999.",
        ),
        ({"blanks": 5}, "blanks", "blanks can’t be 5: it must be a whole number from 0 to 4."),
        ({"wrong_catch_penalty": 3}, "wrong_catch_penalty", None),
        (
            {"stacking": "all"},
            "stacking",
            "stacking can’t be 'all': it must be one of these: none, draw-two, any-draw.",
        ),
        ({"stacking": ["none"]}, "stacking", None),
        (
            {"blank_card": "Q"},
            "blank_card",
            "blank_card can’t be 'Q': it must be a card such as Y7.",
        ),
        ({"blank_name": "a\nb"}, "blank_name", None),
        ({"blank_name": "x" * 31}, "blank_name", None),
        (
            {"blanks": 1, "blank_rule": "replace"},
            "blank_card",
            "Enter the card that the blanks replace, such as Y7.",
        ),
        (
            {"blanks": 1, "blank_rule": "replace", "blank_card": "AS"},
            "blank_card",
            "The blanks can’t replace AS: the uno-108 deck has no such card.",
        ),
        (
            {"partners": True, "scoring": "elimination"},
            "scoring",
            "Partners can’t be eliminated one by one: choose another way of scoring.",
        ),
        (
            {"partners": True, "hand_size": 25, "deck": "original-54"},
            "hand_size",
            "25 cards each is too many for a deck of 54 cards.",
        ),
    ],
)
def test_invalid_options_are_explained(
    options: dict[str, object], name: str, sentence: str | None
) -> None:
    with pytest.raises(OptionError) as caught:
        make("uno-400", options)
    assert caught.value.name == name
    if sentence is not None:
        assert caught.value.sentence == sentence


@pytest.mark.parametrize("key", ["uno", "", None, []])
def test_unknown_rule_set_is_refused(key: Any) -> None:
    with pytest.raises(OptionError, match="There is no rule set"):
        make(key)


@pytest.mark.parametrize(
    ("options", "fewest", "most"),
    [
        ({}, 2, 10),
        ({"partners": True}, 4, 4),
        ({"deck": "original-54"}, 2, 5),
        ({"hand_size": 12}, 2, 8),
        ({"hand_size": 25}, 2, 4),
    ],
)
def test_options_determine_the_seat_limits(
    options: dict[str, object], fewest: int, most: int
) -> None:
    rs = make("uno-400", options)
    assert (rs.min_seats, rs.max_seats) == (fewest, most)
    rs.check_seats(fewest)
    rs.check_seats(most)
    for seats in (fewest - 1, most + 1):
        with pytest.raises(OptionError) as caught:
            rs.check_seats(seats)
        assert caught.value.name == "seats"
        assert caught.value.sentence.endswith(f" players, not {seats}.")


def test_blanks_are_added_to_the_deck() -> None:
    rs = make("uno-500", {"blanks": 4, "blank_points": 30})
    assert rs.card_counts()[rs.pack.blank] == 4
    assert rs.points(rs.pack.blank) == 30
    assert len(rs.cards()) == 112


def test_replacing_blank_counts_as_the_replaced_card() -> None:
    rs = make("uno-500", {"blanks": 1, "blank_rule": "replace", "blank_card": "Y7"})
    assert rs.card_counts()[rs.pack.kind("Y7")] == 3
    assert rs.kind("BLANK") == rs.pack.kind("Y7")
    assert rs.points(rs.kind("BLANK")) == 7


def test_naming_a_card_implies_the_rule_replace() -> None:
    assert make("uno-500", {"blanks": 1, "blank_card": "Y7"}).blank_rule == "replace"
    house = make("uno-500", {"blanks": 1, "blank_card": "Y7", "blank_rule": "swap"})
    assert house.kind("BLANK") == house.pack.blank


def test_option_applies_only_if_it_makes_a_difference() -> None:
    ocho, cards = RULE_SETS["ocho"], RULE_SETS["ocho-cards"]
    idle = [name for name in OPTIONS if not applies(name, ocho)]
    assert idle == [
        "face_wilds",
        "uno_before_play",
        "uno_window",
        "partner_catches",
        "wrong_catch_penalty",
        "blank_rule",
        "blank_card",
        "blank_name",
        "blank_points",
    ]
    assert applies("face_wilds", cards)
    assert not applies("opening_skip", cards)
    assert applies("blank_card", make("ocho", {"blanks": 1, "blank_rule": "draw-one"})) is False


@pytest.mark.parametrize("unknown", ["X9", 7, ["R1"]])
def test_error_names_an_unknown_notation(unknown: object) -> None:
    rules = rulesets.make("uno-500")
    assert rules.kinds(iter(["R1", "G7"])) == [rules.kind("R1"), rules.kind("G7")]
    with pytest.raises(ValueError, match=re.escape(str(unknown))):
        rules.kinds(["R1", cast("str", unknown), "G7"])


@pytest.mark.parametrize(
    ("key", "options", "two", "three"),
    [
        ("uno-400", {}, 7, 7),
        ("uno-400", {"hand_size_two": 9}, 9, 7),
        ("uno-400", {"hand_size": 5}, 5, 5),
        ("ocho", {}, 8, 8),
        ("crazy-eights", {}, 7, 5),
        ("crazy-eights", {"hand_size_two": 0}, 5, 5),
    ],
)
def test_two_players_may_be_dealt_a_different_number_of_cards(
    key: str, options: dict[str, object], two: int, three: int
) -> None:
    rs = rulesets.make(key, options)
    assert [rs.cards_per_hand(seats) for seats in (2, 3, 4)] == [two, three, three]


@pytest.mark.parametrize(
    ("window", "pause"), [("next-begins", 0.0), ("next-ends", 0.0), ("own-turn", 1.5)]
)
def test_catch_pause_depends_on_the_catch_window(window: str, pause: float) -> None:
    assert rulesets.make("uno-400", {"uno_window": window}).catch_pause == pause


def test_rule_sets_are_distinguished_by_key_and_options() -> None:
    same = [rulesets.make("uno-400", {"target": 300}) for _ in range(2)]
    assert same[0] == same[1]
    assert hash(same[0]) == hash(same[1])
    others = [rulesets.RULE_SETS["uno-400"], rulesets.make("uno-500", {"target": 300})]
    assert len({*same, *others}) == 3
