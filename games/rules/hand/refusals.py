"""Refusals of illegal actions: a stable code, and a sentence that explains what is allowed.

The engine decides whether an action is legal. This module only explains the refusal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from games.rules.actions.actions import Action, IllegalActionError
from games.rules.actions.codes import ACCUSE, CHOICE, DRAWN, EMPTY, KEEP, OWED, TURN
from games.rules.deck import decks, roles
from games.rules.deck.cards import BIT
from games.rules.hand.compiled import kinds_of
from games.rules.hand.state import HandState
from games.rules.text import _, gettext_noop, ngettext
from games.rules.words import words


class HandCode(StrEnum):
    """Codes of refusals by the rules. A comment says when each of them is used."""

    HAND_OVER = "hand-over"  # the hand is over
    NOT_YOUR_TURN = "not-your-turn"  # it is another seat's turn
    UNKNOWN_CARD = "unknown-card"  # the deck has no such card
    UNKNOWN_SEAT = "unknown-seat"  # there is no such seat, or it is the player's own
    CARD_NOT_HELD = "card-not-held"  # the seat does not have that card
    DOES_NOT_FIT = "does-not-fit"  # the card does not fit on the top card
    PENALTY_OWED = "penalty-owed"  # the seat owes cards and cannot play this card instead
    ONLY_DRAWN_CARD = "only-drawn-card"  # after drawing, no other card may be played
    COLOR_NEEDED = "color-needed"  # a wild card was played without a colour
    COLOR_UNKNOWN = "color-unknown"  # the deck has no such colour
    COLOR_NOT_WANTED = "color-not-wanted"  # a colour was named for a card that has one
    SEAT_NEEDED = "seat-needed"  # a blank that swaps hands was played without a seat
    SEAT_NOT_WANTED = "seat-not-wanted"  # a seat was named for a card that does not swap hands
    MUST_PLAY = "must-play"  # the seat has a card that it must play
    DRAW_NOT_ALLOWED = "draw-not-allowed"  # the seat has already drawn
    PASS_NOT_ALLOWED = "pass-not-allowed"  # the seat has not drawn yet, or owes cards  # noqa: S105
    CHOOSE_FIRST = "choose-first"  # the colour of the opening card has to be chosen first
    CHOOSE_NOT_ALLOWED = "choose-not-allowed"  # there is no colour to choose
    NOTHING_TO_CHALLENGE = "nothing-to-challenge"  # no Wild Draw Four was just played against it
    NO_UNO_CALL = "no-uno-call"  # the rules have no UNO call
    ALREADY_SAID = "already-said"  # the seat has already called UNO
    NOT_ONE_CARD = "not-one-card"  # UNO can be called only with one card left
    NOTHING_TO_CALL = "nothing-to-call"  # the seat cannot be caught, so it need not call
    CATCH_SELF = "catch-self"  # players cannot catch themselves
    PARTNER_CATCH = "partner-catch"  # a partner may not be caught
    TOO_EARLY = "too-early"  # the respectful pause is not over
    NOTHING_TO_CATCH = "nothing-to-catch"  # that seat cannot be caught now


def explain(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    """Return the refusal of an action that is illegal for this seat now."""
    if hand.over:
        return IllegalActionError(HandCode.HAND_OVER, _("The hand is over."))
    if not 0 <= seat < hand.seats:
        return _refuse_unknown_seat(hand, seat)
    if action.verb == "call":
        return _refuse_call(hand, seat)
    if action.verb == "catch":
        return _refuse_catch(hand, seat, action.seat)
    if seat != hand.actor:
        return IllegalActionError(HandCode.NOT_YOUR_TURN, _("It’s not your turn."))
    if hand.stage == CHOICE and action.verb != "choose":
        sentence = _fill_colors(hand, _("Choose a {color} first: {names}."))
        return IllegalActionError(HandCode.CHOOSE_FIRST, sentence)
    return _VERBS[action.verb](hand, seat, action)


def _refuse_unknown_seat(hand: HandState, seat: int) -> IllegalActionError:
    sentence = _("There’s no seat {seat}: seats are numbered 0 to {last}.")
    return IllegalActionError(
        HandCode.UNKNOWN_SEAT, sentence.format(seat=seat, last=hand.seats - 1)
    )


def _fill_colors(hand: HandState, text: str, **more: str) -> str:
    return text.format(**_name_colors(hand), **more)


def _name_colors(hand: HandState) -> dict[str, str]:
    """Return the deck's word for a colour (``color``), and the names of all colours (``names``)."""
    names = words.join_names(words.color_names(hand.rs), "or")
    return {"color": words.color_noun(hand.rs), "names": names}


