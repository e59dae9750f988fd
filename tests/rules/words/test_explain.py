"""Tests of the rules page, sentences about events, prompts and names."""

import re
from random import Random
from typing import Any

import pytest

from games.rules.actions.actions import Action
from games.rules.chance import QuickChance
from games.rules.deck import decks
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.applicability import applies
from games.rules.ruleset.rulesets import OPTIONS, RULE_SETS
from games.rules.words import explain, lessons
from games.rules.words.sentences import EVENTS
from tests.rules.table import deal_hand, list_event_names, make_position, run_actions

NAMES = ["Asha", "Ben", "Chen", "Dina"]


@pytest.mark.parametrize(
    ("notation", "name"),
    [
        ("R5", "Red 5"),
        ("GS", "Green Skip"),
        ("BR", "Blue Reverse"),
        ("Y+2", "Yellow Draw Two"),
        ("W", "Wild"),
        ("W+4", "Wild Draw Four"),
        ("SH", "Shield"),
        ("XR", "X-Ray"),
        ("DR", "Dead Red"),
        ("BB", "Boo Blue"),
        ("BLANK", "Blank"),
        ("AS", "Ace of spades"),
        ("10D", "10 of diamonds"),
        ("QH", "Queen of hearts"),
        ("JK", "Joker"),
    ],
)
def test_cards_have_readable_names(notation: str, name: str) -> None:
    assert decks.find_card(notation).name == name


def test_colours_have_readable_names() -> None:
    found = [(RULE_SETS["ocho"], "RYGB"), (RULE_SETS["ocho-cards"], "SHDC")]
    assert [explain.color_name(rs, letter) for rs, letters in found for letter in letters] == [
        "red",
        "yellow",
        "green",
        "blue",
        "spades",
        "hearts",
        "diamonds",
        "clubs",
    ]


def render_rules(rs: rulesets.RuleSet) -> str:
    return "\n".join(
        "\n".join([section.title, *section.paragraphs, *(item.sentence for item in section.items)])
        for section in explain.rules_page(rs)
    )


@pytest.mark.parametrize("rs", RULE_SETS.values(), ids=list(RULE_SETS))
def test_rules_page_is_complete(rs: rulesets.RuleSet) -> None:
    sections = explain.rules_page(rs)
    titles = [
        *("The aim", "Cards and players", "The deal", "The starting card", "Your turn"),
        *("Special cards", "Saying UNO", "Going out", "Scoring"),
    ]
    if rs.key == "crazy-eights":
        titles.remove("Saying UNO")
    assert [section.title for section in sections] == titles
    for section in sections:
        assert section.paragraphs or section.items
        assert not re.search(r"[{}]|None|  ", render_rules(rs))


# Default values that the page omits or describes in other words.
PLAIN_OPTIONS = {
    "identical_skips": False,
    "blanks": 0,
    "hand_size_two": 0,
    "blank_rule": "replace",
    "blank_name": "",
    "blank_points": 50,
    "last_draw_two": "at-once",
}
VARIANTS = [
    *RULE_SETS.values(),
    rulesets.make("uno-500", {"blanks": 2, "blank_rule": "replace", "blank_card": "Y7"}),
    rulesets.make("uno-500", {"blanks": 2, "blank_name": "Gift Day"}),
    rulesets.make("uno-500", {"partners": True}),
    rulesets.make("uno-500", {"hand_size_two": 9}),
]


@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "blank_points"])
def test_rules_page_includes_every_relevant_option(name: str) -> None:
    relevant = [rs for rs in VARIANTS if applies(name, rs) and not _is_option_omitted(rs, name)]
    assert relevant
    for rs in relevant:
        (sentence,) = explain.option_sentences(rs, name)
        assert sentence in render_rules(rs), rs.key


def _is_option_omitted(rs: rulesets.RuleSet, name: str) -> bool:
    if name == "uno_penalty" and not rs.pack.words.says_uno:
        return rs.uno_penalty == 0
    return name in PLAIN_OPTIONS and PLAIN_OPTIONS[name] == getattr(rs, name)


ABSENT_WORDS = (
    r"joker|Joker|Ocho|UNO|[Cc]olour|Draw Two|Draw Four|[Cc]halleng|penalt|Reverse|Skip|stack"
)


def test_crazy_eights_rules_omit_missing_cards_and_calls() -> None:
    rs = RULE_SETS["crazy-eights"]
    lesson_texts = " ".join(lesson.text for lesson in lessons.lessons(rs))
    assert re.findall(ABSENT_WORDS, render_rules(rs) + lesson_texts) == []
    assert "With two players, each is dealt 7 cards." in render_rules(rs)
    assert (
        "If an eight is turned up at the start, it is shuffled back into the deck"
        in render_rules(rs)
    )
    assert "Eight (Wild): You choose the next suit." in render_rules(rs)
    assert "Ace: 1 point." in render_rules(rs)
    assert "Jack, Queen and King: 10 points." in render_rules(rs)
    assert "8: 50 points." in render_rules(rs)


