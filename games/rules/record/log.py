"""The log of a hand record: actions and expectations, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.rules.actions.actions import EXTRAS, VERBS, Action, InvalidActionError
from games.rules.record.cards import read_card, read_cards
from games.rules.ruleset.rulesets import RuleSet
from games.rules.untrusted_json import (
    InvalidJsonError,
    check_keys,
    object_of,
    required_value,
    seat_of,
)

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
_MAY = frozenset(["draw", "pass", "challenge"])


@dataclass(frozen=True)
class RecordEntry:
    """One entry of the log: either an expectation or a seat's action.

    * ``expect``: the expected state of the hand.
    * ``refused``: true, or the code of the refusal, if the action has to be refused.
    * ``reveals``: the cards that an X-Ray reveals, keyed by the seat that holds them.
    * ``held``: the cards that these seats held before the action.
    """

    expect: dict[str, Any] | None = None
    seat: int = -1
    action: Action | None = None
    refused: bool | str = False
    reveals: dict[str, str] | None = None
    held: dict[str, list[str]] | None = None


def read_entry(rs: RuleSet, seats: int, value: object, location: str) -> RecordEntry:
    """Read one entry of the log.

    Raises InvalidJsonError with a message that begins with ``location``.
    """
    data = object_of(value, location.rstrip(": "))
    if "expect" in data:
        if "seat" in data or not _ACTION_KEYS.isdisjoint(data):
            raise InvalidJsonError(f"{location}an entry is either an expectation or an action")
        return RecordEntry(expect=_read_expectation(rs, seats, data["expect"], location))
    seat = seat_of(required_value(data, "seat", location), seats, f"{location}seat")
    refused = data.get("refused", False)
    if not isinstance(refused, bool | str):
        raise InvalidJsonError(f"{location}refused: {refused!r} is neither true nor a reason code")
    action = _read_action(rs, seats, data, location)
    return RecordEntry(None, seat, action, refused, *_read_x_ray(rs, seats, data, location))


def _read_action(rs: RuleSet, seats: int, data: Mapping[str, object], location: str) -> Action:
    written = {key: value for key, value in data.items() if key in _ACTION_KEYS}
    try:
        action = Action.from_json(written)
    except InvalidActionError as error:
        raise InvalidJsonError(f"{location}{error}") from None
    if action.card:
        read_card(rs, action.card, f"{location}play")
    if action.seat >= seats:
        raise InvalidJsonError(
            f"{location}{action.seat} is not a seat: the seats are 0 to {seats - 1}"
        )
    return action


def _read_x_ray(
    rs: RuleSet, seats: int, data: Mapping[str, object], location: str
) -> tuple[dict[str, str] | None, dict[str, list[str]] | None]:
    reveals = _read_by_seat(seats, data, "reveals", location)
    held = _read_by_seat(seats, data, "held", location)
    return (
        reveals
        and {seat: read_card(rs, card, f"{location}reveals") for seat, card in reveals.items()},
        held and {seat: read_cards(rs, cards, f"{location}held") for seat, cards in held.items()},
    )


def _read_by_seat(
    seats: int, data: Mapping[str, object], key: str, location: str
) -> dict[str, Any] | None:
    if key not in data:
        return None
    by_seat = object_of(data[key], f"{location}{key}")
    _check_seat_keys(seats, by_seat, f"{location}{key}")
    return by_seat


def _check_seat_keys(seats: int, data: Iterable[str], location: str) -> None:
    allowed = [str(seat) for seat in range(seats)]
    for key in data:
        if key not in allowed:
            raise InvalidJsonError(
                f"{location}: {key!r} is not a seat: the seats are {', '.join(allowed)}"
            )


def _read_expectation(rs: RuleSet, seats: int, value: object, location: str) -> dict[str, Any]:
    expect = object_of(value, f"{location}expect")
    check_keys(expect, EXPECTED, f"{location}expect")
    if "may" in expect:
        check_keys(object_of(expect["may"], f"{location}may"), _MAY, f"{location}may")
    for key in ("cards", "seen"):
        if key in expect:
            _check_seat_keys(seats, object_of(expect[key], location + key), location + key)
    for cards in expect.get("cards", {}).values():
        read_cards(rs, cards, f"{location}cards")
    for seen in expect.get("seen", {}).values():
        _check_seat_keys(seats, object_of(seen, f"{location}seen"), f"{location}seen")
        for cards in seen.values():
            read_cards(rs, cards, f"{location}seen")
    if "playable" in expect:
        read_cards(rs, expect["playable"], f"{location}playable")
    if "top" in expect:
        read_card(rs, expect["top"], f"{location}top")
    return expect


def check_times(log: Sequence[Mapping[str, object]]) -> None:
    """Check that the times in the log never decrease. Entries without a time are ignored.

    Raises InvalidJsonError if one does.
    """
    before = 0.0
    for n, entry in enumerate(log):
        if "at" not in entry:
            continue
        at = entry["at"]
        if isinstance(at, bool) or not isinstance(at, int | float) or not at >= before:
            raise InvalidJsonError(
                f"entry {n}: at: {at!r} is not a time of at least {before} seconds"
            )
        before = at
