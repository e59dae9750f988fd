"""What a seat, or a viewer, may know of a hand: an allow-list, nothing is ever taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.rules import refusals, storage
from games.rules.cards import NOTATION, notations
from games.rules.codes import CALL, CATCH, CHALLENGE, CHOICE, DRAW, DRAWN, KEEP, PASS, SWAP

if TYPE_CHECKING:
    from games.rules.hand import Hand


def view(hand: Hand, seat: int | None) -> dict[str, Any]:
    """The public state; for a seat also its cards, what it has seen, and what it may do."""
    public = _public(hand)
    if seat is None:
        return public
    return public | _own(hand, seat)


def _public(hand: Hand) -> dict[str, Any]:
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


def _watched(hand: Hand) -> dict[str, Any]:
    """What everybody at the table has watched and may remember.

    The discard pile since it was last shuffled, oldest first; who is behind the penalty and with
    whom play goes on after Shields (-1 for nobody); who is out if the stack leaves it so; for each
    seat the card and colour on which it last drew rather than play, and how many cards it was
    given since.
    """
    return {
        "discards": notations(hand.discard),
        "source": hand.source,
        "resume": hand.resume,
        "keeps_turn": hand.keeps_turn,
        "emptied": hand.emptied[:],
        "declined": storage.declined(hand),
    }


def _own(hand: Hand, seat: int) -> dict[str, Any]:
    codes = hand.codes(seat)
    drawn = seat == hand.actor and hand.stage in (DRAWN, KEEP)
    return {
        "seat": seat,
        "cards": hand.cards(seat),
        "seen": seen(hand, seat),
        "drawn": NOTATION[hand.drawn] if drawn else None,
        "playable": hand.playable(seat),
        "why": _why(hand, seat),
        "may": _may(hand, seat, codes),
        "actions": [hand.action(code).to_json() for code in codes],
    }


def seen(hand: Hand, seat: int) -> dict[str, list[str]]:
    """What was revealed to this seat alone: other seat to the cards that it still holds."""
    return {
        str(other): notations(known)
        for (viewer, other), known in sorted(hand.seen.items())
        if viewer == seat and known
    }


def _why(hand: Hand, seat: int) -> dict[str, str]:
    playable = hand.playable(seat)
    return {
        NOTATION[kind]: refusals.unplayable(hand, seat, kind).sentence
        for kind in dict.fromkeys(hand.hands[seat])
        if NOTATION[kind] not in playable
    }


def _may(hand: Hand, seat: int, codes: tuple[int, ...]) -> dict[str, Any]:
    return {
        "draw": DRAW in codes,
        "pass": PASS in codes,
        "challenge": CHALLENGE in codes,
        "call": CALL in codes,
        "choose": seat == hand.actor and hand.stage == CHOICE,
        "catch": [code - CATCH for code in codes if CATCH <= code < SWAP],
        "colors": list(hand.rs.colors),
    }
