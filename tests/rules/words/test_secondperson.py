"""Tests of texts that address the acting player as "you" and include private information."""

from typing import Any

import pytest

from games.rules.ruleset import rulesets
from games.rules.words.secondperson import YOURS
from games.rules.words.sentences import action_text, sentence

OCHO = rulesets.make("ocho", {})
NAMES = ["Asha", "Ben", "Chitra"]
SEEN_CARDS = {"0": {"cards": {"1": "R7", "2": "B2"}}}


def make_event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"event": kind, **fields}


PLAYED_EVENT = make_event("played", seat=0, card="R7", uno=False)


@pytest.mark.parametrize(
    ("event", "you", "text"),
    [
        (PLAYED_EVENT, None, "Asha plays Red 7."),
        (PLAYED_EVENT, 1, "Asha plays Red 7."),
        (PLAYED_EVENT, 0, "You play Red 7."),
        (PLAYED_EVENT | {"uno": True, "color": "B"}, 0, "You play Red 7, choose blue and say UNO."),
        (
            make_event("drew", seat=1, cards=2, why="dead_red"),
            1,
            "You have no red cards and draw 2 cards.",
        ),
        (
            make_event("drew", seat=1, cards=0, why="turn"),
            1,
            "You have to draw, but there are no cards left.",
        ),
        (make_event("caught", seat=1, by=0, cards=2), 0, "You catch Ben for not saying UNO."),
        (make_event("caught", seat=1, by=0, cards=2), 1, "Asha catches you for not saying UNO."),
        (make_event("swapped", seat=0) | {"with": 1}, 1, "Asha swaps hands with you."),
        (
            make_event("shielded", seat=0, of=1, cards=4),
            0,
            "Your Shield sends 4 cards back to Ben.",
        ),
        (make_event("said_ocho", seat=0), 0, "you say “Ocho!”"),
        (
            make_event("revealed", seat=0, private=SEEN_CARDS),
            0,
            "You see Ben’s Red 7, Chitra’s Blue 2.",
        ),
        (
            make_event("revealed", seat=0, private=SEEN_CARDS),
            1,
            "Asha sees one card from each opponent.",
        ),
    ],
)
def test_single_event_is_written_in_the_second_person(
    event: dict[str, Any], you: int | None, text: str
) -> None:
    assert sentence(event, NAMES, OCHO, you) == text


# Events that involve seat 0, with the sentence for the other players and the one for seat 0.
PERSON_PAIRS = [
    (
        make_event("played", seat=0, card="W", color="G", uno=True),
        "Asha plays Wild, chooses green and says UNO.",
        "You play Wild, choose green and say UNO.",
    ),
    (
        make_event("played", seat=0, card="R7", uno=True),
        "Asha plays Red 7 and says UNO.",
        "You play Red 7 and say UNO.",
    ),
    (
        make_event("played", seat=0, card="W", color="G", uno=False),
        "Asha plays Wild and chooses green.",
        "You play Wild and choose green.",
    ),
    (make_event("chose", seat=0, color="Y"), "Asha chooses yellow.", "You choose yellow."),
    (make_event("drew", seat=0, cards=1, why="turn"), "Asha draws 1 card.", "You draw 1 card."),
    (
        make_event("drew", seat=0, cards=2, why="penalty"),
        "Asha draws 2 cards.",
        "You draw 2 cards.",
    ),
    (make_event("drew", seat=0, cards=1, why="blank"), "Asha draws 1 card.", "You draw 1 card."),
    (
        make_event("drew", seat=0, cards=2, why="opening"),
        "Asha draws 2 cards because of the starting card.",
        "You draw 2 cards because of the starting card.",
    ),
    (
        make_event("drew", seat=0, cards=2, why="boo_blue"),
        "Asha has the fewest cards and draws 2 cards.",
        "You have the fewest cards and draw 2 cards.",
    ),
    (
        make_event("drew", seat=0, cards=4, why="uno"),
        "Asha draws 4 cards for not saying UNO.",
        "You draw 4 cards for not saying UNO.",
    ),
    (
        make_event("drew", seat=0, cards=6, why="challenge"),
        "Asha draws 6 cards after the challenge.",
        "You draw 6 cards after the challenge.",
    ),
    (
        make_event("drew", seat=0, cards=2, why="last_card"),
        "Asha still draws 2 cards.",
        "You still draw 2 cards.",
    ),
    (
        make_event("drew", seat=0, cards=1, why="wrong_catch"),
        "Asha draws 1 card for a wrong catch.",
        "You draw 1 card for a wrong catch.",
    ),
    (make_event("called", seat=0), "Asha says UNO.", "You say UNO."),
    (
        make_event("wrong_catch", seat=0, of=1, cards=1),
        "Asha wrongly tries to catch Ben.",
        "You wrongly try to catch Ben.",
    ),
    (make_event("passed", seat=0), "Asha passes.", "You pass."),
    (make_event("skipped", seat=0), "Asha is skipped.", "You are skipped."),
    (
        make_event("penalty", seat=0, cards=4),
        "Asha has 4 cards to draw.",
        "You have 4 cards to draw.",
    ),
    (
        make_event("shielded", seat=0, of=None, cards=4),
        "Asha’s Shield cancels a penalty of 4 cards.",
        "Your Shield cancels a penalty of 4 cards.",
    ),
    (
        make_event("shielded", seat=1, of=0, cards=4),
        "Ben’s Shield sends 4 cards back to Asha.",
        "Ben’s Shield sends 4 cards back to you.",
    ),
    (
        make_event("challenged", seat=0, of=1, guilty=False),
        "Asha challenges Ben: it wasn’t a bluff.",
        "You challenge Ben: it wasn’t a bluff.",
    ),
    (
        make_event("swapped", seat=0) | {"with": 2},
        "Asha swaps hands with Chitra.",
        "You swap hands with Chitra.",
    ),
    (
        make_event("over", winner=0, points=[82, 0, 0], blocked=False),
        "Asha goes out and scores 82 points.",
        "You go out and score 82 points.",
    ),
    (
        make_event("over", winner=0, points=[0, 5, 9], blocked=False),
        "Asha goes out.",
        "You go out.",
    ),
]


