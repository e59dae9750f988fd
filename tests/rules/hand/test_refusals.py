"""Refusals: codes that stay, sentences that say what would be right."""

import pytest

from games.rules.actions.actions import Action
from games.rules.hand.position import Position
from games.rules.hand.refusals import HandCode
from tests.rules.table import action, dealt, position, refused, run


def sentence(hand: Position, line: str) -> str:
    seat, text = line.split(":")
    refusal = hand.refusal(int(seat), action(text))
    assert refusal is not None
    assert refusal.code in [*HandCode]
    return refusal.sentence


@pytest.mark.parametrize(
    ("top", "color", "said"),
    [
        ("R7", None, "Green 4 does not fit: red, or a 7, or a wild."),
        ("RS", None, "Green 4 does not fit: red, or a Skip, or a wild."),
        ("R+2", None, "Green 4 does not fit: red, or a Draw Two, or a wild."),
        ("W", "B", "Green 4 does not fit: blue, or a wild."),
        ("B8", None, "Green 4 does not fit: blue, or an 8, or a wild."),
    ],
)
def test_what_would_fit(top: str, color: str | None, said: str) -> None:
    hand = position("uno-400", "G4 R9|Y1", top=top, color=color)
    assert sentence(hand, "0: G4") == said
    assert hand.view(0)["why"]["G4"] == said


@pytest.mark.parametrize(
    ("faces", "top", "color", "said"),
    [
        (
            "anytime",
            "9S",
            None,
            "4 of clubs does not fit: spades, or a 9, or a face card, or a joker.",
        ),
        ("matching", "9S", None, "4 of clubs does not fit: spades, or a 9, or a joker."),
        ("matching", "QS", "H", "4 of clubs does not fit: hearts, or a queen, or a joker."),
        (
            "anytime",
            "AS",
            None,
            "4 of clubs does not fit: spades, or an ace, or a face card, or a joker.",
        ),
    ],
)
def test_what_would_fit_with_playing_cards(
    faces: str, top: str, color: str | None, said: str
) -> None:
    hand = position("ocho-cards", "4C 5C|3D", top=top, color=color, face_wilds=faces)
    assert sentence(hand, "0: 4C") == said


UNO = ("uno-400", "G4 R9 W|Y1 Y2", "R5")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1: Y1", "It is not your turn."),
        ("0: B1", "You do not hold Blue 1."),
        ("0: SH", "The deck has no Shield."),
        ("0: W", "With Wild, name the colour: red, yellow, green or blue."),
        ("0: W S", "There is no colour 'S': name red, yellow, green or blue."),
        ("0: R9 R", "Red 9 has its own colour."),
        ("0: R9 with 1", "Red 9 swaps no hands: name no seat."),
        ("0: pass", "You can pass only after a draw: play a card, or draw."),
        (
            "0: challenge",
            "You can challenge only a Wild Draw Four that was just played against you.",
        ),
        ("0: choose R", "There is no colour to choose now."),
        ("0: call", "UNO is said with one card left."),
        ("1: catch 0", "There is nothing to catch: that player does not have exactly one card."),
        ("1: catch 1", "You cannot catch yourself: say UNO."),
        ("7: draw", "There is no seat 7: they are 0 to 1."),
        ("0: catch 7", "There is no seat 7: they are 0 to 1."),
    ],
)
def test_sentences(line: str, said: str) -> None:
    ruleset, hands, top = UNO
    assert sentence(position(ruleset, hands, top=top), line) == said


@pytest.mark.parametrize(("card", "name"), [("BLANK", "Blank"), ("AS", "Ace of spades")])
def test_a_card_that_the_deck_has_not_is_named(card: str, name: str) -> None:
    hand = position("uno-400", "R3 G5|R1 B2", top="R5")
    assert refused(hand, f"0: {card}") == "unknown-card"
    assert sentence(hand, f"0: {card}") == f"The deck has no {name}."


def test_sentences_after_a_draw() -> None:
    hand = position("uno-400", "R1 G4|Y1 Y2", top="R5", draw="R9")
    run(hand, "0: draw")
    assert sentence(hand, "0: draw") == "You have drawn already: play Red 9, or pass."
    assert sentence(hand, "0: R1") == "Only the card just drawn may be played now: Red 9."
    hand = position("uno-assignment", "R1 G4|Y1 Y2", top="R5", draw="R9")
    run(hand, "0: draw")
    assert sentence(hand, "0: draw") == "You have drawn already: play Red 9."
    assert sentence(hand, "0: pass") == "The card just drawn fits: play Red 9."
    hand = position("uno-400", "R1 G4|Y1 Y2", top="R5")
    run(hand, "0: draw")
    assert sentence(hand, "0: draw") == "No card is left to draw: pass."
    assert sentence(hand, "0: R1") == "After a draw no other card may be played: pass."


