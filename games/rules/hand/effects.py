"""Effects of cards, with one function for each special card.

An effect is called after its card has been put on the pile and the card's colour is in force. It
sets the seat that acts next. Its arguments are:

* ``hand``: the hand to change.
* ``seat``: the seat that played the card.
* ``before``: the colour that was in force before the play.
* ``skipped``: 1 if the card also skips the next player because it is identical, otherwise 0.

``BY_ROLE`` contains the effects by role. ``LAST_CARD`` contains the effects of cards with which a
player goes out.
"""

from __future__ import annotations

from collections.abc import Callable

from games.rules.actions.codes import ACCUSE, TURN
from games.rules.deck import roles
from games.rules.deck.cards import Card
from games.rules.deck.roles import CardRole
from games.rules.hand.events import CardBySeat, DrawnFor
from games.rules.hand.state import HandState
from games.rules.ruleset.rulesets import RuleSet

Effect = Callable[[HandState, int, int, int], None]
LastEffect = Callable[[HandState, int], None]


def skip(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make the next player miss a turn (all)."""
    hand.advance(seat, 2 + skipped)


def reverse(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Reverse the direction of play. With two players, skip (001 "Rules for Two Players")."""
    if hand.seats == 2:
        hand.advance(seat, 2)
        return
    hand.direction = -hand.direction
    if hand.log is not None:
        hand.log.append({"event": "reversed", "direction": hand.direction})
    hand.advance(seat, 1 + skipped)


def draw_two(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make the next player owe two cards.

    If the card is identical, the player after that owes them (002 "Stack and Skip").
    """
    hand.add_penalty(seat, roles.DRAW_TWO.draws, skipped, hand.tables.answer_two)


def wild_draw_four(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make the next player owe four cards, and record whether it was a bluff (001, 003, 004).

    A seat bluffs if it holds a card of the colour that was in force before. The joker of 002, the
    "Bomb", has the same effect but cannot be challenged or answered.
    """
    tables = hand.tables
    hand.bluff = tables.is_bluff(hand.masks[seat], before)
    hand.add_penalty(seat, roles.WILD_DRAW_FOUR.draws, skipped, tables.answer_four)
    if tables.rs.challenge:
        hand.stage = ACCUSE


def shield(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Send an owed penalty back to its source (000 "Shield").

    The source is the seat that last played a draw card or a Shield.
    """
    if not hand.owed:
        hand.advance(seat, 1)
    else:
        _return_penalty(hand, seat)


def _return_penalty(hand: HandState, seat: int) -> None:
    if hand.resume < 0:
        hand.resume = hand.seat_after(seat)
    target, hand.source = hand.source, seat
    if hand.log is not None:
        of = target if target >= 0 else None
        hand.log.append({"event": "shielded", "seat": seat, "of": of, "cards": hand.owed})
    if target < 0:  # the opening card caused the penalty, so it is cancelled
        hand.clear_penalty()
        hand.begin_turn(hand.clear_resume())
    else:
        hand.impose_penalty(target, hand.tables.answer_shield)


def x_ray(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Show the seat one random card from each opponent's hand (000 "X-Ray")."""
    revealed = {}
    for other in hand.seats_around(seat)[:-1]:
        held = hand.hands[other]
        if held and not hand.are_partners(seat, other):
            kind = held[hand.chance.choice(len(held))]
            hand.record_seen_card(seat, other, kind)
            revealed[str(other)] = hand.tables.notation[kind]
    if hand.log is not None:
        private: dict[str, CardBySeat] = {str(seat): {"cards": revealed}}
        hand.log.append({"event": "revealed", "seat": seat, "private": private})
    hand.advance(seat, 1)


def dead_red(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make all players without a red card in hand draw two cards (000 "Dead Red")."""
    around = hand.seats_around(seat)
    if hand.rs.dead_red_spares_player:
        around.pop()
    _give_penalty_cards(hand, _find_seats_without_red(hand, around), "dead_red")
    hand.advance(seat, 1 + skipped)


def _find_seats_without_red(hand: HandState, seats: list[int]) -> list[int]:
    return [other for other in seats if not hand.masks[other] & hand.tables.red]


def boo_blue(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make the player with the fewest cards draw two cards (000 "Boo Blue")."""
    _give_penalty_cards(hand, _find_seats_with_fewest(hand, hand.seats_around(seat)), "boo_blue")
    hand.advance(seat, 1 + skipped)


def _find_seats_with_fewest(hand: HandState, seats: list[int]) -> list[int]:
    fewest = min(len(hand.hands[other]) for other in seats)
    tied = [other for other in seats if len(hand.hands[other]) == fewest]
    return tied if len(tied) == 1 or hand.rs.boo_blue_ties == "all" else []


def _give_penalty_cards(hand: HandState, seats: list[int], cause: DrawnFor) -> None:
    for other in seats:
        hand.give(other, 2, cause)


def with_identical_skip(effect: Effect | None) -> Effect:
    """Extend an effect so that an identical card also skips a player (002 "An identical card").

    A card is identical if it has the same rank and suit as the card below it.
    """

    def skip_if_identical(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
        kind = hand.discard[-1]
        same = kind == hand.discard[-2]
        if effect is None and not same:  # like `advance`, but faster: the most frequent case
            hand.actor = (seat + hand.direction) % hand.seats
            hand.stage, hand.fits = TURN, hand.base
            return
        if same and hand.log is not None:
            card = hand.tables.notation[kind]
            hand.log.append({"event": "identical", "seat": seat, "card": card})
        if effect is None:
            hand.advance(seat, 1 + same)
        else:
            effect(hand, seat, before, int(same))

    return skip_if_identical


def blank_draw_one(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Make all other players draw one card."""
    for other in hand.seats_around(seat)[:-1]:
        hand.give(other, 1, "blank")
    hand.advance(seat, 1)


def blank_swap(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Swap hands with the player who was named."""
    other = hand.chosen
    if hand.log is not None:
        hand.log.append({"event": "swapped", "seat": seat, "with": other})
    hand.move_hands({seat: other, other: seat})
    hand.advance(seat, 1)


def blank_pass_hands(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Pass every hand to the next player in the direction of play."""
    if hand.log is not None:
        hand.log.append({"event": "passed_hands", "direction": hand.direction})
    hand.move_hands({hand.seat_after(other): other for other in range(hand.seats)})
    hand.advance(seat, 1)


def blank_skip_everybody(hand: HandState, seat: int, before: int, skipped: int = 0) -> None:
    """Skip all other players, so that the same player has another turn."""
    hand.advance(seat, hand.seats)


BY_ROLE: dict[CardRole, Effect] = {
    roles.SKIP: skip,
    roles.REVERSE: reverse,
    roles.DRAW_TWO: draw_two,
    roles.WILD_DRAW_FOUR: wild_draw_four,
    roles.SHIELD: shield,
    roles.X_RAY: x_ray,
    roles.DEAD_RED: dead_red,
    roles.BOO_BLUE: boo_blue,
}
# House rules for a blank card (001 "Blank Card").
BLANK_RULES: dict[str, Effect | None] = {
    "replace": None,
    "draw-one": blank_draw_one,
    "swap": blank_swap,
    "pass-hands": blank_pass_hands,
    "skip-everybody": blank_skip_everybody,
}


def last_draw_card(hand: HandState, seat: int) -> None:
    """Make the next player draw for a last draw card and all stacked ones (001 "Going out")."""
    kind = hand.discard[-1]
    card = hand.tables.cards[kind]
    skipped = hand.rs.identical_skips and card.color >= 0 and kind == hand.discard[-2]
    victim = hand.seat_after(seat, 1 + skipped)
    cards_owed = hand.owed + card.role.draws
    if victim != seat:
        hand.give(victim, cards_owed, "last_card")


def last_shield(hand: HandState, seat: int) -> None:
    """Make the target of a last Shield draw the penalty without a chance to answer."""
    if hand.owed and hand.source >= 0:
        hand.give(hand.source, hand.owed, "last_card")


def last_dead_red(hand: HandState, seat: int) -> None:
    """Apply a last Dead Red to the other players."""
    _give_penalty_cards(
        hand, _find_seats_without_red(hand, hand.seats_around(seat)[:-1]), "dead_red"
    )


def last_boo_blue(hand: HandState, seat: int) -> None:
    """Apply a last Boo Blue to the other players."""
    _give_penalty_cards(
        hand, _find_seats_with_fewest(hand, hand.seats_around(seat)[:-1]), "boo_blue"
    )


def last_blank(hand: HandState, seat: int) -> None:
    """Make all other players draw one card, if that is the rule for blanks.

    No other rule for blanks applies to a last card.
    """
    if hand.rs.blank_rule == "draw-one":
        for other in hand.seats_around(seat)[:-1]:
            hand.give(other, 1, "blank")


LAST_CARD: dict[CardRole, LastEffect] = {
    roles.DRAW_TWO: last_draw_card,
    roles.WILD_DRAW_FOUR: last_draw_card,
    roles.SHIELD: last_shield,
    roles.DEAD_RED: last_dead_red,
    roles.BOO_BLUE: last_boo_blue,
    roles.BLANK: last_blank,
}


def effect_of(rs: RuleSet, card: Card) -> Effect | None:
    """Return the effect of a card under these rules, or None if it has none."""
    by_itself = BLANK_RULES[rs.blank_rule] if card.role is roles.BLANK else BY_ROLE.get(card.role)
    return with_identical_skip(by_itself) if rs.identical_skips and card.color >= 0 else by_itself
