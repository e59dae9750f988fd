"""Actions of a seat, and the errors for malformed and illegal actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.actions.moves import Move, Play
from games.rules.deck import decks

VERBS = ("play", "draw", "pass", "choose", "challenge", "call", "catch")
EXTRAS = ("color", "uno", "ocho", "with")

# Moves that consist only of a verb.
_BARE: dict[str, Move] = {
    "draw": {"draw": True},
    "pass": {"pass": True},
    "challenge": {"challenge": True},
    "call": {"call": True},
}


class InvalidActionError(ValueError):
    """The action is malformed. The message says what is wrong."""


class IllegalActionError(Exception):
    """The action is well-formed but not allowed now.

    ``code`` is stable, and ``sentence`` is for players.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a seat.

    * ``verb``: one of VERBS.
    * ``card``: the card of a play.
    * ``color``: the colour named with a wild card or by a choice.
    * ``uno``, ``ocho``: true if the player says the word while playing the card.
    * ``seat``: the seat to catch, or the seat to swap hands with. Otherwise -1.
    """

    verb: str
    card: str = ""
    color: str = ""
    uno: bool = False
    ocho: bool = False
    seat: int = -1

    @classmethod
    def play(
        cls, card: str, color: str = "", *, uno: bool = False, ocho: bool = False, seat: int = -1
    ) -> Action:
        """Return the play of a card, given its notation.

        ``seat`` is needed only for a blank that swaps hands.
        """
        return cls("play", card, color, uno, ocho, seat)

    @classmethod
    def from_json(cls, data: object) -> Action:
        """Read an action from JSON such as ``{"play": "R5", "color": "G", "uno": true}``.

        Raises InvalidActionError.
        """
        if not isinstance(data, Mapping):
            raise InvalidActionError(
                'An action is an object such as {"play": "R5"} or {"draw": true}.'
            )
        verb = _find_verb(data)
        _check_keys(data, verb)
        if verb == "play":
            return _read_play(data)
        if verb == "choose":
            return cls("choose", color=_read_color(data, "choose"))
        if verb == "catch":
            return cls("catch", seat=_read_seat(data, "catch"))
        if data[verb] is not True:
            raise InvalidActionError(f'"{verb}" is {data[verb]!r}: it can only be true.')
        return cls(verb)

    def to_json(self) -> Move:
        """Return the action in the JSON format that ``from_json`` reads."""
        if self.verb == "choose":
            return {"choose": self.color}
        if self.verb == "catch":
            return {"catch": self.seat}
        if self.verb != "play":
            return _BARE[self.verb].copy()
        data: Play = {"play": self.card}
        if self.color:
            data["color"] = self.color
        if self.uno:
            data["uno"] = True
        if self.ocho:
            data["ocho"] = True
        if self.seat >= 0:
            data["with"] = self.seat
        return data


def _find_verb(data: Mapping[Any, Any]) -> str:
    verbs = [verb for verb in VERBS if verb in data]
    if len(verbs) != 1:
        found = " and ".join(verbs) or "none of them"
        raise InvalidActionError(
            f"An action has exactly one of {', '.join(VERBS)}; this one has {found}."
        )
    return verbs[0]


def _check_keys(data: Mapping[Any, Any], verb: str) -> None:
    allowed = {verb, *EXTRAS} if verb == "play" else {verb}
    for key in data:
        if key not in allowed:
            raise InvalidActionError(f'An action with "{verb}" has no key {key!r}.')


def _read_play(data: Mapping[Any, Any]) -> Action:
    card = data["play"]
    try:
        decks.find_card(card)
    except ValueError as error:
        raise InvalidActionError(str(error)) from None
    for key in ("uno", "ocho"):
        if not isinstance(data.get(key, False), bool):
            raise InvalidActionError(f'"{key}" is {data[key]!r}: it can only be true or false.')
    return Action.play(
        card,
        _read_color(data, "color") if "color" in data else "",
        uno=data.get("uno", False),
        ocho=data.get("ocho", False),
        seat=_read_seat(data, "with") if "with" in data else -1,
    )


def _read_color(data: Mapping[Any, Any], key: str) -> str:
    color = data[key]
    # Only the deck decides which letters are colours, so the hand refuses unknown ones later.
    if not isinstance(color, str) or len(color) != 1:
        raise InvalidActionError(
            f'"{key}" is {color!r}: a colour is one of R Y G B, a suit one of S H D C.'
        )
    return color


def _read_seat(data: Mapping[Any, Any], key: str) -> int:
    seat = data[key]
    if isinstance(seat, bool) or not isinstance(seat, int) or seat < 0:
        raise InvalidActionError(f'"{key}" is {seat!r}: it must be the number of a seat, from 0.')
    return seat


DRAW = Action("draw")
PASS = Action("pass")
CHALLENGE = Action("challenge")
CALL = Action("call")