def test_sentences_where_one_must_play() -> None:
    hand = position("ocho-cards", "9H 3C QD|4S", top="9S")
    assert sentence(hand, "0: draw") == (
        "You must play, for you are able to: 9 of hearts or Queen of diamonds."
    )


def test_sentences_speak_of_suits_and_jokers_with_playing_cards() -> None:
    hand = position("ocho-cards", "3S 4C|5H 6H", top="9S", draw="7S", challenge=True)
    assert sentence(hand, "0: choose S") == "There is no suit to choose now."
    assert sentence(hand, "0: pass") == "You can pass only after a draw: play a card that fits."
    assert sentence(hand, "0: challenge") == (
        "You can challenge only a joker that was just played against you."
    )
    hand = position("ocho-cards", "4C 4D|5H 6H", top="9S", draw="7S")
    assert sentence(hand, "0: pass") == "You can pass only after a draw: play a card, or draw."


def test_sentences_under_a_penalty() -> None:
    hand = position("uno-400", "W+4 R1 G1|Y1 Y2 G4", top="R5", draw="Y3 Y4 Y6 Y7")
    run(hand, "0: W+4 G")
    assert sentence(hand, "1: G4") == (
        "Green 4 is no answer: draw the 4 cards that you owe, or challenge."
    )
    assert sentence(hand, "1: pass") == (
        "You cannot pass: draw the 4 cards that you owe, or challenge."
    )
    hand = position("ocho", "R+2 R1 G1|Y1 Y2 G4", top="R5", draw="Y3 Y4")
    run(hand, "0: R+2")
    assert sentence(hand, "1: G4") == (
        "Green 4 is no answer: draw the 2 cards that you owe, or play a Draw Two, "
        "or play a Wild Draw Four, or play a Shield."
    )
    hand = position("ocho-cards", "2H 3C 4C|5H 6C", top="9H", draw="7C 8C")
    run(hand, "0: 2H")
    assert sentence(hand, "1: 5H") == (
        "5 of hearts is no answer: draw the 2 cards that you owe, or play a 2."
    )
    assert sentence(hand, "1: challenge") == "These rules have no challenge."


def test_sentences_about_uno() -> None:
    hand = position("uno-500", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1 Y2 Y3 Y4 Y5 Y6")
    assert sentence(hand, "1: call") == "Say UNO with two cards when you can play one of them."
    run(hand, "0: R3 uno")
    assert sentence(hand, "0: call") == "You have said UNO already."
    assert sentence(hand, "1: catch 0") == "There is nothing to catch: that player has said UNO."
    hand = position("uno-500", "R3|R1 B2 B3", top="R5", draw="Y1 Y2 Y3 Y4 Y5 Y6")
    assert sentence(hand, "0: call") == "Nobody can catch you now: there is nothing to say."
    assert sentence(hand, "1: call") == (
        "UNO is said with one card left, or with two before you play one."
    )
    assert sentence(hand, "1: catch 0") == (
        "There is nothing to catch: it is too late, or that player had no need to say UNO."
    )


def test_sentences_before_a_colour_is_chosen() -> None:
    hand = dealt("uno-400", 2, 0, "R1 R2|Y1 Y2", "W", "B1 B2", hand_size=2)
    assert sentence(hand, "1: Y1") == "First choose the colour: red, yellow, green or blue."
    assert hand.view(1)["why"] == dict.fromkeys(
        ["Y1", "Y2"], "First choose the colour: red, yellow, green or blue."
    )


def test_a_legal_action_has_no_refusal() -> None:
    hand = position("uno-400", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1")
    assert hand.refusal(0, Action.play("R3")) is None


def test_a_card_that_the_deck_has_not_is_spoken_of_in_general() -> None:
    hand = position("uno-400", "4S|5S", top="7S", deck="one-pack")
    said = "You can challenge only a Wild Draw Four that was just played against you."
    assert sentence(hand, "0: challenge") == said
