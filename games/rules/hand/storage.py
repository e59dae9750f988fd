"""Conversion of a hand to and from JSON, for the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.rules.actions.codes import ACCUSE, DRAWN, KEEP, OWED, STAGES, TURN
from games.rules.actions.knowledge import Declined
from games.rules.deck import roles
from games.rules.deck.cards import BIT
from games.rules.hand.state import STORED, STORED_LISTS, HandState


def dump(hand: HandState) -> dict[str, object]:
    """Return the hand as JSON.

    The draw pile begins with its top card, and the discard pile ends with it.
    """
    lists = {name: getattr(hand, name)[:] for name in STORED_LISTS}
    return {
        **{name: getattr(hand, name) for name in STORED},
        **lists,
        "seats": hand.seats,
        "dealer": hand.dealer,
        "hands": [hand.notations(held) for held in hand.hands],
        "draw": hand.notations(hand.draw[::-1]),
        "discard": hand.notations(hand.discard),
        "color": hand.color,
        "turn": hand.actor,
        "stage": STAGES[hand.stage],
        "drawn": hand.tables.notation[hand.drawn] if hand.drawn >= 0 else None,
        "seen": [[*pair, hand.notations(known)] for pair, known in sorted(hand.seen.items())],
        "opened": {str(seat): at for seat, at in hand.opened.items()},
        "declined": [last and list(last) for last in list_declined(hand)],
    }


def list_declined(hand: HandState) -> list[Declined | None]:
    """Return for each seat the last turn at which it drew instead of playing, or None.

    A turn is described by the top card, the colour in force, and the number of cards that the seat
    has received since.
    """
    pack = hand.rs.pack
    return [
        None if last is None else (pack.notation[last[1]], pack.color_letter(last[0]), gained)
        for last, gained in zip(hand.declined, hand.gained, strict=True)
    ]


def load(hand: HandState, data: Mapping[str, Any]) -> None:
    """Fill a new hand with the data from ``dump``."""
    pack = hand.rs.pack
    for name in STORED:
        setattr(hand, name, data[name])
    for name in STORED_LISTS:
        setattr(hand, name, list(data[name]))
    place_cards(hand, data["hands"], data["discard"], data["draw"], data["color"])
    hand.actor = data["turn"]
    hand.stage = STAGES.index(data["stage"])
    hand.drawn = pack.kind(data["drawn"]) if data["drawn"] else -1
    hand.fits = _compute_fits(hand)
    hand.seen = {(seat, of): [pack.kind(c) for c in known] for seat, of, known in data["seen"]}
    hand.opened = {int(seat): at for seat, at in data["opened"].items()}
    # Hands stored by earlier versions lack this key.
    for seat, last in enumerate(data.get("declined", ())):
        if last is not None:
            hand.declined[seat] = pack.color_index(last[1]), pack.kind(last[0])
            hand.gained[seat] = last[2]


def place_cards(
    hand: HandState,
    hands: Sequence[Sequence[str]],
    discard: Sequence[str],
    draw: Sequence[str],
    color: str | None,
) -> None:
    """Put cards into the hands and piles, and set the colour in force."""
    kinds = hand.rs.kinds
    hand.hands = [kinds(held) for held in hands]
    hand.masks = [hand.mask_of(held) for held in hand.hands]
    hand.discard = kinds(discard)
    hand.draw = kinds(reversed(draw))
    hand.set_top(hand.discard[-1], hand.rs.pack.color_index(color))


def _compute_fits(hand: HandState) -> int:
    if hand.stage == TURN:
        return hand.base
    if hand.stage in (DRAWN, KEEP):
        return BIT[hand.drawn]
    if hand.stage in (OWED, ACCUSE):
        return _find_answers(hand)
    return 0


def _find_answers(hand: HandState) -> int:
    tables = hand.tables
    role = tables.cards[hand.discard[-1]].role
    if role is roles.SHIELD:
        return tables.answer_shield
    return tables.answer_two if role is roles.DRAW_TWO else tables.answer_four
