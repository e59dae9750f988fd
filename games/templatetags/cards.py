"""Cards and colour shapes in templates: `{% card "R5" %}`, `{% shape "R" %}`."""

from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString

from games.rules import bots, explain, rulesets
from games.rules.cards import CARDS, NOTATION, Role

register = template.Library()


@register.simple_tag
def card(notation: str, ruleset: str = "") -> SafeString:
    """The face of a card as an image with its name; `ruleset` decides what a wild looks like."""
    face = wild_face(ruleset) if notation == "W" else notation
    return format_html(
        '<svg class="card" role="img" aria-label="{}"><use href="{}#{}"/></svg>',
        explain.card_name(notation),
        static("img/cards.svg"),
        face,
    )


@register.simple_tag
def shape(color: str) -> SafeString:
    """A colour's or suit's own shape, as decoration beside its name."""
    return format_html(
        '<svg class="shape shape-{0}" aria-hidden="true"><use href="{1}#s-{0}"/></svg>',
        color,
        static("img/cards.svg"),
    )


@register.simple_tag
def card_names() -> SafeString:
    """The names of all cards by notation, for scripts."""
    return json_script({name: explain.card_name(name) for name in NOTATION}, "card-names")


@register.simple_tag
def house_rules(ruleset: str, options: dict[str, Any]) -> SafeString:
    """What differs from the rule set's defaults and what the special cards do, for scripts."""
    rules = rulesets.make(ruleset, options)
    changed = [{"title": title, "text": text} for title, text in explain.house_rules(rules)]
    specials = [
        {"card": explain.example(rules, role), "text": text}
        for role, text in explain.special_cards(rules).items()
    ]
    return json_script({"changed": changed, "specials": specials}, "house-rules")


@register.simple_tag
def rule_sets() -> list[tuple[rulesets.RuleSet, list[str]]]:
    """Every rule set with the special cards of its deck, one of each, in changing colours."""
    return [(rules, _specials(rules)) for rules in rulesets.RULE_SETS.values()]


@register.simple_tag
def seat_numbers(field: Any) -> range:
    """The whole numbers that a form's field allows."""
    return range(field.min_value, field.max_value + 1)


@register.simple_tag
def bot_levels() -> list[tuple[str, bots.Level]]:
    """The strengths that people can choose for bots."""
    return list(bots.LEVELS.items())


def _specials(rules: rulesets.RuleSet) -> list[str]:
    by_face: dict[str, list[str]] = {}
    for kind in rules.card_counts():
        if CARDS[kind].role is not Role.NUMBER:
            by_face.setdefault(CARDS[kind].face, []).append(CARDS[kind].notation)
    return [cards[i % len(cards)] for i, cards in enumerate(by_face.values())]


@register.filter
def wild_face(ruleset: str) -> str:
    """The wild of an Ocho deck is the 8."""
    known = rulesets.RULE_SETS.get(ruleset)
    return "W8" if known is not None and known.deck.startswith("ocho") else "W"