def test_rules_page_explains_eights_that_have_to_match() -> None:
    page = render_rules(rulesets.make("crazy-eights", {"face_wilds": "matching"}))
    assert "An eight can be played only on its own suit or rank." in page
    assert (
        "On an eight, you can play only a card of the chosen suit or a card with the same rank."
    ) in page
    assert "A wild card fits on any card" not in page


def test_prompts_and_refusals_name_the_cards_of_crazy_eights() -> None:
    hand = make_position("crazy-eights", "3C 4D 9S|5S", top="9H", draw="9D")
    assert get_prompt(hand, 0) == "Your turn: play hearts, a 9 or an eight."
    refusal = hand.refusal(0, Action.play("3C"))
    assert refusal is not None
    assert refusal.sentence == "You can’t play 3 of clubs: you need hearts, a 9 or an eight."


def test_blank_is_listed_among_special_cards_and_points() -> None:
    rs = rulesets.make("uno-500", {"blanks": 2, "blank_name": "Gift Day", "blank_points": 30})
    assert "Gift Day: A blank card is wild, and everyone else draws one card." in render_rules(rs)
    assert "Gift Day: 30 points." in render_rules(rs)


def test_changed_option_changes_the_rules_page() -> None:
    assert "The target is 300 points." in render_rules(rulesets.make("uno-400", {"target": 300}))
    assert "The player with the most points at the end wins." in render_rules(
        rulesets.make("uno-400", {"target": 0})
    )


def test_every_event_has_a_sentence() -> None:
    result: set[str] = set()
    played: list[tuple[str, dict[str, object]]] = [
        ("ocho", {"opening_reverse": "dealer", "opening_wild": "choose"}),
        ("uno-500", {"blanks": 4, "blank_rule": "swap", "wrong_catch_penalty": 1}),
        ("uno-500", {"blanks": 4, "blank_rule": "pass-hands"}),
        ("ocho-cards", {"opening_wild": "choose"}),
        ("uno-assignment", {}),
    ]
    for key, options in played:
        rs = rulesets.make(key, options)
        events = collect_events_of_random_hands(rs)
        result |= {event["event"] for event in events}
        for event in events:
            assert_event_makes_sentences(rs, event)
    assert result | {"said_ocho"} == EVENTS


def assert_event_makes_sentences(rs: rulesets.RuleSet, event: Event) -> None:
    sentence = explain.sentence(event, NAMES, rs)
    assert re.fullmatch(r"[A-Z0-9].*\.", sentence), event
    result = explain.action_text([{"event": "passed", "seat": 0}, event, event], NAMES, rs)
    assert re.fullmatch(r"Asha passes(: [^.]+(; [^.]+)?)?\.", result), result


def collect_events_of_random_hands(rs: rulesets.RuleSet) -> list[Event]:
    random = Random(5)
    events: list[Event] = []
    for _ in range(12):
        deck = rs.cards()
        random.shuffle(deck)
        hand = Position.deal(rs, 4, 0, deck, QuickChance(random.random), events)
        for _ in range(300):
            if hand.turn is None:
                break
            seat = random.choice([hand.turn] * 5 + list(range(4)))
            actions = hand.legal_actions(seat)
            if actions:
                events += hand.apply(seat, random.choice(actions))
    return events


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            {"event": "played", "seat": 0, "card": "R7", "uno": True},
            "Asha plays Red 7 and says UNO.",
        ),
        (
            {"event": "played", "seat": 1, "card": "W", "color": "G", "uno": False},
            "Ben plays Wild and chooses green.",
        ),
        (
            {"event": "played", "seat": 1, "card": "W+4", "color": "G", "uno": True},
            "Ben plays Wild Draw Four, chooses green and says UNO.",
        ),
        ({"event": "played", "seat": 1, "card": "QH", "uno": False}, "Ben plays Queen of hearts."),
        ({"event": "said_ocho", "seat": 1}, "Ben says “Ocho!”"),
        ({"event": "called", "seat": 1}, "Ben says UNO."),
        (
            {"event": "caught", "seat": 0, "by": 1, "cards": 2},
            "Ben catches Asha for not saying UNO.",
        ),
        (
            {"event": "wrong_catch", "seat": 1, "of": 0, "cards": 1},
            "Ben wrongly tries to catch Asha.",
        ),
        ({"event": "drew", "seat": 0, "cards": 1, "why": "turn"}, "Asha draws 1 card."),
        (
            {"event": "drew", "seat": 0, "cards": 0, "why": "turn"},
            "Asha has to draw, but there are no cards left.",
        ),
        (
            {"event": "drew", "seat": 0, "cards": 2, "why": "dead_red"},
            "Asha has no red cards and draws 2 cards.",
        ),
        ({"event": "passed", "seat": 2}, "Chen passes."),
        ({"event": "chose", "seat": 2, "color": "H"}, "Chen chooses hearts."),
        ({"event": "skipped", "seat": 2}, "Chen is skipped."),
        ({"event": "reversed", "direction": -1}, "Play now goes anticlockwise."),
        ({"event": "penalty", "seat": 2, "cards": 4}, "Chen has 4 cards to draw."),
        (
            {"event": "shielded", "seat": 1, "of": 0, "cards": 2},
            "Ben’s Shield sends 2 cards back to Asha.",
        ),
        (
            {"event": "shielded", "seat": 1, "of": None, "cards": 2},
            "Ben’s Shield cancels a penalty of 2 cards.",
        ),
        (
            {"event": "challenged", "seat": 1, "of": 0, "guilty": False},
            "Ben challenges Asha: it wasn’t a bluff.",
        ),
        ({"event": "revealed", "seat": 1}, "Ben sees one card from each opponent."),
        (
            {"event": "over", "winner": 3, "points": [0, 0, 0, 82], "blocked": False},
            "Dina goes out and scores 82 points.",
        ),
        (
            {"event": "over", "winner": 3, "points": [9, 0, 0, 0], "blocked": False},
            "Dina goes out.",
        ),
    ],
)
def test_events_are_described_in_sentences(event: dict[str, Any], expected: str) -> None:
    suited = event.get("card") == "QH" or event.get("color") == "H"
    rs = RULE_SETS["ocho-cards" if suited else "ocho"]
    assert explain.sentence(event, NAMES, rs) == expected


