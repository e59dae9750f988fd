"""Tests that the rules page is consistent under options other than the defaults."""

import pytest

from games.rules.ruleset import rulesets
from games.rules.words import explain
from tests.rules.table import make_position, run_actions


def render_options(key: str, **options: object) -> str:
    return "\n".join(
        "\n".join([*section.paragraphs, *(item.sentence for item in section.items)])
        for section in explain.rules_page(rulesets.make(key, options))
    )


@pytest.mark.parametrize("word", ["colour", "Draw Twos", "a Draw Two", "A Wild ", "A Reverse"])
def test_playing_card_rules_use_playing_card_terms(word: str) -> None:
    challenged = {"challenge": True, "wild_draw_four": "no-matching-color"}
    for options in ({}, challenged, {"opening_wild": "choose", "opening_draw_two": "draw"}):
        assert word not in render_options("ocho-cards", **options)


def test_rules_for_playing_cards_name_aces_twos_and_jokers() -> None:
    page = render_options("ocho-cards", opening_reverse="dealers-right")
    assert (
        "If a face card is turned up at the start, it counts as an ordinary card of its suit."
    ) in page
    assert "If an ace is turned up at the start, the player to the dealer’s right" in page
    assert "A 2 can be answered with a 2 of any suit." in page
    assert "A joker cannot be stacked. A joker can be played at any time." in page


def test_opening_wild_without_a_colour_is_explained() -> None:
    expected = "If a Wild is turned up at the start, it stays on the pile without a colour, so any"
    assert expected in render_options("uno-400", opening_wild="plain")


def test_rules_page_does_not_claim_that_a_last_draw_two_cannot_be_answered() -> None:
    page = render_options("ocho-cards")
    assert "If the last card is a joker, the next player still draws" in page
    assert "If the last card is a draw card" not in page
    assert "If the last card is a draw card" in render_options(
        "ocho-cards", last_draw_two="at-once"
    )


def test_effects_of_other_last_cards_are_explained() -> None:
    assert (
        "If the last card is a Shield, the player who receives the penalty has to draw "
        "and cannot answer." in render_options("ocho")
    )
    assert "If the last card is a Shield" not in render_options("uno-500")
    assert "If the last card is a blank, no hands are swapped or passed on." in render_options(
        "uno-500", blanks=1, blank_rule="swap"
    )
    assert "If the last card is a blank" not in render_options(
        "uno-500", blanks=1, blank_rule="draw-one"
    )


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        (
            "winner-takes",
            "When a player goes out, their team scores the points of the cards left in both "
            "opponents’ hands.",
        ),
        (
            "lowest",
            "When a player goes out, the opposing team adds the points of the cards left in both "
            "of its hands to its running total, and the team that went out adds nothing.",
        ),
    ],
)
def test_partners_score_as_a_team(scoring: str, expected: str) -> None:
    text = render_options("uno-500", partners=True, scoring=scoring)
    assert text.count(expected) == 2
    assert "the other hands" not in text
    assert "Each player keeps" not in text


def test_matching_face_cards_are_not_described_as_always_playable() -> None:
    page = render_options("ocho-cards", face_wilds="matching")
    assert "a joker" in page
    assert (
        "On a face card, you can play only a card of the chosen suit, a card with the "
        "same rank, or a joker."
    ) in page
    assert "A wild card fits on any card" not in page


@pytest.mark.parametrize(
    ("drawn_card", "wild_draw_four", "is_included"),
    [
        ("must", "no-matching-color", True),
        ("must", "anytime", False),
        ("may", "no-matching-color", False),
    ],
)
def test_rules_page_explains_keeping_a_bluff(
    drawn_card: str, wild_draw_four: str, is_included: bool
) -> None:
    expected = "A Wild Draw Four may still be kept if playing it would be a bluff."
    options = {"drawn_card": drawn_card, "wild_draw_four": wild_draw_four}
    assert (expected in render_options("uno-400", **options)) is is_included


def test_unwinnable_challenge_is_explained() -> None:
    expected = "Since the card can be played at any time, a challenge never succeeds."
    assert expected in render_options("uno-400", wild_draw_four="anytime")
    assert expected not in render_options("uno-400")
    assert expected not in render_options("uno-400", wild_draw_four="anytime", challenge=False)


def test_rules_page_explains_answers_to_an_opening_draw_two() -> None:
    stacked = "A Draw Two turned up at the start can be stacked on like any other."
    cancelled = "A Shield played against a Draw Two turned up at the start cancels it."
    for key, options, expected in [
        ("ocho", {"opening_draw_two": "draw"}, (True, True)),
        ("ocho", {"opening_draw_two": "draw", "stacking": "none"}, (False, True)),
        ("ocho", {}, (False, False)),
        ("uno-400", {"stacking": "any-draw"}, (True, False)),
        ("uno-400", {}, (False, False)),
    ]:
        text = render_options(key, **options)
        assert (stacked in text, cancelled in text) == expected


def test_rules_page_names_the_card_a_blank_replaces() -> None:
    text = render_options("uno-500", blanks=1, blank_rule="replace", blank_card="Y7")
    assert "Each blank card replaces Yellow 7." in text


def test_single_point_is_written_in_the_singular() -> None:
    assert "The target is 1 point." in render_options("uno-400", target=1)


def test_blocked_hand_description_does_not_claim_that_all_players_are_stuck() -> None:
    hand = make_position("uno-400", "R1|R2", top="R5")
    events = run_actions(hand, "0: draw", "0: pass", "1: draw", "1: pass")
    assert explain.sentence(events[-1], ["Asha", "Ben"], hand.rs) == (
        "There are no cards left to draw and everyone has passed: the hand is blocked, "
        "and no one scores."
    )
    assert explain.action_text(events[-2:], ["Asha", "Ben"], hand.rs) == (
        "Ben passes: the hand is blocked, and no one scores."
    )
