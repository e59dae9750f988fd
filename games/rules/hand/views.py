"""Views of a hand for a seat or a viewer.

A view lists explicitly what its reader may know, so that it contains no secret by accident.
"""

from __future__ import annotations

from games.rules.actions.codes import CALL, CATCH, CHALLENGE, CHOICE, DRAW, DRAWN, KEEP, PASS, SWAP
from games.rules.actions.knowledge import May, OwnView, PlayerView, PublicView, TableKnowledge
from games.rules.hand import codec, refusals, storage
from games.rules.hand.state import HandState


def player_view(
    hand: HandState, seat: int, codes: tuple[int, ...], *, with_reasons: bool = True
) -> PlayerView:
    """Return the public view, extended by the seat's cards, knowledge and possible actions.

    ``codes`` are the seat's legal codes.
    """
    return {**public_view(hand), **_build_own_view(hand, seat, codes, with_reasons=with_reasons)}


def public_view(hand: HandState) -> PublicView:
    """Return the part of a hand's state that everyone may know."""
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
        "watched": _build_table_knowledge(hand),
    }


def _build_table_knowledge(hand: HandState) -> TableKnowledge:
    return {
        "discards": hand.notations(hand.discard),
        "source": hand.source,
        "resume": hand.resume,
        "keeps_turn": hand.keeps_turn,
        "emptied": hand.emptied[:],
        "declined": storage.list_declined(hand),
    }


def _build_own_view(
    hand: HandState, seat: int, codes: tuple[int, ...], *, with_reasons: bool
) -> OwnView:
    drawn = seat == hand.actor and hand.stage in (DRAWN, KEEP)
    return {
        "seat": seat,
        "cards": hand.cards(seat),
        "seen": list_seen_cards(hand, seat),
        "drawn": hand.tables.notation[hand.drawn] if drawn else None,
        "playable": hand.playable(seat),
        "why": _explain_unplayable(hand, seat) if with_reasons else {},
        "may": _build_allowed_actions(hand, seat, codes),
        "actions": [codec.decode(hand, code).to_json() for code in codes],
    }


def list_seen_cards(hand: HandState, seat: int) -> dict[str, list[str]]:
    """Return the cards that only this seat was shown, keyed by the seat that still holds them."""
    return {
        str(other): hand.notations(known)
        for (viewer, other), known in sorted(hand.seen.items())
        if viewer == seat and known
    }


def _explain_unplayable(hand: HandState, seat: int) -> dict[str, str]:
    playable, notation = hand.playable(seat), hand.tables.notation
    kinds = [kind for kind in dict.fromkeys(hand.hands[seat]) if notation[kind] not in playable]
    if not kinds:
        return {}
    reason = refusals.find_refusal_reason(hand, seat)
    if not reason.names_the_card:
        return dict.fromkeys(
            [notation[kind] for kind in kinds], reason.make_refusal(hand, -1).sentence
        )
    return {notation[kind]: reason.make_refusal(hand, kind).sentence for kind in kinds}


def _build_allowed_actions(hand: HandState, seat: int, codes: tuple[int, ...]) -> May:
    return {
        "draw": DRAW in codes,
        "pass": PASS in codes,
        "challenge": CHALLENGE in codes,
        "call": CALL in codes,
        "choose": seat == hand.actor and hand.stage == CHOICE,
        "catch": [code - CATCH for code in codes if CATCH <= code < SWAP],
        "colors": list(hand.rs.colors),
    }