@pytest.mark.parametrize(("event", "third_person", "second_person"), PERSON_PAIRS)
def test_actor_is_addressed_as_you_and_others_see_the_name(
    event: dict[str, Any], third_person: str, second_person: str
) -> None:
    sentences = [sentence(event, NAMES, OCHO, you) for you in (None, 2, 0)]
    others = third_person.replace("with Chitra", "with you")
    assert sentences == [third_person, others, second_person]


@pytest.mark.parametrize(
    "event",
    [
        make_event("reversed", direction=-1),
        make_event("passed_hands", direction=1),
        make_event("reshuffled", cards=40),
        make_event("opening", card="R5"),
        make_event("returned", card="W+4"),
        make_event("identical", card="R5"),
        make_event("over", winner=None, points=[0, 0, 0], blocked=True),
    ],
)
def test_event_without_an_actor_reads_the_same_for_all(event: dict[str, Any]) -> None:
    sentences = {sentence(event, NAMES, OCHO, you) for you in (None, 0, 1)}
    assert len(sentences) == 1


@pytest.mark.parametrize(
    ("event", "effect"),
    [
        (make_event("drew", seat=1, cards=2, why="uno"), "you draw 2 cards"),
        (make_event("drew", seat=1, cards=2, why="challenge"), "you draw 2 cards"),
        (make_event("drew", seat=1, cards=1, why="wrong_catch"), "you draw 1 card"),
        (
            make_event("drew", seat=1, cards=0, why="uno"),
            "you have to draw, but there are no cards left",
        ),
        (
            make_event("drew", seat=1, cards=2, why="boo_blue"),
            "you have the fewest cards and draw 2 cards",
        ),
        (make_event("reversed", direction=-1), "the direction changes"),
        (make_event("reshuffled", cards=40), "the discard pile becomes the new draw pile"),
        (make_event("identical", card="R5"), "it’s identical to the card below"),
        (make_event("said_ocho", seat=0), "“Ocho!”"),
        (make_event("skipped", seat=1), "you are skipped"),
        (make_event("penalty", seat=1, cards=4), "you have 4 cards to draw"),
        (make_event("shielded", seat=0, of=None, cards=4), "no one has to draw"),
        (
            make_event("over", winner=None, points=[0, 0, 0], blocked=True),
            "the hand is blocked, and no one scores",
        ),
        (
            make_event("over", winner=1, points=[0, 5, 0], blocked=False),
            "you go out and score 5 points",
        ),
        (make_event("caught", seat=1, by=2, cards=2), "Chitra catches you for not saying UNO"),
        (make_event("revealed", seat=0), "Asha sees one card from each opponent"),
    ],
)
def test_effect_of_an_action_is_described_briefly(event: dict[str, Any], effect: str) -> None:
    assert action_text([PLAYED_EVENT, event], NAMES, OCHO, 1) == f"Asha plays Red 7: {effect}."


def test_penalty_event_names_the_target_of_a_shield() -> None:
    events = [
        PLAYED_EVENT,
        make_event("shielded", seat=0, of=1, cards=4),
        make_event("penalty", seat=1, cards=4),
    ]
    assert action_text(events, NAMES, OCHO, 1) == "Asha plays Red 7: you have 4 cards to draw."
    assert action_text(events[:2], NAMES, OCHO, 1) == "Asha plays Red 7."


def test_effects_are_listed_in_order() -> None:
    events = [PLAYED_EVENT, make_event("skipped", seat=1), make_event("reversed", direction=1)]
    assert (
        action_text(events, NAMES, OCHO)
        == "Asha plays Red 7: Ben is skipped; the direction changes."
    )
    bluff = make_event("challenged", seat=1, of=0, guilty=False)
    drew = make_event("drew", seat=1, cards=6, why="challenge")
    assert action_text([bluff, drew, make_event("skipped", seat=1)], NAMES, OCHO) == (
        "Ben challenges Asha: it wasn’t a bluff; Ben draws 6 cards; Ben is skipped."
    )


def test_reader_is_addressed_in_every_part_of_an_action() -> None:
    events = [PLAYED_EVENT | {"card": "DR"}, make_event("drew", seat=1, cards=2, why="dead_red")]
    assert action_text(events, NAMES, OCHO, 0).startswith("You play Dead Red: Ben has no red card")
    assert (
        action_text(events, NAMES, OCHO, 1)
        == "Asha plays Dead Red: you have no red cards and draw 2 cards."
    )


def test_challenger_sees_the_revealed_hand() -> None:
    bluff = make_event(
        "challenged", seat=0, of=1, guilty=True, private={"0": {"cards": ["R7", "B2"]}}
    )
    assert (
        sentence(bluff, NAMES, OCHO, 0)
        == "You challenge Ben: it was a bluff (hand: Red 7, Blue 2)."
    )
    assert sentence(bluff, NAMES, OCHO, 1) == "Asha challenges you: it was a bluff."


def test_second_person_texts_use_the_same_placeholders() -> None:
    for text, yours in YOURS.items():
        places = {place for place in ("{cards}", "{color}", "{points}", "{card}") if place in text}
        assert all(place in yours for place in places), text
