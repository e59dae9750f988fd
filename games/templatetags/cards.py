"""Template tags for cards, shapes, faces and other parts of game pages.

Examples: `{% card "R5" %}`, `{% shape "R" %}`, `{% face name account %}`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString

from games.protocol.faces import Face, face_of
from games.protocol.table import WindowView
from games.rules.bots import bots
from games.rules.deck import decks
from games.rules.ruleset import rulesets
from games.rules.ruleset.options import Value
from games.rules.words import explain, words

register = template.Library()


class Banner(NamedTuple):
    code: str
    text: str


@register.simple_tag
def card(notation: str, rules: rulesets.RuleSet | None = None) -> SafeString:
    """Render a card as an image with the card's name, as in the deck of these rules."""
    shown = rules.card(notation) if rules else decks.find_card(notation)
    return format_html(
        '<svg class="card" role="img" aria-label="{}"><use href="{}#{}"/></svg>',
        shown.name,
        static("img/cards.svg"),
        shown.art,
    )


@register.simple_tag
def card_picture(art: str) -> SafeString:
    """Render a card's picture as a decoration that screen readers ignore."""
    return format_html(
        '<svg class="card" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("img/cards.svg"),
        art,
    )


@register.simple_tag
def shape(color: str) -> SafeString:
    """Render the shape of a colour or suit as a decoration next to its name."""
    return format_html(
        '<svg class="shape shape-{0}" aria-hidden="true"><use href="{1}#s-{0}"/></svg>',
        color,
        static("img/cards.svg"),
    )


@register.simple_tag
def deck(ruleset: str, options: Mapping[str, Value]) -> SafeString:
    """Render the cards of a rule set's deck, and the words for them, as JSON for scripts."""
    return json_script(words.deck_facts(rulesets.make(ruleset, options)), "deck")


@register.simple_tag
def house_rules(ruleset: str, options: Mapping[str, Value]) -> SafeString:
    """Render a rule set's changed options and special cards as JSON for scripts.

    Only options that differ from their defaults are included. Each special card has a description
    of its effect.
    """
    rules = rulesets.make(ruleset, options)
    changed = [{"title": title, "text": text} for title, text in explain.house_rules(rules)]
    specials = [
        {
            "card": explain.example_card(rules, role),
            "cards": explain.cards_with_role(rules, role),
            "title": item.title,
            "text": item.sentence,
        }
        for role, item in explain.special_cards(rules).items()
    ]
    data = {"changed": changed, "specials": specials, "reasons": explain.draw_reasons()}
    return json_script(data, "house-rules")


@register.simple_tag
def rule_sets() -> list[tuple[rulesets.RuleSet, list[str]]]:
    """Return every rule set with one card of each special face, in alternating colours."""
    return [(rules, explain.pictures(rules)) for rules in rulesets.RULE_SETS.values()]


@register.simple_tag
def number_choices(field: Any) -> range:
    """Return the range of whole numbers that a form field allows."""
    return range(field.min_value, field.max_value + 1)


@register.simple_tag
def bot_levels() -> list[tuple[str, bots.Strength]]:
    """Return the strengths that people can choose for bots."""
    return list(bots.LEVELS.items())


@register.simple_tag
def first_banner(view: WindowView) -> Banner | None:
    """Return the banner that a table's page shows before its script runs, or None.

    static/js/table/store.js then shows the same banner.
    """
    if view["match"]["paused"]:
        return Banner("paused", view["prompt"])
    if view["viewer"] and view["viewer"]["text"]:
        code = "commentary" if "open" in view else "viewer"
        return Banner(code, view["viewer"]["text"])
    watched = view["match"]["commentary"]
    return Banner("watched", watched) if watched else None


@register.simple_tag
def face(name: str, account: int | None = None, look: str = "") -> SafeString:
    """Render the face of an account, or of a person without one, for display next to the name.

    At a table, the colour may differ, so that no two players have the same colour.
    """
    return drawn_face(face_of(name, account, look))


@register.simple_tag
def drawn_face(face_data: Face) -> SafeString:
    """Render a face in its colour, with its sign or else its letter."""
    sign = face_data["sign"]
    kind, letter = (f" sign-{sign}", "") if sign else ("", face_data["letter"])
    return format_html(
        '<span class="face tone-{}{}" aria-hidden="true">{}</span>', face_data["tone"], kind, letter
    )