def test_event_sentences_do_not_reveal_private_cards() -> None:
    hand = make_position("ocho", "XR G5|Y2 Y3|G1 G2", top="R5", draw="B7 B9")
    sentences = " ".join(
        explain.sentence(event, NAMES, hand.rs) for event in run_actions(hand, "0: XR B", "1: draw")
    )
    for secret in ("Yellow 2", "Green 1", "Blue 7"):
        assert secret not in sentences


@pytest.mark.parametrize(
    ("ruleset", "hands", "lines", "expected"),
    [
        ("uno-400", "RR R1 R2|Y1|Y2", ["0: RR"], "Asha plays Red Reverse: the direction changes."),
        ("uno-400", "RS R1 R2|Y1|Y2", ["0: RS"], "Asha plays Red Skip: Ben is skipped."),
        ("uno-400", "R1 R2|Y1", ["0: R1"], "Asha plays Red 1."),
        (
            "ocho",
            "R+2 R1|SH G4|Y2 Y3",
            ["0: R+2", "1: SH B"],
            "Ben plays Shield and chooses blue: Asha has 2 cards to draw.",
        ),
        (
            "ocho",
            "XR G5|Y2 Y3|G1 G2",
            ["0: XR B"],
            "Asha plays X-Ray and chooses blue: Asha sees one card from each opponent.",
        ),
        (
            "uno-400",
            "R1 R2|Y1 Y2|Y3 Y4",
            ["0: R1", "2: catch 0"],
            "Chen catches Asha: Asha draws 2 cards.",
        ),
        (
            "uno-400",
            "W+4 R1 G4|Y1 Y2|Y3 Y4",
            ["0: W+4 G", "1: challenge"],
            "Ben challenges Asha: it was a bluff; Asha draws 4 cards.",
        ),
    ],
)
def test_all_effects_of_an_action_form_one_sentence(
    ruleset: str, hands: str, lines: list[str], expected: str
) -> None:
    hand = make_position(ruleset, hands, top="R5", draw="B7 B9 B5 B6")
    run_actions(hand, *lines[:-1])
    assert explain.action_text(run_actions(hand, lines[-1]), NAMES, hand.rs) == expected


def test_house_rules_list_only_differences_from_the_rule_set() -> None:
    assert explain.house_rules(RULE_SETS["uno-500"]) == []
    rules = rulesets.make("uno-400", {"target": 300, "dead_red_spares_player": True})
    assert explain.house_rules(rules) == [("Target", OPTIONS["target"].sentence(300))]
    rules = rulesets.make("ocho-cards", {"wild_draw_four": "no-matching-color", "partners": True})
    assert explain.house_rules(rules) == [
        ("Playing a Wild Draw Four", explain.option_sentences(rules, "wild_draw_four")[0]),
        ("Partners", OPTIONS["partners"].sentence(True)),
    ]
    assert "A joker is legal only if you have no card of the current suit." in render_rules(rules)


