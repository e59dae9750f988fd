"""Rules pages, made from the rule set that the engine plays by."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from games.rules import explain, rulesets
from games.rules.cards import CARDS, Card, Role
from games.rules.rulesets import RuleSet
from games.rules.words import face_name
from tournament.queries.results import rules_of
from tournament.queries.watching import replays_text, viewers_text
from tournament.views.shared import event_or_404


@dataclass(frozen=True)
class Item:
    """A line of a list. About a special card it has the card's notation and its `title`."""

    text: str
    title: str = ""
    card: str = ""


@dataclass(frozen=True)
class Part:
    """A section of the page; `anchor` is its place in the address."""

    title: str
    anchor: str
    paragraphs: list[str]
    items: list[Item]


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    shown = [(rules, _hand(rules)) for rules in rulesets.RULE_SETS.values()]
    return render(request, "tournament/rule_sets.html", {"rule_sets": shown})


@require_safe
def rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """The rules of one of the rule sets, all options at their defaults."""
    chosen = rulesets.RULE_SETS.get(ruleset)
    if chosen is None:
        raise Http404
    return render(request, "tournament/rules.html", _page(chosen))


@require_safe
def event_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules as this event plays them, with what the organizers changed."""
    event = event_or_404(request, slug)
    context = {
        "event": event,
        "viewers_text": viewers_text(event),
        "replays_text": replays_text(event),
        **_page(rules_of(event)),
    }
    return render(request, "tournament/event_rules.html", context)


def _page(rules: RuleSet) -> dict[str, object]:
    return {
        "rules": rules,
        "parts": [_part(rules, section) for section in explain.rules_page(rules)],
        "changed": explain.house_rules(rules),
        "hand": _hand(rules),
    }


def _part(rules: RuleSet, section: explain.Section) -> Part:
    items = [_item(rules, text) for text in section.items]
    return Part(section.title, slugify(section.title), section.paragraphs, items)


def _item(rules: RuleSet, text: str) -> Item:
    title, colon, rest = text.partition(": ")
    card = _pictured(rules, title) if colon else ""
    return Item(rest, title, card) if card else Item(text)


def _pictured(rules: RuleSet, title: str) -> str:
    """Notation of the special card that the title begins with; "" where it is about several."""
    for number, (name, cards) in enumerate(_specials(rules).items()):
        if title == name or title.startswith((f"{name} (", f"{name}, queen and king (")):
            # One colour after the other, so that the page shows all of them.
            return cards[number % len(cards)]
    return ""


def _specials(rules: RuleSet) -> dict[str, list[str]]:
    """The notations of the special cards in the deck, by the name of the face."""
    found: dict[str, list[str]] = {}
    for kind in rules.card_counts():
        if CARDS[kind].role is not Role.NUMBER:
            found.setdefault(_name(rules, CARDS[kind]), []).append(CARDS[kind].notation)
    return found


def _name(rules: RuleSet, card: Card) -> str:
    own_name = rules.blank_name if card.role is Role.BLANK else ""
    return own_name or face_name(card.face)


def _hand(rules: RuleSet) -> list[str]:
    """A few cards to show what the deck looks like: a number of each colour and a wild."""
    deck = [CARDS[kind] for kind in rules.card_counts()]
    numbers = [
        next(c for c in deck if c.color == color and c.face == face)
        for color, face in enumerate("7395")
    ]
    wild = next(card for card in deck if card.role is Role.WILD_DRAW_FOUR)
    return [card.notation for card in (*numbers, wild)]
