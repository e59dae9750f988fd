"""Tests that all texts about rules are translated into the reader's language when shown."""

import re
from collections.abc import Iterator
from random import Random

import pytest

from games.rules import text
from games.rules.bots import bots
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset.options import Option, OptionError
from games.rules.ruleset.rulesets import OPTIONS, RULE_SETS, RuleSet, make
from games.rules.words import explain, lessons, words
from tests.rules.strategies import choose_random_rules

NAMES = ["ASHA", "BEN", "CHEN", "DINA", "ELA", "FAY", "GITA", "HANS", "INA", "JO"]


class CapitalsTranslator:
    """Translator into capital letters that leaves placeholders unchanged."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(\{[^}]*\})", message)
        return "".join(part if part.startswith("{") else part.upper() for part in parts)

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        return self.gettext(singular if number == 1 else plural)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.fixture
def install_capitals() -> Iterator[None]:
    before = text.install(CapitalsTranslator())
    yield
    text.install(before)


def find_untranslated(texts: list[str]) -> list[str]:
    """Return the texts that contain lower-case letters and were therefore not translated."""
    return [each for each in texts if re.search("[a-z]", each)]


def render_rules(rs: RuleSet) -> list[str]:
    parts = explain.rules_page(rs)
    items = [item.sentence for part in parts for item in part.items]
    return [part.title for part in parts] + [p for part in parts for p in part.paragraphs] + items


def list_ruleset_texts(rs: RuleSet) -> list[str]:
    """Return all texts about a rule set that do not depend on a hand."""
    facts = words.deck_facts(rs)
    steps = [text for lesson in lessons.lessons(rs) for text in (lesson.title, lesson.text)]
    names = [card["name"] for card in facts["cards"].values()]
    changed = [text for pair in explain.house_rules(rs) for text in pair]
    return [*render_rules(rs), *steps, *names, *changed, *facts["orders"].values(), facts["noun"]]


def list_random_hand_texts(rs: RuleSet, seats: int, rng: Random) -> list[str]:
    """Return the prompts, log lines and refusals shown during a hand of random actions."""
    deck, chance = rs.cards(), QuickChance(rng.random)
    rng.shuffle(deck)
    found: list[str] = []
    hand = Position.deal(rs, seats, 0, deck, chance)
    for _turn in range(150):
        if hand.turn is None:
            break
        seat = rng.choice([hand.turn, hand.turn, rng.randrange(seats)])
        view = hand.view(seat)
        found += [explain.prompt(view, rs, NAMES), *view["why"].values()]
        if actions := hand.legal_actions(seat):
            events = hand.apply(seat, rng.choice(actions))
            found += [explain.sentence(event, NAMES, rs) for event in events]
            found.append(explain.action_text(events, NAMES, rs))
    return found


@pytest.mark.usefixtures("install_capitals")
@pytest.mark.parametrize("key", RULE_SETS)
def test_rule_set_texts_are_fully_translated(key: str) -> None:
    assert find_untranslated(list_ruleset_texts(RULE_SETS[key])) == []


@pytest.mark.usefixtures("install_capitals")
@pytest.mark.parametrize("seed", range(12))
def test_hand_texts_are_fully_translated_for_all_rules(seed: int) -> None:
    rng = Random(seed)
    rs, seats = choose_random_rules(rng)
    assert (
        find_untranslated([*list_ruleset_texts(rs), *list_random_hand_texts(rs, seats, rng)]) == []
    )


@pytest.mark.usefixtures("install_capitals")
@pytest.mark.parametrize("option", OPTIONS.values(), ids=list(OPTIONS))
def test_option_texts_are_fully_translated(option: Option) -> None:
    numbers = [option.min, option.max] if option.kind == "int" else []
    values = [*option.values, *numbers]
    titles = [text._(each) for each in (option.title, option.help)]
    assert find_untranslated([*titles, *(option.sentence(value) for value in values)]) == []


@pytest.mark.usefixtures("install_capitals")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"partners": True, "scoring": "elimination"}, "PARTNERS CAN’T BE ELIMINATED ONE BY ONE"),
        ({"blanks": 1, "blank_rule": "replace"}, "ENTER THE CARD THAT THE BLANKS REPLACE"),
        ({"hand_size": 25, "partners": True, "deck": "original-54"}, "25 CARDS EACH IS TOO MANY"),
        ({"renege": 1}, "renege CAN’T BE 1: IT MUST BE TRUE OR FALSE."),
        ({"target": -1}, "target CAN’T BE -1: IT MUST BE A WHOLE NUMBER FROM 0 TO 99999."),
        ({"blank_name": "x" * 31}, f"blank_name CAN’T BE '{'x' * 31}': IT MUST BE PRINTABLE TEXT"),
    ],
)
def test_option_refusals_are_translated(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(OptionError) as caught:
        make("uno-500", options)
    assert caught.value.sentence.startswith(sentence)


def test_translations_are_not_cached() -> None:
    english = {key: list_ruleset_texts(rs) for key, rs in RULE_SETS.items()}
    before = text.install(CapitalsTranslator())
    try:
        assert (
            find_untranslated(
                [each for rs in RULE_SETS.values() for each in list_ruleset_texts(rs)]
            )
            == []
        )
    finally:
        text.install(before)
    assert {key: list_ruleset_texts(rs) for key, rs in RULE_SETS.items()} == english


@pytest.mark.usefixtures("install_capitals")
def test_bot_strengths_are_translated() -> None:
    found = [text._(each) for level in bots.LEVELS.values() for each in level]
    assert find_untranslated(found) == []
