"""A hand as JSON, for the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from games.rules.cards import BIT, CARDS, KIND, NOTATION, Role, notations
from games.rules.codes import ACCUSE, DRAWN, KEEP, OWED, STAGES, TURN

if TYPE_CHECKING:
    from games.rules.hand import Hand

# Stored as they are; the rest needs notation.
_PLAIN = (
    "bluff",
    "direction",
    "emptied",
    "keeps_turn",
    "over",
    "owed",
    "passes",
    "points",
    "resume",
    "said",
    "source",
    "uncalled",
    "winner",
)


def dump(hand: Hand) -> dict[str, Any]:
    """Plain JSON values; piles with the first element on top."""
    data = {name: getattr(hand, name) for name in _PLAIN}
    data |= {
        "seats": hand.seats,
        "dealer": hand.dealer,
        "hands": [notations(held) for held in hand.hands],
        "draw": notations(hand.draw[::-1]),
        "discard": notations(hand.discard),
        "color": hand.color,
        "turn": hand.actor,
        "stage": STAGES[hand.stage],
        "drawn": NOTATION[hand.drawn] if hand.drawn >= 0 else None,
        "seen": [[seat, of, notations(known)] for (seat, of), known in sorted(hand.seen.items())],
        "opened": {str(seat): at for seat, at in hand.opened.items()},
        "declined": declined(hand),
    }
    return data | {"points": hand.points[:], "emptied": hand.emptied[:]}


def declined(hand: Hand) -> list[list[Any] | None]:
    """For each seat the card and colour on which it last drew, and how many it was given since."""
    colors = [*hand.rs.colors, ""]
    return [
        None if last is None else [NOTATION[last[1]], colors[last[0]], gained]
        for last, gained in zip(hand.declined, hand.gained, strict=True)
    ]


def load(hand: Hand, data: Mapping[str, Any]) -> None:
    """Fill a new hand with what ``dump`` made."""
    for name in _PLAIN:
        setattr(hand, name, data[name])
    hand.points = list(data["points"])
    hand.emptied = list(data["emptied"])
    place(hand, data["hands"], data["discard"], data["draw"], data["color"])
    hand.actor = data["turn"]
    hand.stage = STAGES.index(data["stage"])
    hand.drawn = KIND[data["drawn"]] if data["drawn"] else -1
    hand.fits = _fits(hand)
    hand.seen = {(seat, of): [KIND[c] for c in known] for seat, of, known in data["seen"]}
    hand.opened = {int(seat): at for seat, at in data["opened"].items()}
    # Hands stored by an earlier version do not say.
    for seat, last in enumerate(data.get("declined", ())):
        if last is not None:
            color = hand.rs.colors.index(last[1]) if last[1] else -1
            hand.declined[seat] = color, KIND[last[0]]
            hand.gained[seat] = last[2]


def place(
    hand: Hand,
    hands: Sequence[Sequence[str]],
    discard: Sequence[str],
    draw: Sequence[str],
    color: str | None,
) -> None:
    """Put the cards where they are; the top card's fit follows from it and the colour."""
    kind = hand.rs.kind
    hand.hands = [[kind(card) for card in held] for held in hands]
    hand.masks = [hand.mask_of(held) for held in hand.hands]
    hand.discard = [kind(card) for card in discard]
    hand.draw = [kind(card) for card in reversed(draw)]
    hand.lie(hand.discard[-1], hand.rs.colors.index(color) if color else -1)


def _fits(hand: Hand) -> int:
    if hand.stage == TURN:
        return hand.base
    if hand.stage in (DRAWN, KEEP):
        return BIT[hand.drawn]
    if hand.stage in (OWED, ACCUSE):
        return _answers(hand)
    return 0


def _answers(hand: Hand) -> int:
    role = CARDS[hand.discard[-1]].role
    tables = hand.tables
    if role is Role.SHIELD:
        return tables.answer_shield
    return tables.answer_two if role is Role.DRAW_TWO else tables.answer_four
