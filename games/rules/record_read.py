"""Reading a hand record: is it valid, and what does it say.

The format is "hand-record/1", see docs/hand-record.md. Everything is checked before anything is
played: an ``Invalid`` names the place and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypedDict

from games.rules import decks, rulesets
from games.rules.actions import EXTRAS, VERBS, Action, Malformed
from games.rules.rulesets import OptionError, RuleSet

FORMAT = "hand-record/1"

_ACTION_KEYS = frozenset([*VERBS, *EXTRAS])
EXPECTED = frozenset(
    [
        "turn",
        "direction",
        "color",
        "top",
        "counts",
        "cards",
        "penalty",
        "playable",
        "may",
        "draw_pile",
        "discard_pile",
        "seen",
        "over",
        "winner",
        "points",
    ]
)
MATCH_EXPECTED = frozenset(["totals", "over", "winners", "out"])
_MAY = frozenset(["draw", "pass", "challenge"])


class Setup(TypedDict):
    """A hand in the middle, as ``Position.set_up`` takes it."""

    hands: list[list[str]]
    discard: list[str]
    draw: list[str]
    color: str | None
    turn: int
    direction: int


class MatchPart(TypedDict):
    """The points of each hand of a match, and what is true after them; checked when played."""

    hands: list[list[Any]]
    expect: dict[str, object]


class Invalid(ValueError):
    """The record is not one; the message says where and why."""


@dataclass(frozen=True)
class Entry:
    """One entry of the log: an expectation, or a seat's action."""

    expect: dict[str, Any] | None = None
    seat: int = -1
    action: Action | None = None
    refused: bool | str = False
    reveals: dict[str, str] | None = None


@dataclass
class Record:
    """A valid record. ``deck`` or ``position`` or neither (only a match); kinds are notation."""

    name: str
    rs: RuleSet
    seats: int
    dealer: int = 0
    deck: list[str] | None = None
    position: Setup | None = None
    entries: list[Entry] = field(default_factory=list)
    match: MatchPart | None = None
    reshuffles: list[list[str]] | None = None
    nonce: str = ""
    commitment: str = ""


def read(data: object) -> Record:
    """The record in this JSON value, or Invalid."""
    if not isinstance(data, Mapping):
        raise Invalid("a record is a JSON object")
    if _need(data, "format") != FORMAT:
        raise Invalid(f'format: expected "{FORMAT}", got {data["format"]!r}')
    rs = _rule_set(data)
    record = Record(_name(data), rs, _seats(data, rs))
    if "match" in data:
        record.match = _match(data["match"])
    if "match" not in data or any(key in data for key in ("deck", "position", "log")):
        _read_hand(record, data)
    return record


def _need(data: Mapping[str, object], key: str, where: str = "") -> Any:
    if key not in data:
        raise Invalid(f'{where}missing key "{key}"')
    return data[key]


def _name(data: Mapping[str, object]) -> str:
    name = _need(data, "name")
    if not isinstance(name, str) or not name.strip():
        raise Invalid(f"name: {name!r} is no name")
    return name


def _rule_set(data: Mapping[str, object]) -> RuleSet:
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        raise Invalid("options: an object of option names and values is wanted")
    try:
        return rulesets.make(_need(data, "ruleset"), options)
    except OptionError as error:
        raise Invalid(str(error)) from None


def _seats(data: Mapping[str, object], rs: RuleSet) -> int:
    seats = _need(data, "seats")
    if not is_int(seats):
        raise Invalid(f"seats: {seats!r} is no number of players")
    try:
        rs.check_seats(seats)
    except OptionError as error:
        raise Invalid(f"seats: {error}") from None
    return int(seats)


