"""Comparison of a hand with the expectations in its record."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.rules.actions.codes import CHALLENGE, DRAW, PASS
from games.rules.hand import views
from games.rules.hand.position import Position


class RecordMismatchError(Exception):
    """The record does not match the replayed hand. The message describes the difference."""


def check_expect(hand: Position, expect: Mapping[str, Any]) -> None:
    """Check that the hand meets all expectations.

    Raises RecordMismatchError if it does not.
    """
    for key, expected in expect.items():
        if key in _PER_SEAT:
            for seat, value in expected.items():
                label = f"{key}: seat {seat}"
                compare(label, _NORMALIZERS[key](hand, value), _PER_SEAT[key](hand, int(seat)))
        elif key == "may":
            compare(key, expected, {name: _is_allowed(hand, name) for name in expected})
        elif key in _NORMALIZERS:
            compare(key, _NORMALIZERS[key](hand, expected), _ACTUAL[key](hand))
        else:
            compare(key, expected, _ACTUAL[key](hand))


def compare(label: str, expected: object, got: object) -> None:
    """Check that two values are equal.

    Raises RecordMismatchError if they differ.
    """
    # Compare as JSON, because 1 equals true in Python.
    if json_text(expected) != json_text(got):
        raise RecordMismatchError(f"{label}: expected {json_text(expected)}, got {json_text(got)}")


def json_text(value: object) -> str:
    """Return a value as JSON, for messages."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _is_allowed(hand: Position, name: str) -> bool:
    code = {"draw": DRAW, "pass": PASS, "challenge": CHALLENGE}[name]
    return code in hand.codes(hand.actor)


def _list_playable(hand: Position) -> list[str]:
    return sorted(hand.playable(hand.actor))


def _sort_cards(hand: Position, value: Iterable[str]) -> list[str]:
    return sorted(_normalize_card(hand, card) for card in value)


def _normalize_card(hand: Position, card: str) -> str:
    return hand.rs.card(card).notation


def _sort_seen_cards(hand: Position, value: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    seen = {other: _sort_cards(hand, cards) for other, cards in value.items()}
    return {other: cards for other, cards in seen.items() if cards}


_ACTUAL: dict[str, Callable[[Position], object]] = {
    "turn": lambda hand: hand.turn,
    "direction": lambda hand: hand.direction,
    "color": lambda hand: hand.color,
    "top": lambda hand: hand.top,
    "counts": lambda hand: hand.counts,
    "penalty": lambda hand: hand.penalty,
    "playable": _list_playable,
    "draw_pile": lambda hand: len(hand.draw),
    "discard_pile": lambda hand: len(hand.discard),
    "over": lambda hand: hand.over,
    "winner": lambda hand: hand.winner,
    "points": lambda hand: hand.points,
}
_PER_SEAT: dict[str, Callable[[Position, int], object]] = {
    "cards": lambda hand, seat: sorted(hand.cards(seat)),
    "seen": lambda hand, seat: _sort_seen_cards(hand, views.list_seen_cards(hand, seat)),
}
_NORMALIZERS: dict[str, Callable[[Position, Any], object]] = {
    "cards": _sort_cards,
    "seen": _sort_seen_cards,
    "playable": _sort_cards,
    "top": _normalize_card,
}
