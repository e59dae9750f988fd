"""Deal of a hand, and the effect of the first card turned up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.rules.actions.codes import CHOICE
from games.rules.deck import roles
from games.rules.deck.roles import CardRole
from games.rules.hand.state import HandState
from games.rules.ruleset.rulesets import OptionError
from games.rules.text import _


def deal(hand: HandState, deck: Sequence[str] | Sequence[int]) -> None:
    """Deal the cards one at a time from the dealer's left, then turn up the opening card."""
    rs, seats = hand.rs, hand.seats
    pile = [rs.kind(card) if isinstance(card, str) else card for card in deck]
    dealt = seats * rs.cards_per_hand(seats)
    if len(pile) <= dealt:
        sentence = _("{cards} cards are not enough to deal {dealt} each to {seats} players.")
        dealt = rs.cards_per_hand(seats)
        raise OptionError("hand_size", sentence.format(cards=len(pile), dealt=dealt, seats=seats))
    for place in range(seats):
        held = pile[place:dealt:seats]
        seat = (hand.dealer + 1 + place) % seats
        hand.hands[seat] = held
        hand.masks[seat] = hand.mask_of(held)
    hand.draw = pile[: dealt - 1 : -1]
    turn_up(hand)


def turn_up(hand: HandState) -> None:
    """Turn up the first permitted card, and apply its effect."""
    _redraw_opening(hand)
    top = hand.draw.pop()
    hand.discard.append(top)
    card = hand.tables.cards[top]
    hand.set_top(top, card.color)
    hand.begin_turn((hand.dealer + 1) % hand.seats)
    if hand.log is not None:
        hand.log.append({"event": "opening", "card": hand.tables.notation[top]})
    _BY_ROLE.get(card.role, _apply_plain)(hand)


def _redraw_opening(hand: HandState) -> None:
    if all(_is_redrawn(hand, kind) for kind in hand.draw):
        return  # every card would be redrawn, so any card may open the pile
    while _is_redrawn(hand, hand.draw[-1]):
        if hand.log is not None:
            hand.log.append({"event": "returned", "card": hand.tables.notation[hand.draw[-1]]})
        hand.shuffle(hand.draw[::-1])


def _is_redrawn(hand: HandState, kind: int) -> bool:
    role = hand.tables.cards[kind].role
    return role.returns or (role is roles.WILD and hand.rs.opening_wild == "redraw")


def _apply_plain(hand: HandState) -> None:
    """Do nothing, for cards without an effect at the start."""


def _apply_wild(hand: HandState) -> None:
    if hand.rs.opening_wild == "choose":
        hand.hue = -1
        hand.stage = CHOICE
        hand.fits = 0


def _apply_draw_two(hand: HandState) -> None:
    if hand.rs.opening_draw_two == "plain":
        return
    hand.owed = roles.DRAW_TWO.draws
    hand.keeps_turn = hand.rs.opening_draw_two == "draw"
    hand.impose_penalty(hand.actor, hand.tables.answer_two)


def _apply_skip(hand: HandState) -> None:
    if hand.rs.opening_skip == "plain":
        return
    skipped = hand.actor
    if hand.log is not None:
        hand.log.append({"event": "skipped", "seat": skipped})
    # In 004, the player to the right of the skipped player begins. In clockwise play, this is the
    # dealer.
    literal = hand.rs.opening_skip == "dealer"
    hand.begin_turn(hand.dealer if literal else hand.seat_after(skipped))


def _apply_reverse(hand: HandState) -> None:
    if hand.rs.opening_reverse == "plain":
        return
    hand.direction = -1
    if hand.log is not None:
        hand.log.append({"event": "reversed", "direction": -1})
    hand.begin_turn(
        hand.dealer if hand.rs.opening_reverse == "dealer" else hand.seat_after(hand.dealer)
    )


_BY_ROLE: dict[CardRole, Callable[[HandState], None]] = {
    roles.WILD: _apply_wild,
    roles.DRAW_TWO: _apply_draw_two,
    roles.SKIP: _apply_skip,
    roles.REVERSE: _apply_reverse,
}
