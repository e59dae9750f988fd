"""Readers of the cards in a hand record: a single card, a whole deck, or a hand in progress.

They raise InvalidJsonError with a message that begins with the location.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TypedDict

from games.rules.deck import decks
from games.rules.ruleset.rulesets import RuleSet
from games.rules.untrusted_json import (
    InvalidJsonError,
    is_int,
    list_of,
    object_of,
    required_value,
    seat_of,
)


class Setup(TypedDict):
    """Arguments of ``Position.set_up`` for a hand in progress."""

    hands: list[list[str]]
    discard: list[str]
    draw: list[str]
    color: str | None
    turn: int
    direction: int


def read_cards(rs: RuleSet, value: object, location: str) -> list[str]:
    """Read a list of cards, and return them in the deck's notation."""
    return [read_card(rs, card, location) for card in list_of(value, location)]


def read_card(rs: RuleSet, card: object, location: str) -> str:
    """Read a card, and return it in the deck's notation."""
    try:
        notation = decks.find_card(card).notation
        kind = rs.kind(notation)
    except ValueError as error:
        raise InvalidJsonError(f"{location}: {error}") from None
    if kind not in rs.card_counts():
        raise InvalidJsonError(f"{location}: the deck {rs.deck} has no card {card}")
    return rs.pack.notation[kind]


def _check_counts(rs: RuleSet, used: Iterable[str], location: str) -> dict[str, int]:
    left = {rs.pack.notation[kind]: count for kind, count in rs.card_counts().items()}
    for card in used:
        left[card] -= 1
        if left[card] < 0:
            has = rs.card_counts()[rs.kind(card)]
            raise InvalidJsonError(
                f"{location}: more than {has} of {card}, which is all that the deck holds"
            )
    return left


def read_deck(rs: RuleSet, value: object) -> list[str]:
    """Read a whole deck, top card first."""
    deck = read_cards(rs, value, "deck")
    missing = [card for card, left in _check_counts(rs, deck, "deck").items() if left]
    if missing:
        raise InvalidJsonError(f"deck: it is incomplete, with too few of {', '.join(missing)}")
    return deck


def read_setup(rs: RuleSet, seats: int, value: object) -> Setup:
    """Read the setup of a hand in progress."""
    data = object_of(value, "position")
    where = "position: "
    hands = list_of(required_value(data, "cards", where), "position: cards")
    if len(hands) != seats:
        raise InvalidJsonError(f"position: cards: {len(hands)} hands for {seats} seats")
    held = [read_cards(rs, hand, f"position: cards: seat {n}") for n, hand in enumerate(hands)]
    for seat, cards in enumerate(held):
        if not cards:
            raise InvalidJsonError(f"position: cards: seat {seat} has no cards")
    discard = read_cards(rs, required_value(data, "discard", where), "position: discard")
    draw = read_cards(rs, required_value(data, "draw", where), "position: draw")
    if not discard:
        raise InvalidJsonError("position: discard: it is empty, and needs a top card")
    _check_counts(rs, chain(*held, discard, draw), "position")
    return {
        "hands": held,
        "discard": discard,
        "draw": draw,
        "color": _read_color(rs, data.get("color"), discard[-1]),
        "turn": seat_of(required_value(data, "turn", where), seats, "position: turn"),
        "direction": _read_direction(required_value(data, "direction", where)),
    }


def _read_direction(value: object) -> int:
    if not is_int(value) or value not in (1, -1):
        raise InvalidJsonError(f"position: direction: {value!r} is neither 1 nor -1")
    return 1 if value == 1 else -1


def _read_color(rs: RuleSet, color: object, top: str) -> str | None:
    card = rs.card(top)
    if color is None:
        if card.color < 0:
            raise InvalidJsonError(
                f"position: color: it is missing, and the top card {top} has none"
            )
        return None
    if not isinstance(color, str) or len(color) != 1 or color not in rs.colors:
        raise InvalidJsonError(f"position: color: {color!r} is not one of {', '.join(rs.colors)}")
    if card.color >= 0 and not card.colored_wild and color != rs.colors[card.color]:
        raise InvalidJsonError(f"position: color: {color} is not that of the top card {top}")
    return color
