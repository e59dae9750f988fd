"""Cards and colour shapes in templates: `{% card "R5" %}`, `{% shape "R" %}`."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString

from games.rules import explain, rulesets
from games.rules.cards import COLOR_NAMES, NOTATION

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
    """The names of all cards by notation, and of colours by letter, for scripts."""
    names = {name: explain.card_name(name) for name in NOTATION}
    return json_script(names | COLOR_NAMES, "card-names")


@register.filter
def wild_face(ruleset: str) -> str:
    """The wild of an Ocho deck is the 8."""
    known = rulesets.RULE_SETS.get(ruleset)
    return "W8" if known is not None and known.deck.startswith("ocho") else "W"
