"""Why an action is refused: a stable code, and a sentence that says what would be right.

The engine's legal codes alone decide whether something is refused; this explains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from games.rules.actions.actions import Action, Refusal
from games.rules.actions.codes import ACCUSE, CHOICE, DRAWN, EMPTY, KEEP, OWED, TURN
from games.rules.deck import decks, roles
from games.rules.deck.cards import BIT
from games.rules.hand.compiled import kinds_of
from games.rules.hand.state import HandState
from games.rules.text import _, gettext_noop, ngettext
from games.rules.words import words


class HandCode(StrEnum):
    """Why the rules refuse an action; beside each code the occasion for which it stands."""

    HAND_OVER = "hand-over"  # the hand is over
    NOT_YOUR_TURN = "not-your-turn"  # another seat is to act
    UNKNOWN_CARD = "unknown-card"  # the deck has no such card
    UNKNOWN_SEAT = "unknown-seat"  # there is no such seat, or it is one's own
    CARD_NOT_HELD = "card-not-held"  # the seat does not hold that card
    DOES_NOT_FIT = "does-not-fit"  # the card does not fit on the top card
    PENALTY_OWED = "penalty-owed"  # the seat owes cards, and this card is no answer
    ONLY_DRAWN_CARD = "only-drawn-card"  # after a draw no other card may be played
    COLOR_NEEDED = "color-needed"  # a wild-like card is played without a colour
    COLOR_UNKNOWN = "color-unknown"  # the deck has no such colour
    COLOR_NOT_WANTED = "color-not-wanted"  # a colour is named for a card that has one
    SEAT_NEEDED = "seat-needed"  # a blank that swaps hands is played without a seat
    SEAT_NOT_WANTED = "seat-not-wanted"  # a seat is named for a card that swaps nothing
    MUST_PLAY = "must-play"  # the seat holds a card that it must play
    DRAW_NOT_ALLOWED = "draw-not-allowed"  # the seat has drawn already
    PASS_NOT_ALLOWED = "pass-not-allowed"  # not drawn yet, or owes cards  # noqa: S105
    CHOOSE_FIRST = "choose-first"  # the colour of the card turned up has to be chosen first
    CHOOSE_NOT_ALLOWED = "choose-not-allowed"  # there is no colour to choose
    NOTHING_TO_CHALLENGE = "nothing-to-challenge"  # no Wild Draw Four was just played against it
    NO_UNO_CALL = "no-uno-call"  # the rules have no UNO call
    ALREADY_SAID = "already-said"  # the seat has said UNO already
    NOT_ONE_CARD = "not-one-card"  # UNO is said with one card left
    NOTHING_TO_CALL = "nothing-to-call"  # nobody can catch the seat, so there is nothing to say
    CATCH_SELF = "catch-self"  # nobody catches himself
    PARTNER_CATCH = "partner-catch"  # a partner may not be caught
    TOO_EARLY = "too-early"  # the respectful pause is not over
    NOTHING_TO_CATCH = "nothing-to-catch"  # that seat cannot be caught now


def explain(hand: HandState, seat: int, action: Action) -> Refusal:
    """The refusal of an action that is not legal for this seat now."""
    if hand.over:
        return Refusal(HandCode.HAND_OVER, _("The hand is over."))
    if not 0 <= seat < hand.seats:
        return _unknown_seat(hand, seat)
    if action.verb == "call":
        return _call(hand, seat)
    if action.verb == "catch":
        return _catch(hand, seat, action.seat)
    if seat != hand.actor:
        return Refusal(HandCode.NOT_YOUR_TURN, _("It is not your turn."))
    if hand.stage == CHOICE and action.verb != "choose":
        return _choose_first(hand)
    return _VERBS[action.verb](hand, seat, action)


def _unknown_seat(hand: HandState, seat: int) -> Refusal:
    sentence = _("There is no seat {seat}: they are 0 to {last}.")
    return Refusal(HandCode.UNKNOWN_SEAT, sentence.format(seat=seat, last=hand.seats - 1))


def _choose_first(hand: HandState) -> Refusal:
    return Refusal(HandCode.CHOOSE_FIRST, _of_colors(hand, _("First choose the {color}: {names}.")))


def _of_colors(hand: HandState, text: str, **more: str) -> str:
    return text.format(**_colors(hand), **more)


def _colors(hand: HandState) -> dict[str, str]:
    """What one colour is called, and what all of them are."""
    names = words.listed(words.color_names(hand.rs), "or")
    return {"color": words.color_noun(hand.rs), "names": names}


def _choose(hand: HandState, seat: int, action: Action) -> Refusal:
    if hand.stage != CHOICE:
        sentence = _of_colors(hand, _("There is no {color} to choose now."))
        return Refusal(HandCode.CHOOSE_NOT_ALLOWED, sentence)
    return _unknown_color(hand, action)


def _unknown_color(hand: HandState, action: Action) -> Refusal:
    text = _("There is no {color} {letter!r}: name {names}.")
    return Refusal(HandCode.COLOR_UNKNOWN, _of_colors(hand, text, letter=action.color))


def _challenge(hand: HandState, seat: int, action: Action) -> Refusal:
    if not hand.rs.challenge:
        return Refusal(HandCode.NOTHING_TO_CHALLENGE, _("These rules have no challenge."))
    text = gettext_noop(
        "You can challenge only {a_wild_draw_four} that was just played against you."
    )
    return Refusal(HandCode.NOTHING_TO_CHALLENGE, words.said(hand.rs, text))


def _pass(hand: HandState, seat: int, action: Action) -> Refusal:
    if hand.stage == DRAWN:
        name = words.kind_name(hand.rs, hand.drawn)
        sentence = _("The card just drawn fits: play {card}.").format(card=name)
        return Refusal(HandCode.MUST_PLAY, sentence)
    if hand.stage in (OWED, ACCUSE):
        sentence = _("You cannot pass: {choices}.").format(choices=owed_choices(hand))
    elif hand.masks[seat] & hand.fits and not hand.rs.renege:
        sentence = _("You can pass only after a draw: play a card that fits.")
    else:
        sentence = _("You can pass only after a draw: play a card, or draw.")
    return Refusal(HandCode.PASS_NOT_ALLOWED, sentence)


def _draw(hand: HandState, seat: int, action: Action) -> Refusal:
    if hand.stage == TURN:
        fitting = words.listed(_names(hand, hand.masks[seat] & hand.fits), "or")
        sentence = _("You must play, for you are able to: {cards}.").format(cards=fitting)
        return Refusal(HandCode.MUST_PLAY, sentence)
    if hand.stage == EMPTY:
        return Refusal(HandCode.DRAW_NOT_ALLOWED, _("No card is left to draw: pass."))
    if hand.stage == KEEP or hand.rs.drawn_card == "may":
        text = _("You have drawn already: play {card}, or pass.")
    else:
        text = _("You have drawn already: play {card}.")
    name = words.kind_name(hand.rs, hand.drawn)
    return Refusal(HandCode.DRAW_NOT_ALLOWED, text.format(card=name))


def _names(hand: HandState, mask: int) -> list[str]:
    return [words.kind_name(hand.rs, kind) for kind in kinds_of(mask)]


def _play(hand: HandState, seat: int, action: Action) -> Refusal:
    if action.card not in hand.rs.pack.kinds:
        return _unknown_card(decks.find(action.card).name)
    kind = hand.rs.kind(action.card)
    name = words.kind_name(hand.rs, kind)
    if kind not in hand.tables.kinds:
        return _unknown_card(name)
    if kind not in hand.hands[seat]:
        return Refusal(HandCode.CARD_NOT_HELD, _("You do not hold {card}.").format(card=name))
    if not BIT[kind] & hand.fits:
        return unplayable(hand, seat, kind)
    return _play_details(hand, seat, action, kind, name)


def _unknown_card(name: str) -> Refusal:
    return Refusal(HandCode.UNKNOWN_CARD, _("The deck has no {card}.").format(card=name))


def unplayable(hand: HandState, seat: int, kind: int) -> Refusal:
    """Why a card that the seat holds may not be played now."""
    return why_not(hand, seat).of(hand, kind)


class RefusalReason(NamedTuple):
    """Why cards may not be played: a text in which ``{card}`` may stand, and what else does."""

    code: HandCode
    text: str
    filled: Mapping[str, str] = {}

    @property
    def names_the_card(self) -> bool:
        """Whether it is told of each card in words of its own."""
        return "{card}" in self.text

    def of(self, hand: HandState, kind: int) -> Refusal:
        """The refusal of one of them."""
        name = words.kind_name(hand.rs, kind) if self.names_the_card else ""
        return Refusal(self.code, self.text.format(card=name, **self.filled))


def why_not(hand: HandState, seat: int) -> RefusalReason:
    """Why cards that the seat may not play now may not be played: the same for all of them."""
    if hand.over:
        return RefusalReason(HandCode.HAND_OVER, _("The hand is over."))
    if seat != hand.actor:
        return RefusalReason(HandCode.NOT_YOUR_TURN, _("It is not your turn."))
    if hand.stage == CHOICE:
        return RefusalReason(
            HandCode.CHOOSE_FIRST, _("First choose the {color}: {names}."), _colors(hand)
        )
    if hand.stage in (OWED, ACCUSE):
        text = _("{card} is no answer: {choices}.")
        return RefusalReason(HandCode.PENALTY_OWED, text, {"choices": owed_choices(hand)})
    if hand.stage in (DRAWN, KEEP):
        text = _("Only the card just drawn may be played now: {drawn}.")
        return RefusalReason(
            HandCode.ONLY_DRAWN_CARD, text, {"drawn": words.kind_name(hand.rs, hand.drawn)}
        )
    if hand.stage == EMPTY:
        return RefusalReason(
            HandCode.ONLY_DRAWN_CARD, _("After a draw no other card may be played: pass.")
        )
    text = _("{card} does not fit: {choices}.")
    return RefusalReason(HandCode.DOES_NOT_FIT, text, {"choices": words.listed(fitting(hand), "or")})


def fitting(hand: HandState) -> list[str]:
    """What fits on the top card, in words: ``["red", "a 7", "a wild"]``."""
    # Without a colour in force every card fits, and nobody is told this.
    choices = [words.color_name(hand.rs, hand.rs.colors[hand.hue])]
    top = hand.tables.cards[hand.discard[-1]]
    if top.color >= 0 and not BIT[hand.discard[-1]] & hand.tables.always:
        choices.append(top.one)
    return [*choices, *words.wilds(hand.rs)]


def owed_choices(hand: HandState) -> str:
    """What a seat that owes cards can do, as the end of a sentence."""
    draw = ngettext(
        "draw the {count} card that you owe", "draw the {count} cards that you owe", hand.owed
    )
    return words.either([draw.format(count=hand.owed), *_answers(hand)])


def _answers(hand: HandState) -> Iterator[str]:
    # What the rules would let anybody answer with, so that nothing is told of who holds what.
    cards = hand.tables.cards
    found = {cards[kind].role for kind in kinds_of(hand.fits)}
    answers = [role for role in (roles.DRAW_TWO, roles.WILD_DRAW_FOUR, roles.SHIELD) if role in found]
    if answers:
        names = [hand.rs.pack.one(role) for role in answers]
        yield _("play {card}").format(card=words.listed(names, "or"))
    if hand.stage == ACCUSE:
        yield _("challenge")


def _play_details(hand: HandState, seat: int, action: Action, kind: int, name: str) -> Refusal:
    if not BIT[kind] & hand.tables.wildlike and action.color:
        text = _("{card} has its own {color}.")
        return Refusal(HandCode.COLOR_NOT_WANTED, _of_colors(hand, text, card=name))
    if action.color and action.color not in hand.rs.colors:
        return _unknown_color(hand, action)
    if BIT[kind] & hand.tables.wildlike and not action.color and len(hand.hands[seat]) > 1:
        text = _("With {card}, name the {color}: {names}.")
        return Refusal(HandCode.COLOR_NEEDED, _of_colors(hand, text, card=name))
    return _swap_details(hand, seat, action, kind, name)


def _swap_details(hand: HandState, seat: int, action: Action, kind: int, name: str) -> Refusal:
    if not BIT[kind] & hand.tables.swap_bit:
        sentence = _("{card} swaps no hands: name no seat.").format(card=name)
        return Refusal(HandCode.SEAT_NOT_WANTED, sentence)
    if action.seat < 0:
        sentence = _("With {card}, name the seat to swap hands with.").format(card=name)
        return Refusal(HandCode.SEAT_NEEDED, sentence)
    sentence = _("You cannot swap hands with seat {seat}.").format(seat=action.seat)
    return Refusal(HandCode.UNKNOWN_SEAT, sentence)


_VERBS = {
    "play": _play,
    "draw": _draw,
    "pass": _pass,
    "choose": _choose,
    "challenge": _challenge,
}


def _call(hand: HandState, seat: int) -> Refusal:
    held = len(hand.hands[seat])
    if not hand.rs.uno_penalty:
        return Refusal(HandCode.NO_UNO_CALL, _("These rules have no UNO call."))
    if hand.said >> seat & 1:
        return Refusal(HandCode.ALREADY_SAID, _("You have said UNO already."))
    if held == 1:
        return Refusal(
            HandCode.NOTHING_TO_CALL, _("Nobody can catch you now: there is nothing to say.")
        )
    if held == 2 and hand.rs.uno_before_play:
        return Refusal(
            HandCode.NOTHING_TO_CALL, _("Say UNO with two cards when you can play one of them.")
        )
    if hand.rs.uno_before_play:
        sentence = _("UNO is said with one card left, or with two before you play one.")
    else:
        sentence = _("UNO is said with one card left.")
    return Refusal(HandCode.NOT_ONE_CARD, sentence)


def _catch(hand: HandState, seat: int, of: int) -> Refusal:
    if not hand.rs.uno_penalty:
        return Refusal(
            HandCode.NO_UNO_CALL, _("These rules have no UNO call, so nobody can be caught.")
        )
    if not 0 <= of < hand.seats:
        return _unknown_seat(hand, of)
    if of == seat:
        return Refusal(HandCode.CATCH_SELF, _("You cannot catch yourself: say UNO."))
    if hand.are_partners(seat, of) and not hand.rs.partner_catches:
        return Refusal(HandCode.PARTNER_CATCH, _("You cannot catch your own partner."))
    if hand.uncalled >> of & 1:
        return Refusal(HandCode.TOO_EARLY, _("Not so fast: leave a moment to say UNO."))
    return Refusal(HandCode.NOTHING_TO_CATCH, _why_safe(hand, of))


def _why_safe(hand: HandState, of: int) -> str:
    if len(hand.hands[of]) != 1:
        return _("There is nothing to catch: that player does not have exactly one card.")
    if hand.said >> of & 1:
        return _("There is nothing to catch: that player has said UNO.")
    return _("There is nothing to catch: it is too late, or that player had no need to say UNO.")
