"""Special cards of a rule set: their effects, names and pictures."""

from __future__ import annotations

from games.rules.deck import cards, roles
from games.rules.deck.roles import CardRole
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _
from games.rules.words import words
from games.rules.words.option_sentences import Item, option_sentence


def special_cards(rs: RuleSet) -> dict[CardRole, Item]:
    """Return the description of each special card in the deck, by role."""
    shown = dict(zip(_find_special_faces(rs), pictures(rs), strict=True))
    return {
        role: Item(_describe_rule(rs, role), _find_title(rs, role), shown[rs.pack.cards[kind].face])
        for role, kind in rs.roles().items()
        if role.rule
    }


def _describe_rule(rs: RuleSet, role: CardRole) -> str:
    sentences = {name: option_sentence(rs, name) for name in OPTIONS if f"{{{name}}}" in role.rule}
    return words.fill_words(rs, role.rule, **sentences)


def _find_title(rs: RuleSet, role: CardRole) -> str:
    if role is roles.BLANK and rs.blank_name:
        return rs.blank_name
    if title := rs.pack.words.titles.get(role.name):
        return _(title)
    return rs.pack.cards[rs.roles()[role]].title


def _find_special_faces(rs: RuleSet) -> dict[str, list[str]]:
    """Return the notations of the special cards in the deck, by face."""
    notations: dict[str, list[str]] = {}
    for kind in rs.card_counts():
        card = rs.pack.cards[kind]
        if cards.is_special(card):
            notations.setdefault(card.face, []).append(card.notation)
    return notations


def pictures(rs: RuleSet) -> list[str]:
    """Return one card for each special face. The colours alternate, so that each one appears."""
    faces = _find_special_faces(rs).values()
    return [each[number % len(each)] for number, each in enumerate(faces)]


def cards_with_role(rs: RuleSet, role: CardRole) -> list[str]:
    """Return the notations of all cards in the deck with this role."""
    return [card.notation for card in rs.pack.cards if card.role is role]


def example_card(rs: RuleSet, role: CardRole) -> str:
    """Return the notation of one card in the deck with this role."""
    return rs.pack.notation[rs.roles()[role]]
