"""Tests of the short introduction to a rule set."""

import pytest

from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RULE_SETS
from games.rules.words import explain, lessons


def get_lesson_text(rs: rulesets.RuleSet, key: str, cards: tuple[str, ...] = ()) -> str:
    return {lesson.key: lesson.text for lesson in lessons.lessons(rs, cards)}[key]


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_lessons_can_be_read_in_under_two_minutes(ruleset: str) -> None:
    rs = rulesets.make(ruleset)
    specials = [item.sentence for item in explain.special_cards(rs).values()]
    longest = sum(len(rule.split()) for rule in sorted(specials, key=len)[-lessons.SPECIALS :])
    read = [lesson for lesson in lessons.lessons(rs) if lesson.key != "special"]
    # 300 words take 90 seconds to read. The other 30 are for the hints at the table.
    assert longest + sum(len(f"{each.title} {each.text}".split()) for each in read) <= 300


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_every_lesson_sentence_is_on_the_rules_page(ruleset: str) -> None:
    rs = rulesets.make(ruleset)
    page = " ".join(
        sentence
        for section in explain.rules_page(rs)
        for sentence in [*section.paragraphs, *(item.sentence for item in section.items)]
    )
    for lesson in lessons.lessons(rs):
        for sentence in lesson.text.split(". "):
            assert sentence.rstrip(".") in page, lesson.key


def test_lesson_keys_depend_on_the_rules() -> None:
    keys = {key: [each.key for each in lessons.lessons(rulesets.make(key))] for key in RULE_SETS}
    assert keys["uno-500"] == ["fits", "draw", "special", "stack", "uno", "score"]
    assert keys["ocho"] == ["fits", "draw", "special", "stack", "score"]
    assert [each.title for each in lessons.lessons(rulesets.make("uno-500"))] == [
        "Matching cards",
        "Drawing",
        "Special cards",
        "Penalties",
        "Saying UNO",
        "Winning",
    ]


def test_lessons_explain_special_cards_in_hand_first() -> None:
    rs = rulesets.make("ocho")
    assert get_lesson_text(rs, "special", ("R5", "SH", "XR", "XR")).startswith(
        "Shield: A wild card."
    )
    assert "X-Ray: " in get_lesson_text(rs, "special", ("SH", "XR"))
    assert get_lesson_text(rs, "special", ("SH",)).endswith(
        "Skip: The next player loses their turn."
    )
    assert get_lesson_text(rs, "special").startswith(
        "Skip: The next player loses their turn. Reverse: "
    )


def test_stacking_lesson_matches_the_rules() -> None:
    assert get_lesson_text(rulesets.make("uno-500"), "stack").startswith(
        "Draw cards cannot be stacked"
    )
    assert "add up" in get_lesson_text(rulesets.make("ocho"), "stack")


def test_special_cards_depend_on_the_rules() -> None:
    ocho, cards = RULE_SETS["ocho"], RULE_SETS["ocho-cards"]
    found = {card: lessons.is_special(ocho, card) for card in ("R5", "RS", "W", "SH")}
    assert found == {"R5": False, "RS": True, "W": True, "SH": True}
    assert [lessons.is_special(cards, card) for card in ("10D", "8D", "2H")] == [False, False, True]
