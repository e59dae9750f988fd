"""What a seat, or a viewer, may know of a hand: an allow-list, nothing is ever taken away."""

from __future__ import annotations

from typing import Any

from games.rules import codec, refusals, storage
from games.rules.codes import CALL, CATCH, CHALLENGE, CHOICE, DRAW, DRAWN, KEEP, PASS, SWAP
from games.rules.state import State

View = dict[str, Any]


def view(hand: State, seat: int | None, codes: tuple[int, ...]) -> View:
    """The public state; for a seat also its cards, what it has seen, and what it may do.

    ``codes`` are the seat's legal ones.
    """
    public = _public(hand)
    if seat is None:
        return public
    return public | _own(hand, seat, codes)


def _public(hand: State) -> dict[str, Any]:
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


def _watched(hand: State) -> dict[str, Any]:
    """What everybody at the table has watched and may remember.

    The discard pile since it was last shuffled, oldest first; who is behind the penalty and with
    whom play goes on after Shields (-1 for nobody); who is out if the stack leaves it so; for each
    seat the card and colour on which it last drew rather than play, and how many cards it was
    given since.
    """
    return {
        "discards": hand.notations(hand.discard),
        "source": hand.source,
        "resume": hand.resume,
        "keeps_turn": hand.keeps_turn,
        "emptied": hand.emptied[:],
        "declined": storage.declined(hand),
    }


def _own(hand: State, seat: int, codes: tuple[int, ...]) -> dict[str, Any]:
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
    kinds = [kind for kind in dict.fromkeys(hand.hands[seat]) if notation[kind] not in playable]
    if not kinds:
        return {}
    reason = refusals.why_not(hand, seat)
    return {notation[kind]: reason.of(hand, kind).sentence for kind in kinds}


def _may(hand: State, seat: int, codes: tuple[int, ...]) -> dict[str, Any]:
    return {
        "draw": DRAW in codes,
        "pass": PASS in codes,
        "challenge": CHALLENGE in codes,
        "call": CALL in codes,
        "choose": seat == hand.actor and hand.stage == CHOICE,
        "catch": [code - CATCH for code in codes if CATCH <= code < SWAP],
        "colors": list(hand.rs.colors),
    }