def get_prompt(hand: Position, seat: int) -> str:
    return explain.prompt(hand.view(seat), hand.rs, NAMES)


def test_prompt_explains_matching_face_cards() -> None:
    hand = make_position("ocho-cards", "QS|4C", top="QH", color="S", face_wilds="matching")
    assert get_prompt(hand, 0) == "Your turn: play spades, a queen or a joker."


def test_prompts_describe_the_available_actions() -> None:
    hand = make_position("uno-400", "R3 G4 B9|R1 B2 B1", top="R5", draw="R9 B3")
    assert get_prompt(hand, 0) == "Your turn: play red, a 5 or a wild, or draw a card."
    assert get_prompt(hand, 1) == "It’s Asha’s turn."
    assert explain.prompt(hand.view(1), hand.rs) == "Wait for your turn."
    run_actions(hand, "0: draw")
    assert get_prompt(hand, 0) == "You drew Red 9: play it, or keep it."
    run_actions(hand, "0: pass", "1: R1")
    assert get_prompt(hand, 0) == "Your turn: play red, a 1 or a wild, or draw a card."


def test_prompts_without_a_choice_name_the_only_action() -> None:
    hand = make_position("uno-400", "Y3 G4|R1 B2", top="R5", draw="R9 B3")
    assert (
        get_prompt(hand, 0) == "Your turn: nothing in your hand matches red or a 5, so draw a card."
    )
    hand = make_position("ocho-cards", "3C 4D|5S", top="9H", draw="9S")
    assert get_prompt(hand, 0) == (
        "Your turn: nothing in your hand matches hearts or a 9, so draw until you get "
        "a card that fits."
    )
    run_actions(hand, "0: draw")
    assert get_prompt(hand, 0) == "You drew 9 of spades: play it."
    hand = make_position("ocho-cards", "3H 4D|5S", top="QC", color="H")
    assert get_prompt(hand, 0) == "Your turn: play hearts, a face card or a joker."
    hand = make_position("ocho-cards", "3H 4D|5S", top="9H", face_wilds="matching")
    assert get_prompt(hand, 0) == "Your turn: play hearts, a 9 or a joker."


def test_prompts_describe_a_pending_penalty() -> None:
    hand = make_position("uno-400", "W+4 G4 B1|R1 B2", top="R5", draw="R9 B3")
    run_actions(hand, "0: W+4 R")
    stakes = "4 for Asha if it was a bluff, 6 for you if not."
    assert get_prompt(hand, 1) == f"Draw 4, or challenge: {stakes}"
    assert explain.prompt(hand.view(1), hand.rs) == "Your turn: draw 4 cards, or challenge."
    hand = make_position("ocho", "R+2 G4 B1|SH G+2 B2", top="R5", draw="R9 B3")
    run_actions(hand, "0: R+2")
    assert get_prompt(hand, 1) == "Your turn: draw 2 cards, or play Shield or Green Draw Two."


def test_prompt_names_the_stakes_of_a_challenge_to_a_stack() -> None:
    hand = make_position("uno-400", "W+4 G4 B1|W+4 B2 R7|R1 R2", top="R5", stacking="any-draw")
    run_actions(hand, "0: W+4 R", "1: W+4 B")
    assert get_prompt(hand, 2) == (
        "Draw 8, or challenge: 8 for Ben if it was a bluff, 10 for you if not."
    )


def test_prompt_reminds_the_player_of_a_forgotten_uno() -> None:
    hand = make_position("uno-400", "R1 R2|G1 G2|B1 B2", top="R5")
    run_actions(hand, "0: R1")
    assert [get_prompt(hand, seat) for seat in (0, 2)] == ["Say UNO!", "It’s Ben’s turn."]
    run_actions(hand, "0: call")
    assert get_prompt(hand, 0) == "It’s Ben’s turn."


def test_prompts_describe_the_start_and_end_of_a_hand() -> None:
    hand = deal_hand("uno-400", 2, 0, "R1 R2|Y1 Y2", "W", "B1 B2", hand_size=2)
    assert get_prompt(hand, 1) == "Choose a colour: red, yellow, green or blue."
    hand = make_position("uno-400", "R3|R1", top="R5")
    run_actions(hand, "0: draw")
    assert get_prompt(hand, 0) == "There are no cards left to draw, so pass."
    hand = make_position("uno-400", "R3|R1", top="R5")
    assert list_event_names(run_actions(hand, "0: R3"))[-1] == "over"
    assert get_prompt(hand, 1) == "The hand is over."


def test_prompt_says_that_any_card_fits_on_a_wild_without_a_colour() -> None:
    hand = deal_hand("uno-400", 2, 0, "R1 R2|Y1 Y2", "W", "B1", hand_size=2, opening_wild="plain")
    assert get_prompt(hand, 1) == "Your turn: play any card, or draw a card."
