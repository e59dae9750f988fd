"""Parser and validator of hand records.

docs/hand-record.md describes the formats. A record is validated completely before it is replayed.
The message of InvalidJsonError gives the location of the error and explains it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from games.rules.fair.attempts import FairDeal
from games.rules.record.cards import Setup, read_cards, read_deck, read_setup
from games.rules.record.log import RecordEntry, check_times, read_entry
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OptionError, RuleSet
from games.rules.untrusted_json import (
    InvalidJsonError,
    check_keys,
    is_int,
    list_of,
    object_of,
    required_value,
    seat_of,
    text_of,
)

FORMAT = "hand-record/1"
FAIR_FORMAT = "hand-record/2"  # random results are computed from the secret and the shares
SIGNED_FORMAT = "hand-record/3"  # in addition, players' devices signed their commitments
FORMATS = (FORMAT, FAIR_FORMAT, SIGNED_FORMAT)

MATCH_EXPECTED = frozenset(["totals", "over", "winners", "out"])


class MatchPart(TypedDict):
    """The points of each hand of a match, and the score expected after the last hand."""

    hands: list[list[Any]]
    expect: dict[str, object]


@dataclass
class Record:
    """A valid record, with cards in notation.

    * ``deck``: the whole deck, if the hand was dealt.
    * ``position``: the cards at the start, if the hand was already in progress.
    * ``match``: the points of a match. The record may then have no hand.
    * ``fair``: the fair deal, from version 2 on.
    * ``points``: the points of cards as stated by the record, not validated.
    """

    name: str
    rs: RuleSet
    seats: int
    dealer: int = 0
    deck: list[str] | None = None
    position: Setup | None = None
    entries: list[RecordEntry] = field(default_factory=list)
    match: MatchPart | None = None
    reshuffles: list[list[str]] | None = None
    nonce: str = ""
    commitment: str = ""
    fair: FairDeal | None = None
    points: object = None


def read(data: object) -> Record:
    """Return the record in this JSON value.

    Raises InvalidJsonError if it does not contain one.
    """
    if not isinstance(data, Mapping):
        raise InvalidJsonError("a record is a JSON object")
    if required_value(data, "format") not in FORMATS:
        formats = ", ".join(f'"{each}"' for each in FORMATS)
        raise InvalidJsonError(f"format: expected one of {formats}, got {data['format']!r}")
    rs = _read_rule_set(data)
    record = Record(_read_name(data), rs, _read_seats(data, rs))
    if "match" in data:
        record.match = _read_match(data["match"])
    if data["format"] != FORMAT:
        _read_fair(record, data)
    elif "match" not in data or any(key in data for key in ("deck", "position", "log")):
        _read_hand(record, data)
        _read_commitment(record, data)
    return record


def _read_name(data: Mapping[str, object]) -> str:
    name = required_value(data, "name")
    if not isinstance(name, str) or not name.strip():
        raise InvalidJsonError(f"name: {name!r} is not a name")
    return name


def _read_rule_set(data: Mapping[str, object]) -> RuleSet:
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        raise InvalidJsonError("options: expected an object of option names and values")
    try:
        return rulesets.make(required_value(data, "ruleset"), options)
    except OptionError as error:
        raise InvalidJsonError(str(error)) from None


def _read_seats(data: Mapping[str, object], rs: RuleSet) -> int:
    seats = required_value(data, "seats")
    if not is_int(seats):
        raise InvalidJsonError(f"seats: {seats!r} is not a number of players")
    try:
        rs.check_seats(seats)
    except OptionError as error:
        raise InvalidJsonError(f"seats: {error}") from None
    return int(seats)


def _read_hand(record: Record, data: Mapping[str, object]) -> None:
    if "deck" in data and "position" in data:
        raise InvalidJsonError("deck and position: only one of them is allowed")
    if "position" in data:
        record.position = read_setup(record.rs, record.seats, data["position"])
        record.dealer = seat_of(data.get("dealer", 0), record.seats, "dealer")
    elif "deck" in data:
        record.dealer = seat_of(required_value(data, "dealer"), record.seats, "dealer")
        record.deck = read_deck(record.rs, data["deck"])
    else:
        raise InvalidJsonError('missing key "deck" or "position"')
    log = list_of(required_value(data, "log"), "log")
    record.entries = [
        read_entry(record.rs, record.seats, entry, f"entry {n}: ") for n, entry in enumerate(log)
    ]
    check_times(log)
    _read_export(record, data)


def _read_match(value: object) -> MatchPart:
    match = object_of(value, "match")
    hands = list_of(required_value(match, "hands", "match: "), "match: hands")
    for hand in hands:
        list_of(hand, "match: hands")
    expect = object_of(required_value(match, "expect", "match: "), "match: expect")
    check_keys(expect, MATCH_EXPECTED, "match: expect")
    return {"hands": hands, "expect": expect}


# --- parts added by an export


def _read_export(record: Record, data: Mapping[str, object]) -> None:
    if "reshuffles" in data:
        shuffles = list_of(data["reshuffles"], "reshuffles")
        record.reshuffles = [read_cards(record.rs, pile, "reshuffles") for pile in shuffles]
    if "names" in data:
        _check_names(record, data["names"])
    for n, sitter in enumerate(list_of(data.get("sitters", []), "sitters")):
        _check_sitter(record, object_of(sitter, f"sitters: {n}"), f"sitters: {n}: ")


def _check_sitter(record: Record, sitter: Mapping[str, object], location: str) -> None:
    """Check an entry about a player who took over a seat during the hand.

    ``from`` is the number of the first log entry after the change.
    """
    seat_of(required_value(sitter, "seat", location), record.seats, f"{location}seat")
    text_of(required_value(sitter, "name", location), f"{location}name")
    first = required_value(sitter, "from", location)
    if not is_int(first) or not 0 < first <= len(record.entries):
        raise InvalidJsonError(f"{location}from: {first!r} is not a log entry after the first")


def _check_names(record: Record, value: object) -> None:
    names = list_of(value, "names")
    if len(names) != record.seats or not all(isinstance(name, str) and name for name in names):
        raise InvalidJsonError(f"names: expected {record.seats} names, one per seat")


def _read_commitment(record: Record, data: Mapping[str, object]) -> None:
    if "commitment" in data or "nonce" in data:
        record.commitment = text_of(required_value(data, "commitment"), "commitment")
        record.nonce = text_of(required_value(data, "nonce"), "nonce")
        if record.deck is None:
            raise InvalidJsonError("commitment: the deck it commits to is missing")


def _read_fair(record: Record, data: Mapping[str, object]) -> None:
    for key in ("position", "commitment", "nonce"):
        if key in data:
            raise InvalidJsonError(f"{key}: {data['format']} has none")
    for key in ("deck", "reshuffles"):
        required_value(data, key)
    _read_hand(record, data)
    record.fair = FairDeal.from_json(required_value(data, "fair"))
    if record.fair.has_signatures and data["format"] == FAIR_FORMAT:
        raise InvalidJsonError(f"fair: signed: {FAIR_FORMAT} has none")
    if len(record.fair.dealt.list.seats) != record.seats:
        raise InvalidJsonError(
            f"fair: list: seats: expected {record.seats}, one per player of the hand"
        )
    record.points = object_of(data["fair"], "fair").get("points")
