"""Tests of refusals: their codes, and the sentences that explain them."""

import pytest

from games.rules.actions.actions import Action
from games.rules.hand.position import Position
from games.rules.hand.refusals import HandCode
from tests.rules.table import deal_hand, get_refusal_code, make_position, parse_action, run_actions


def get_refusal_sentence(hand: Position, line: str) -> str:
    seat, text = line.split(":")
    refusal = hand.refusal(int(seat), parse_action(text))
    assert refusal is not None
    assert refusal.code in [*HandCode]
    return refusal.sentence


@pytest.mark.parametrize(
    ("top", "color", "expected"),
    [
        ("R7", None, "You can’t play Green 4: you need red, a 7 or a wild."),
        ("RS", None, "You can’t play Green 4: you need red, a Skip or a wild."),
        ("R+2", None, "You can’t play Green 4: you need red, a Draw Two or a wild."),
        ("W", "B", "You can’t play Green 4: you need blue or a wild."),
        ("B8", None, "You can’t play Green 4: you need blue, an 8 or a wild."),
    ],
)
def test_refusal_says_which_cards_would_fit(top: str, color: str | None, expected: str) -> None:
    hand = make_position("uno-400", "G4 R9|Y1", top=top, color=color)
    assert get_refusal_sentence(hand, "0: G4") == expected
    assert hand.view(0)["why"]["G4"] == expected


@pytest.mark.parametrize(
    ("faces", "top", "color", "expected"),
    [
        (
            "anytime",
            "9S",
            None,
            "You can’t play 4 of clubs: you need spades, a 9, a face card or a joker.",
        ),
        ("matching", "9S", None, "You can’t play 4 of clubs: you need spades, a 9 or a joker."),
        ("matching", "QS", "H", "You can’t play 4 of clubs: you need hearts, a queen or a joker."),
        (
            "anytime",
            "AS",
            None,
            "You can’t play 4 of clubs: you need spades, an ace, a face card or a joker.",
        ),
    ],
)
def test_refusal_says_which_playing_cards_would_fit(
    faces: str, top: str, color: str | None, expected: str
) -> None:
    hand = make_position("ocho-cards", "4C 5C|3D", top=top, color=color, face_wilds=faces)
    assert get_refusal_sentence(hand, "0: 4C") == expected


UNO_POSITION = ("uno-400", "G4 R9 W|Y1 Y2", "R5")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1: Y1", "It’s not your turn."),
        ("0: B1", "You don’t have Blue 1."),
        ("0: SH", "There’s no Shield in this deck."),
        ("0: W", "Choose a colour to play Wild: red, yellow, green or blue."),
        ("0: W S", "'S' isn’t a colour: choose red, yellow, green or blue."),
        ("0: R9 R", "Red 9 already has a colour, so don’t choose one."),
        ("0: R9 with 1", "Red 9 doesn’t swap hands, so don’t choose a seat."),
        ("0: pass", "You can only pass after drawing: play a card, or draw."),
        (
            "0: challenge",
            "You can only challenge a Wild Draw Four that was just played against you.",
        ),
        ("0: choose R", "You don’t have to choose a colour now."),
        ("0: call", "Say UNO only with one card left."),
        ("1: catch 0", "You can’t catch that player: they don’t have exactly one card."),
        ("1: catch 1", "You can’t catch yourself: just say UNO."),
        ("7: draw", "There’s no seat 7: seats are numbered 0 to 1."),
        ("0: catch 7", "There’s no seat 7: seats are numbered 0 to 1."),
    ],
)
def test_refusal_sentence_matches_the_action(line: str, expected: str) -> None:
    ruleset, hands, top = UNO_POSITION
    assert get_refusal_sentence(make_position(ruleset, hands, top=top), line) == expected


@pytest.mark.parametrize(("card", "name"), [("BLANK", "Blank"), ("AS", "Ace of spades")])
def test_refusal_names_a_card_that_the_deck_lacks(card: str, name: str) -> None:
    hand = make_position("uno-400", "R3 G5|R1 B2", top="R5")
    assert get_refusal_code(hand, f"0: {card}") == "unknown-card"
    assert get_refusal_sentence(hand, f"0: {card}") == f"There’s no {name} in this deck."


def test_refusal_after_a_draw_names_the_possible_actions() -> None:
    hand = make_position("uno-400", "R1 G4|Y1 Y2", top="R5", draw="R9")
    run_actions(hand, "0: draw")
    assert get_refusal_sentence(hand, "0: draw") == "You’ve already drawn: play Red 9, or pass."
    assert get_refusal_sentence(hand, "0: R1") == "You can only play the card you just drew: Red 9."
    hand = make_position("uno-assignment", "R1 G4|Y1 Y2", top="R5", draw="R9")
    run_actions(hand, "0: draw")
    assert get_refusal_sentence(hand, "0: draw") == "You’ve already drawn: play Red 9."
    assert (
        get_refusal_sentence(hand, "0: pass")
        == "You just drew Red 9, which fits, so you have to play it."
    )
    hand = make_position("uno-400", "R1 G4|Y1 Y2", top="R5")
    run_actions(hand, "0: draw")
    assert get_refusal_sentence(hand, "0: draw") == "There are no cards left to draw, so pass."
    assert (
        get_refusal_sentence(hand, "0: R1")
        == "You chose to draw, so you can’t play another card: pass."
    )


