"""What a seat, or a viewer, may know of a hand: an allow-list, nothing is ever taken away."""

from __future__ import annotations

from typing import TypedDict, TypeGuard

from games.rules import codec, refusals, storage
from games.rules.codes import CALL, CATCH, CHALLENGE, CHOICE, DRAW, DRAWN, KEEP, PASS, SWAP
from games.rules.moves import Move
from games.rules.state import State
from games.rules.storage import Declined


class Owed(TypedDict):
    """A penalty, and the seat that owes it."""

    cards: int
    seat: int


class Watched(TypedDict):
    """What everybody at the table has watched and may remember.

    The discard pile since it was last shuffled, oldest first; who is behind the penalty and with
    whom play goes on after Shields (-1 for nobody); who is out if the stack leaves it so; for each
    seat the card and colour on which it last drew rather than play, and how many cards it was
    given since.
    """

    discards: list[str]
    source: int
    resume: int
    keeps_turn: bool
    emptied: list[int]
    declined: list[Declined | None]


# "pass" is a word of Python, so this has no class body.
May = TypedDict(
    "May",
    {
        "draw": bool,
        "pass": bool,
        "challenge": bool,
        "call": bool,
        "choose": bool,
        "catch": list[int],
        "colors": list[str],
    },
)


class PublicView(TypedDict):
    """What every viewer may know."""

    seats: int
    dealer: int
    turn: int | None
    direction: int
    color: str | None
    top: str
    counts: list[int]
    penalty: Owed | None
    draw_pile: int
    discard_pile: int
    said_uno: list[int]
    over: bool
    winner: int | None
    points: list[int]
    watched: Watched


class OwnView(TypedDict):
    """What a seat alone may know and do; ``seen`` has by other seat the cards shown to it."""

    seat: int
    cards: list[str]
    seen: dict[str, list[str]]
    drawn: str | None
    playable: list[str]
    why: dict[str, str]
    may: May
    actions: list[Move]


class PlayerView(PublicView, OwnView):
    """All that a seat may know."""


def is_player_view(view: PublicView | PlayerView) -> TypeGuard[PlayerView]:
    """Whether this is a seat's view and not just anybody's."""
    return "seat" in view


def player_view(hand: State, seat: int, codes: tuple[int, ...]) -> PlayerView:
    """The public state, the seat's cards, what it has seen, and what it may do.

    ``codes`` are the seat's legal ones.
    """
    return {**public_view(hand), **_own(hand, seat, codes)}


def public_view(hand: State) -> PublicView:
    """The public state."""
    return {
        "seats": hand.seats,
        "dealer": hand.dealer,
        "turn": hand.turn,
        "direction": hand.direction,
        "color": hand.color,
        "top": hand.top,
        "counts": hand.counts,
        "penalty": {"cards": hand.owed, "seat": hand.actor} if hand.owed else None,
        "draw_pile": len(hand.draw),
        "discard_pile": len(hand.discard),
        "said_uno": [seat for seat in range(hand.seats) if hand.said >> seat & 1],
        "over": hand.over,
        "winner": hand.winner,
        "points": hand.points[:],
        "watched": _watched(hand),
    }


def _watched(hand: State) -> Watched:
    return {
        "discards": hand.notations(hand.discard),
        "source": hand.source,
        "resume": hand.resume,
        "keeps_turn": hand.keeps_turn,
        "emptied": hand.emptied[:],
        "declined": storage.declined(hand),
    }


def _own(hand: State, seat: int, codes: tuple[int, ...]) -> OwnView:
    drawn = seat == hand.actor and hand.stage in (DRAWN, KEEP)
    return {
        "seat": seat,
        "cards": hand.cards(seat),
        "seen": seen(hand, seat),
        "drawn": hand.tables.notation[hand.drawn] if drawn else None,
        "playable": hand.playable(seat),
        "why": _why(hand, seat),
        "may": _may(hand, seat, codes),
        "actions": [codec.action(hand, code).to_json() for code in codes],
    }


def seen(hand: State, seat: int) -> dict[str, list[str]]:
    """What was revealed to this seat alone: other seat to the cards that it still holds."""
    return {
        str(other): hand.notations(known)
        for (viewer, other), known in sorted(hand.seen.items())
        if viewer == seat and known
    }


def _why(hand: State, seat: int) -> dict[str, str]:
    playable, notation = hand.playable(seat), hand.tables.notation
    return {
        notation[kind]: refusals.unplayable(hand, seat, kind).sentence
        for kind in dict.fromkeys(hand.hands[seat])
        if notation[kind] not in playable
    }


def _may(hand: State, seat: int, codes: tuple[int, ...]) -> May:
    return {
        "draw": DRAW in codes,
        "pass": PASS in codes,
        "challenge": CHALLENGE in codes,
        "call": CALL in codes,
        "choose": seat == hand.actor and hand.stage == CHOICE,
        "catch": [code - CATCH for code in codes if CATCH <= code < SWAP],
        "colors": list(hand.rs.colors),
    }
