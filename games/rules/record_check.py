"""Checking a hand record: play it through the engine and compare what must be true."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from games.rules import shuffle, views
from games.rules.actions import Action, Refusal
from games.rules.chance import ChanceError, QuickChance
from games.rules.codes import CHALLENGE, DRAW, PASS
from games.rules.events import Event
from games.rules.position import Position
from games.rules.record_read import Entry, Invalid, Record, read
from games.rules.scoring import MatchScore


class Failure(Exception):
    """Something in the record is not true; the message says where, what and instead of what."""


def check(data: object) -> str | None:
    """What is wrong with a record, or None if all of it is true. Never raises."""
    try:
        record = read(data)
        if record.deck is not None or record.position is not None:
            _check_hand(record)
        if record.match is not None:
            _check_match(record)
    except (Invalid, Failure) as error:
        return str(error)
    except RecursionError:
        return "it is nested too deeply"
    return None


class _Chance:
    """The record's reshuffles and reveals; where it has none, some fixed chance."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._quick = QuickChance(Random(1).random)  # noqa: S311 - any fixed order will do
        self._left = list(record.reshuffles or [])
        self.reveals: list[int] = []

    def shuffle(self, kinds: list[int], /) -> None:
        if self._record.reshuffles is None:
            self._quick.shuffle(kinds)
            return
        if not self._left:
            raise ChanceError("reshuffles: one more is needed here")
        pile = self._record.rs.kinds(self._left.pop(0))
        if sorted(pile) != sorted(kinds):
            raise ChanceError("reshuffles: these are not the cards that are shuffled here")
        kinds[:] = pile

    def choice(self, n: int, /) -> int:
        return self.reveals.pop(0) if self.reveals else self._quick.choice(n)

    def expect_used_up(self) -> None:
        if self._left:
            raise Failure(f"reshuffles: {len(self._left)} more than there were")


def _check_hand(record: Record) -> None:
    _check_commitment(record)
    chance = _Chance(record)
    try:
        hand = _start(record, chance)
    except ChanceError as error:
        raise Failure(str(error)) from None
    for n, entry in enumerate(record.entries):
        try:
            _step(hand, entry, chance)
        except (Failure, ChanceError) as error:
            raise Failure(f"entry {n}: {error}") from None
    chance.expect_used_up()


def _check_commitment(record: Record) -> None:
    if record.commitment and record.deck is not None:
        made = shuffle.commitment(record.deck, record.nonce)
        _compare("commitment", record.commitment.lower(), made)


def _start(record: Record, chance: _Chance) -> Position:
    if record.deck is not None:
        return Position.deal(record.rs, record.seats, record.dealer, record.deck, chance)
    assert record.position is not None
    return Position.set_up(record.rs, **record.position, dealer=record.dealer, chance=chance)


def _step(hand: Position, entry: Entry, chance: _Chance) -> None:
    if entry.action is None:
        _check_expect(hand, entry.expect or {})
    elif entry.refused is False:
        _act(hand, entry, entry.action, chance)
    else:
        _check_refused(hand, entry, entry.action)


def _act(hand: Position, entry: Entry, action: Action, chance: _Chance) -> None:
    if entry.reveals is not None:
        chance.reveals = _revealed(hand, entry.seat, entry.reveals)
    try:
        events = hand.apply(entry.seat, action)
    except Refusal as refusal:
        raise Failure(f"refused as {refusal.code}: {refusal.sentence}") from None
    if entry.reveals is not None:
        _check_reveals(entry, events)


def _revealed(hand: Position, seat: int, reveals: Mapping[str, str]) -> list[int]:
    """Which card of each opponent, in the order in which an X-Ray reveals them."""
    places = []
    for other in hand.around(seat)[:-1]:
        if not hand.cards(other) or hand.are_partners(seat, other):
            continue
        # Where none is named any card will do: what is revealed is compared afterwards.
        card = reveals.get(str(other), hand.cards(other)[0])
        if card not in hand.cards(other):
            raise Failure(f"reveals: seat {other} does not hold {card}")
        places.append(hand.cards(other).index(card))
    return places