def test_refusal_names_the_cards_that_must_be_played() -> None:
    hand = make_position("ocho-cards", "9H 3C QD|4S", top="9S")
    assert get_refusal_sentence(hand, "0: draw") == (
        "You can play 9 of hearts or Queen of diamonds, so you have to."
    )


def test_refusals_name_suits_and_jokers_with_playing_cards() -> None:
    hand = make_position("ocho-cards", "3S 4C|5H 6H", top="9S", draw="7S", challenge=True)
    assert get_refusal_sentence(hand, "0: choose S") == "You don’t have to choose a suit now."
    assert (
        get_refusal_sentence(hand, "0: pass")
        == "You can only pass after drawing: play a card that fits."
    )
    assert get_refusal_sentence(hand, "0: challenge") == (
        "You can only challenge a joker that was just played against you."
    )
    hand = make_position("ocho-cards", "4C 4D|5H 6H", top="9S", draw="7S")
    assert (
        get_refusal_sentence(hand, "0: pass")
        == "You can only pass after drawing: play a card, or draw."
    )


def test_refusal_under_a_penalty_lists_the_possible_answers() -> None:
    hand = make_position("uno-400", "W+4 R1 G1|Y1 Y2 G4", top="R5", draw="Y3 Y4 Y6 Y7")
    run_actions(hand, "0: W+4 G")
    assert get_refusal_sentence(hand, "1: G4") == (
        "You can’t play Green 4 now: draw 4 cards, or challenge."
    )
    assert get_refusal_sentence(hand, "1: pass") == ("You can’t pass: draw 4 cards, or challenge.")
    hand = make_position("ocho", "R+2 R1 G1|Y1 Y2 G4", top="R5", draw="Y3 Y4")
    run_actions(hand, "0: R+2")
    assert get_refusal_sentence(hand, "1: G4") == (
        "You can’t play Green 4 now: draw 2 cards, or play a Draw Two, a Wild Draw Four or a "
        "Shield."
    )
    hand = make_position("ocho-cards", "2H 3C 4C|5H 6C", top="9H", draw="7C 8C")
    run_actions(hand, "0: 2H")
    assert get_refusal_sentence(hand, "1: 5H") == (
        "You can’t play 5 of hearts now: draw 2 cards, or play a 2."
    )
    assert get_refusal_sentence(hand, "1: challenge") == "These rules don’t allow challenges."


def test_refusal_of_a_call_or_catch_gives_the_reason() -> None:
    hand = make_position("uno-500", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1 Y2 Y3 Y4 Y5 Y6")
    assert (
        get_refusal_sentence(hand, "1: call")
        == "With two cards left, say UNO only when you can play one of them."
    )
    run_actions(hand, "0: R3 uno")
    assert get_refusal_sentence(hand, "0: call") == "You’ve already said UNO."
    assert (
        get_refusal_sentence(hand, "1: catch 0")
        == "You can’t catch that player: they’ve already said UNO."
    )
    hand = make_position("uno-500", "R3|R1 B2 B3", top="R5", draw="Y1 Y2 Y3 Y4 Y5 Y6")
    assert (
        get_refusal_sentence(hand, "0: call")
        == "No one can catch you now, so you don’t have to say UNO."
    )
    assert get_refusal_sentence(hand, "1: call") == (
        "Say UNO with one card left, or with two before you play one of them."
    )
    assert get_refusal_sentence(hand, "1: catch 0") == (
        "You can’t catch that player: it’s too late, or they didn’t have to say UNO."
    )


def test_refusal_before_a_colour_is_chosen_lists_the_colours() -> None:
    hand = deal_hand("uno-400", 2, 0, "R1 R2|Y1 Y2", "W", "B1 B2", hand_size=2)
    assert (
        get_refusal_sentence(hand, "1: Y1") == "Choose a colour first: red, yellow, green or blue."
    )
    assert hand.view(1)["why"] == dict.fromkeys(
        ["Y1", "Y2"], "Choose a colour first: red, yellow, green or blue."
    )


def test_legal_action_has_no_refusal() -> None:
    hand = make_position("uno-400", "R3 G5|R1 B2|G1 G2", top="R5", draw="Y1")
    assert hand.refusal(0, Action.play("R3")) is None


def test_refusal_uses_the_general_name_of_a_role_that_the_deck_lacks() -> None:
    hand = make_position("uno-400", "4S|5S", top="7S", deck="one-pack")
    expected = "You can only challenge a Wild Draw Four that was just played against you."
    assert get_refusal_sentence(hand, "0: challenge") == expected