def is_int(value: object) -> bool:
    """Whether this is a JSON whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _seat(value: object, seats: int, where: str) -> int:
    if not is_int(value) or not 0 <= value < seats:  # type: ignore[operator]
        raise Invalid(f"{where}: {value!r} is no seat: they are 0 to {seats - 1}")
    return value  # type: ignore[return-value]


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise Invalid(f"{where}: a list is wanted, got {value!r}")
    return value


def _object(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Invalid(f"{where}: an object is wanted, got {value!r}")
    return value


def _read_hand(record: Record, data: Mapping[str, object]) -> None:
    if "deck" in data and "position" in data:
        raise Invalid("deck and position: only one of them is wanted")
    if "position" in data:
        record.position = _position(record, data["position"])
        record.dealer = _seat(data.get("dealer", 0), record.seats, "dealer")
    elif "deck" in data:
        record.dealer = _seat(_need(data, "dealer"), record.seats, "dealer")
        record.deck = _deck(record.rs, data["deck"])
    else:
        raise Invalid('missing key "deck" or "position"')
    log = _list(_need(data, "log"), "log")
    record.entries = [_entry(record, entry, f"entry {n}: ") for n, entry in enumerate(log)]
    _read_export(record, data)


# --- cards


def _cards(rs: RuleSet, value: object, where: str) -> list[str]:
    return [_card(rs, card, where) for card in _list(value, where)]


def _card(rs: RuleSet, card: object, where: str) -> str:
    try:
        notation = decks.find(card).notation
        kind = rs.kind(notation)
    except ValueError as error:
        raise Invalid(f"{where}: {error}") from None
    if kind not in rs.card_counts():
        raise Invalid(f"{where}: the deck {rs.deck} has no card {card}")
    return rs.pack.notation[kind]


def _check_counts(rs: RuleSet, used: Iterable[str], where: str) -> dict[str, int]:
    left = {rs.pack.notation[kind]: count for kind, count in rs.card_counts().items()}
    for card in used:
        left[card] -= 1
        if left[card] < 0:
            has = rs.card_counts()[rs.kind(card)]
            raise Invalid(f"{where}: more than {has} of {card}, which is all that the deck holds")
    return left


def _deck(rs: RuleSet, value: object) -> list[str]:
    deck = _cards(rs, value, "deck")
    missing = [card for card, left in _check_counts(rs, deck, "deck").items() if left]
    if missing:
        raise Invalid(f"deck: it is not whole, there are too few of {', '.join(missing)}")
    return deck


def _position(record: Record, value: object) -> Setup:
    rs, data = record.rs, _object(value, "position")
    where = "position: "
    hands = _list(_need(data, "cards", where), "position: cards")
    if len(hands) != record.seats:
        raise Invalid(f"position: cards: {len(hands)} hands for {record.seats} seats")
    held = [_cards(rs, hand, f"position: cards: seat {n}") for n, hand in enumerate(hands)]
    for seat, cards in enumerate(held):
        if not cards:
            raise Invalid(f"position: cards: seat {seat} is without cards")
    discard = _cards(rs, _need(data, "discard", where), "position: discard")
    draw = _cards(rs, _need(data, "draw", where), "position: draw")
    if not discard:
        raise Invalid("position: discard: it is empty, and needs a top card")
    _check_counts(rs, chain(*held, discard, draw), "position")
    return {
        "hands": held,
        "discard": discard,
        "draw": draw,
        "color": _color(rs, data.get("color"), discard[-1]),
        "turn": _seat(_need(data, "turn", where), record.seats, "position: turn"),
        "direction": _direction(_need(data, "direction", where)),
    }


def _direction(value: object) -> int:
    if not is_int(value) or value not in (1, -1):
        raise Invalid(f"position: direction: {value!r} is neither 1 nor -1")
    return 1 if value == 1 else -1


def _color(rs: RuleSet, color: object, top: str) -> str | None:
    card = rs.card(top)
    if color is None:
        if card.color < 0:
            raise Invalid(f"position: color: it is missing, and the top card {top} has none")
        return None
    if not isinstance(color, str) or len(color) != 1 or color not in rs.colors:
        raise Invalid(f"position: color: {color!r} is not one of {', '.join(rs.colors)}")
    if card.color >= 0 and not card.colored_wild and color != rs.colors[card.color]:
        raise Invalid(f"position: color: {color} is not that of the top card {top}")
    return color


# --- the log


def _entry(record: Record, value: object, where: str) -> Entry:
    data = _object(value, where.rstrip(": "))
    if "expect" in data:
        if "seat" in data or not _ACTION_KEYS.isdisjoint(data):
            raise Invalid(f"{where}an expectation and an action are two entries")
        return Entry(expect=_expect(record, data["expect"], where))
    seat = _seat(_need(data, "seat", where), record.seats, f"{where}seat")
    refused = data.get("refused", False)
    if not isinstance(refused, bool | str):
        raise Invalid(f"{where}refused: {refused!r} is neither true nor a reason code")
    action = _action(record, data, where)
    return Entry(None, seat, action, refused, _reveals(record, data, where))


def _action(record: Record, data: Mapping[str, object], where: str) -> Action:
    written = {key: value for key, value in data.items() if key in _ACTION_KEYS}
    try:
        action = Action.from_json(written)
    except Malformed as error:
        raise Invalid(f"{where}{error}") from None
    if action.card:
        _card(record.rs, action.card, f"{where}play")
    if action.seat >= record.seats:
        raise Invalid(f"{where}{action.seat} is no seat: they are 0 to {record.seats - 1}")
    return action


def _reveals(record: Record, data: Mapping[str, object], where: str) -> dict[str, str] | None:
    if "reveals" not in data:
        return None
    found = _object(data["reveals"], f"{where}reveals")
    _check_seat_keys(record, found, f"{where}reveals")
    return {seat: _card(record.rs, card, f"{where}reveals") for seat, card in found.items()}


def _check_seat_keys(record: Record, data: Iterable[str], where: str) -> None:
    seats = [str(seat) for seat in range(record.seats)]
    for key in data:
        if key not in seats:
            raise Invalid(f"{where}: {key!r} is no seat: they are {', '.join(seats)}")


def _expect(record: Record, value: object, where: str) -> dict[str, Any]:
    expect = _object(value, f"{where}expect")
    _check_keys(expect, EXPECTED, f"{where}expect")
    if "may" in expect:
        _check_keys(_object(expect["may"], f"{where}may"), _MAY, f"{where}may")
    for key in ("cards", "seen"):
        if key in expect:
            _check_seat_keys(record, _object(expect[key], where + key), where + key)
    for cards in expect.get("cards", {}).values():
        _cards(record.rs, cards, f"{where}cards")
    for seen in expect.get("seen", {}).values():
        _check_seat_keys(record, _object(seen, f"{where}seen"), f"{where}seen")
        for cards in seen.values():
            _cards(record.rs, cards, f"{where}seen")
    if "playable" in expect:
        _cards(record.rs, expect["playable"], f"{where}playable")
    if "top" in expect:
        _card(record.rs, expect["top"], f"{where}top")
    return expect


def _check_keys(data: Iterable[str], known: frozenset[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise Invalid(f"{where}: {key!r} is not one of {', '.join(sorted(known))}")


def _match(value: object) -> MatchPart:
    match = _object(value, "match")
    hands = _list(_need(match, "hands", "match: "), "match: hands")
    for hand in hands:
        _list(hand, "match: hands")
    expect = _object(_need(match, "expect", "match: "), "match: expect")
    _check_keys(expect, MATCH_EXPECTED, "match: expect")
    return {"hands": hands, "expect": expect}


# --- what an export adds


def _read_export(record: Record, data: Mapping[str, object]) -> None:
    if "reshuffles" in data:
        shuffles = _list(data["reshuffles"], "reshuffles")
        record.reshuffles = [_cards(record.rs, pile, "reshuffles") for pile in shuffles]
    if "names" in data:
        _check_names(record, data["names"])
    _check_times(_list(data["log"], "log"))
    if "commitment" in data or "nonce" in data:
        record.commitment = _text(_need(data, "commitment"), "commitment")
        record.nonce = _text(_need(data, "nonce"), "nonce")
        if record.deck is None:
            raise Invalid("commitment: it needs the deck that it is about")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise Invalid(f"{where}: {value!r} is no text")
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise Invalid(f"{where}: {value!r} has half a character, which no file can hold")
    return value


def _check_names(record: Record, value: object) -> None:
    names = _list(value, "names")
    if len(names) != record.seats or not all(isinstance(name, str) and name for name in names):
        raise Invalid(f"names: {record.seats} names are wanted, one per seat")


def _check_times(log: Sequence[Mapping[str, object]]) -> None:
    before = 0.0
    for n, entry in enumerate(log):
        if "at" not in entry:
            continue
        at = entry["at"]
        if isinstance(at, bool) or not isinstance(at, int | float) or not at >= before:
            raise Invalid(f"entry {n}: at: {at!r} is no time from {before} seconds on")
        before = at