def _check_reveals(entry: Entry, events: Iterable[Event]) -> None:
    found: dict[str, str] = {}
    for event in events:
        if event["event"] == "revealed":
            found = event["private"][str(entry.seat)]["cards"]
    _compare("reveals", entry.reveals, found)


def _check_refused(hand: Position, entry: Entry, action: Action) -> None:
    before = hand.to_json()
    try:
        hand.apply(entry.seat, action)
    except Refusal as refusal:
        if hand.to_json() != before:
            raise Failure("refused: the refusal has changed the hand") from None
        if isinstance(entry.refused, str):
            _compare("refused", entry.refused, refusal.code)
        return
    raise Failure(f"refused: expected {_json(entry.refused)}, got an accepted action")


# --- expectations


def _check_expect(hand: Position, expect: Mapping[str, Any]) -> None:
    for key, wanted in expect.items():
        if key in _PER_SEAT:
            for seat, value in wanted.items():
                label = f"{key}: seat {seat}"
                _compare(label, _NORMAL[key](hand, value), _PER_SEAT[key](hand, int(seat)))
        elif key == "may":
            _compare(key, wanted, {name: _may(hand, name) for name in wanted})
        elif key in _NORMAL:
            _compare(key, _NORMAL[key](hand, wanted), _ACTUAL[key](hand))
        else:
            _compare(key, wanted, _ACTUAL[key](hand))


def _compare(label: str, wanted: object, got: object) -> None:
    # Compared as JSON, so that 1 is not true.
    if _json(wanted) != _json(got):
        raise Failure(f"{label}: expected {_json(wanted)}, got {_json(got)}")


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _may(hand: Position, name: str) -> bool:
    code = {"draw": DRAW, "pass": PASS, "challenge": CHALLENGE}[name]
    return code in hand.codes(hand.actor)


def _playable(hand: Position) -> list[str]:
    return sorted(hand.playable(hand.actor))


def _sorted_cards(hand: Position, value: Iterable[str]) -> list[str]:
    return sorted(_one_card(hand, card) for card in value)


def _one_card(hand: Position, card: str) -> str:
    return hand.rs.card(card).notation


def _sorted_seen(hand: Position, value: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    seen = {other: _sorted_cards(hand, known) for other, known in value.items()}
    return {other: known for other, known in seen.items() if known}


_ACTUAL: dict[str, Callable[[Position], object]] = {
    "turn": lambda hand: hand.turn,
    "direction": lambda hand: hand.direction,
    "color": lambda hand: hand.color,
    "top": lambda hand: hand.top,
    "counts": lambda hand: hand.counts,
    "penalty": lambda hand: hand.penalty,
    "playable": _playable,
    "draw_pile": lambda hand: len(hand.draw),
    "discard_pile": lambda hand: len(hand.discard),
    "over": lambda hand: hand.over,
    "winner": lambda hand: hand.winner,
    "points": lambda hand: hand.points,
}
_PER_SEAT: dict[str, Callable[[Position, int], object]] = {
    "cards": lambda hand, seat: sorted(hand.cards(seat)),
    "seen": lambda hand, seat: _sorted_seen(hand, views.seen(hand, seat)),
}
_NORMAL: dict[str, Callable[[Position, Any], object]] = {
    "cards": _sorted_cards,
    "seen": _sorted_seen,
    "playable": _sorted_cards,
    "top": _one_card,
}


# --- the match


def _check_match(record: Record) -> None:
    assert record.match is not None
    score = MatchScore(record.rs, record.seats)
    for n, points in enumerate(record.match["hands"]):
        try:
            score.add(points)
        except ValueError as error:
            raise Failure(f"match: hand {n}: {error}") from None
    got = {
        "totals": score.totals,
        "over": score.over,
        "winners": score.winners,
        "out": score.out,
    }
    for key, wanted in record.match["expect"].items():
        _compare(f"match: {key}", wanted, got[key])