def _refuse_choice(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    if hand.stage != CHOICE:
        sentence = _fill_colors(hand, _("You don’t have to choose a {color} now."))
        return IllegalActionError(HandCode.CHOOSE_NOT_ALLOWED, sentence)
    return _refuse_unknown_color(hand, action)


def _refuse_unknown_color(hand: HandState, action: Action) -> IllegalActionError:
    text = _("{letter!r} isn’t a {color}: choose {names}.")
    return IllegalActionError(HandCode.COLOR_UNKNOWN, _fill_colors(hand, text, letter=action.color))


def _refuse_challenge(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    if not hand.rs.challenge:
        return IllegalActionError(
            HandCode.NOTHING_TO_CHALLENGE, _("These rules don’t allow challenges.")
        )
    text = gettext_noop(
        "You can only challenge {a_wild_draw_four} that was just played against you."
    )
    return IllegalActionError(HandCode.NOTHING_TO_CHALLENGE, words.fill_words(hand.rs, text))


def _refuse_pass(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    if hand.stage == DRAWN:
        name = words.kind_name(hand.rs, hand.drawn)
        sentence = _("You just drew {card}, which fits, so you have to play it.").format(card=name)
        return IllegalActionError(HandCode.MUST_PLAY, sentence)
    if hand.stage in (OWED, ACCUSE):
        sentence = _("You can’t pass: {choices}.").format(choices=describe_owed_choices(hand))
    elif hand.masks[seat] & hand.fits and not hand.rs.renege:
        sentence = _("You can only pass after drawing: play a card that fits.")
    else:
        sentence = _("You can only pass after drawing: play a card, or draw.")
    return IllegalActionError(HandCode.PASS_NOT_ALLOWED, sentence)


def _refuse_draw(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    if hand.stage == TURN:
        kinds = kinds_of(hand.masks[seat] & hand.fits)
        fitting = words.join_names([words.kind_name(hand.rs, kind) for kind in kinds], "or")
        sentence = _("You can play {cards}, so you have to.").format(cards=fitting)
        return IllegalActionError(HandCode.MUST_PLAY, sentence)
    if hand.stage == EMPTY:
        return IllegalActionError(
            HandCode.DRAW_NOT_ALLOWED, _("There are no cards left to draw, so pass.")
        )
    if hand.stage == KEEP or hand.rs.drawn_card == "may":
        text = _("You’ve already drawn: play {card}, or pass.")
    else:
        text = _("You’ve already drawn: play {card}.")
    name = words.kind_name(hand.rs, hand.drawn)
    return IllegalActionError(HandCode.DRAW_NOT_ALLOWED, text.format(card=name))


def _refuse_play(hand: HandState, seat: int, action: Action) -> IllegalActionError:
    if action.card not in hand.rs.pack.kinds:
        return _refuse_unknown_card(decks.find_card(action.card).name)
    kind = hand.rs.kind(action.card)
    name = words.kind_name(hand.rs, kind)
    if kind not in hand.tables.kinds:
        return _refuse_unknown_card(name)
    if kind not in hand.hands[seat]:
        return IllegalActionError(
            HandCode.CARD_NOT_HELD, _("You don’t have {card}.").format(card=name)
        )
    if not BIT[kind] & hand.fits:
        return refuse_card(hand, seat, kind)
    return _refuse_play_details(hand, seat, action, kind, name)


def _refuse_unknown_card(name: str) -> IllegalActionError:
    return IllegalActionError(
        HandCode.UNKNOWN_CARD, _("There’s no {card} in this deck.").format(card=name)
    )


def refuse_card(hand: HandState, seat: int, kind: int) -> IllegalActionError:
    """Return the refusal of a card that the seat holds but cannot play now."""
    return find_refusal_reason(hand, seat).make_refusal(hand, kind)


class RefusalReason(NamedTuple):
    """Reason why cards cannot be played.

    * ``code``: the code of the refusal.
    * ``text``: the sentence, which may contain placeholders, including ``{card}``.
    * ``filled``: the values of all placeholders except ``{card}``.
    """

    code: HandCode
    text: str
    filled: Mapping[str, str] = {}

    @property
    def names_the_card(self) -> bool:
        """True if the text names the card and therefore differs between cards."""
        return "{card}" in self.text

    def make_refusal(self, hand: HandState, kind: int) -> IllegalActionError:
        """Return the refusal for a card of this kind."""
        name = words.kind_name(hand.rs, kind) if self.names_the_card else ""
        return IllegalActionError(self.code, self.text.format(card=name, **self.filled))


def find_refusal_reason(hand: HandState, seat: int) -> RefusalReason:
    """Return the reason that applies to all cards that the seat cannot play now."""
    if hand.over:
        return RefusalReason(HandCode.HAND_OVER, _("The hand is over."))
    if seat != hand.actor:
        return RefusalReason(HandCode.NOT_YOUR_TURN, _("It’s not your turn."))
    if hand.stage == CHOICE:
        return RefusalReason(
            HandCode.CHOOSE_FIRST, _("Choose a {color} first: {names}."), _name_colors(hand)
        )
    if hand.stage in (OWED, ACCUSE):
        text = _("You can’t play {card} now: {choices}.")
        return RefusalReason(HandCode.PENALTY_OWED, text, {"choices": describe_owed_choices(hand)})
    if hand.stage in (DRAWN, KEEP):
        text = _("You can only play the card you just drew: {drawn}.")
        return RefusalReason(
            HandCode.ONLY_DRAWN_CARD, text, {"drawn": words.kind_name(hand.rs, hand.drawn)}
        )
    if hand.stage == EMPTY:
        return RefusalReason(
            HandCode.ONLY_DRAWN_CARD,
            _("You chose to draw, so you can’t play another card: pass."),
        )
    text = _("You can’t play {card}: you need {choices}.")
    return RefusalReason(
        HandCode.DOES_NOT_FIT, text, {"choices": words.join_names(name_fitting_cards(hand), "or")}
    )


def name_fitting_cards(hand: HandState) -> list[str]:
    """Return names for the cards that fit on the top card, such as "red", "a 7" and "a wild"."""
    # If no colour is in force, every card fits, so no player sees this text.
    choices = [words.color_name(hand.rs, hand.rs.colors[hand.hue])]
    top = hand.tables.cards[hand.discard[-1]]
    if top.color >= 0 and not BIT[hand.discard[-1]] & hand.tables.always:
        choices.append(top.one)
    return [*choices, *words.wilds(hand.rs)]


def describe_owed_choices(hand: HandState) -> str:
    """Return the choices of a seat that owes cards, as the end of a sentence."""
    draw = ngettext("draw {count} card", "draw {count} cards", hand.owed)
    return words.join_choices([draw.format(count=hand.owed), *_iter_answers(hand)])


def _iter_answers(hand: HandState) -> Iterator[str]:
    # The text lists cards that the player may not hold, so that it does not reveal their hand.
    cards = hand.tables.cards
    fitting = {cards[kind].role for kind in kinds_of(hand.fits)}
    answers = [
        role for role in (roles.DRAW_TWO, roles.WILD_DRAW_FOUR, roles.SHIELD) if role in fitting
    ]
    if answers:
        names = [hand.rs.pack.one(role) for role in answers]
        yield _("play {card}").format(card=words.join_names(names, "or"))
    if hand.stage == ACCUSE:
        yield _("challenge")


def _refuse_play_details(
    hand: HandState, seat: int, action: Action, kind: int, name: str
) -> IllegalActionError:
    if not BIT[kind] & hand.tables.wildlike and action.color:
        text = _("{card} already has a {color}, so don’t choose one.")
        return IllegalActionError(HandCode.COLOR_NOT_WANTED, _fill_colors(hand, text, card=name))
    if action.color and action.color not in hand.rs.colors:
        return _refuse_unknown_color(hand, action)
    if BIT[kind] & hand.tables.wildlike and not action.color and len(hand.hands[seat]) > 1:
        text = _("Choose a {color} to play {card}: {names}.")
        return IllegalActionError(HandCode.COLOR_NEEDED, _fill_colors(hand, text, card=name))
    return _refuse_swap_details(hand, seat, action, kind, name)


def _refuse_swap_details(
    hand: HandState, seat: int, action: Action, kind: int, name: str
) -> IllegalActionError:
    if not BIT[kind] & hand.tables.swap_bit:
        sentence = _("{card} doesn’t swap hands, so don’t choose a seat.").format(card=name)
        return IllegalActionError(HandCode.SEAT_NOT_WANTED, sentence)
    if action.seat < 0:
        sentence = _("To play {card}, choose a seat to swap hands with.").format(card=name)
        return IllegalActionError(HandCode.SEAT_NEEDED, sentence)
    sentence = _("You can’t swap hands with seat {seat}.").format(seat=action.seat)
    return IllegalActionError(HandCode.UNKNOWN_SEAT, sentence)


_VERBS = {
    "play": _refuse_play,
    "draw": _refuse_draw,
    "pass": _refuse_pass,
    "choose": _refuse_choice,
    "challenge": _refuse_challenge,
}


def _refuse_call(hand: HandState, seat: int) -> IllegalActionError:
    held = len(hand.hands[seat])
    if not hand.rs.uno_penalty:
        return IllegalActionError(HandCode.NO_UNO_CALL, _("These rules have no UNO call."))
    if hand.said >> seat & 1:
        return IllegalActionError(HandCode.ALREADY_SAID, _("You’ve already said UNO."))
    if held == 1:
        return IllegalActionError(
            HandCode.NOTHING_TO_CALL, _("No one can catch you now, so you don’t have to say UNO.")
        )
    if held == 2 and hand.rs.uno_before_play:
        return IllegalActionError(
            HandCode.NOTHING_TO_CALL,
            _("With two cards left, say UNO only when you can play one of them."),
        )
    if hand.rs.uno_before_play:
        sentence = _("Say UNO with one card left, or with two before you play one of them.")
    else:
        sentence = _("Say UNO only with one card left.")
    return IllegalActionError(HandCode.NOT_ONE_CARD, sentence)


def _refuse_catch(hand: HandState, seat: int, of: int) -> IllegalActionError:
    if not hand.rs.uno_penalty:
        return IllegalActionError(
            HandCode.NO_UNO_CALL,
            _("These rules have no UNO call, so you can’t catch anyone."),
        )
    if not 0 <= of < hand.seats:
        return _refuse_unknown_seat(hand, of)
    if of == seat:
        return IllegalActionError(HandCode.CATCH_SELF, _("You can’t catch yourself: just say UNO."))
    if hand.are_partners(seat, of) and not hand.rs.partner_catches:
        return IllegalActionError(HandCode.PARTNER_CATCH, _("You can’t catch your own partner."))
    if hand.uncalled >> of & 1:
        return IllegalActionError(
            HandCode.TOO_EARLY, _("Not so fast: give them a moment to say UNO.")
        )
    return IllegalActionError(HandCode.NOTHING_TO_CATCH, _explain_safe_seat(hand, of))


def _explain_safe_seat(hand: HandState, of: int) -> str:
    if len(hand.hands[of]) != 1:
        return _("You can’t catch that player: they don’t have exactly one card.")
    if hand.said >> of & 1:
        return _("You can’t catch that player: they’ve already said UNO.")
    return _("You can’t catch that player: it’s too late, or they didn’t have to say UNO.")
