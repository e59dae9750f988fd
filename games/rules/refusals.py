"""Why an action is refused: a stable code, and a sentence that says what would be right.

The engine's legal codes alone decide whether something is refused; this explains it.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules import decks, roles, words
from games.rules.actions import Action, Refusal
from games.rules.cards import BIT
from games.rules.codes import ACCUSE, CHOICE, DRAWN, EMPTY, KEEP, OWED, TURN
from games.rules.compiled import kinds_of
from games.rules.state import State

# Every code, with the occasion for which it stands.
CODES = {
    "hand-over": "the hand is over",
    "not-your-turn": "another seat is to act",
    "unknown-card": "the deck has no such card",
    "unknown-seat": "there is no such seat, or it is one's own",
    "card-not-held": "the seat does not hold that card",
    "does-not-fit": "the card does not fit on the top card",
    "penalty-owed": "the seat owes cards, and this card is no answer",
    "only-drawn-card": "after a draw no other card may be played",
    "color-needed": "a wild-like card is played without a colour",
    "color-unknown": "the deck has no such colour",
    "color-not-wanted": "a colour is named for a card that has one",
    "seat-needed": "a blank that swaps hands is played without a seat",
    "seat-not-wanted": "a seat is named for a card that swaps nothing",
    "must-play": "the seat holds a card that it must play",
    "draw-not-allowed": "the seat has drawn already",
    "pass-not-allowed": "the seat has not drawn yet, or owes cards",
    "choose-first": "the colour of the card turned up has to be chosen first",
    "choose-not-allowed": "there is no colour to choose",
    "nothing-to-challenge": "no Wild Draw Four was just played against the seat",
    "no-uno-call": "the rules have no UNO call",
    "already-said": "the seat has said UNO already",
    "not-one-card": "UNO is said with one card left",
    "nothing-to-call": "nobody can catch the seat, so there is nothing to say",
    "catch-self": "nobody catches himself",
    "partner-catch": "a partner may not be caught",
    "too-early": "the respectful pause is not over",
    "nothing-to-catch": "that seat cannot be caught now",
}


def explain(hand: State, seat: int, action: Action) -> Refusal:
    """The refusal of an action that is not legal for this seat now."""
    if hand.over:
        return Refusal("hand-over", "The hand is over.")
    if not 0 <= seat < hand.seats:
        return Refusal("unknown-seat", f"There is no seat {seat}: they are 0 to {hand.seats - 1}.")
    if action.verb == "call":
        return _call(hand, seat)
    if action.verb == "catch":
        return _catch(hand, seat, action.seat)
    if seat != hand.actor:
        return Refusal("not-your-turn", "It is not your turn.")
    if hand.stage == CHOICE and action.verb != "choose":
        return Refusal("choose-first", f"First choose {_any_color(hand)}.")
    return _VERBS[action.verb](hand, seat, action)


def _any_color(hand: State) -> str:
    noun = words.color_noun(hand.rs)
    return f"the {noun}: {words.listed(words.color_names(hand.rs), 'or')}"


def _choose(hand: State, seat: int, action: Action) -> Refusal:
    if hand.stage != CHOICE:
        sentence = f"There is no {words.color_noun(hand.rs)} to choose now."
        return Refusal("choose-not-allowed", sentence)
    return _unknown_color(hand, action)


def _unknown_color(hand: State, action: Action) -> Refusal:
    names = words.listed(words.color_names(hand.rs), "or")
    sentence = f"There is no {words.color_noun(hand.rs)} {action.color!r}: name {names}."
    return Refusal("color-unknown", sentence)


def _challenge(hand: State, seat: int, action: Action) -> Refusal:
    if not hand.rs.challenge:
        sentence = "These rules have no challenge."
    else:
        sentence = "You can challenge only {a_wild_draw_four} that was just played against you."
    return Refusal("nothing-to-challenge", words.said(hand.rs, sentence))


def _pass(hand: State, seat: int, action: Action) -> Refusal:
    if hand.stage == DRAWN:
        name = words.kind_name(hand.rs, hand.drawn)
        return Refusal("must-play", f"The card just drawn fits: play {name}.")
    if hand.stage in (OWED, ACCUSE):
        return Refusal("pass-not-allowed", f"You cannot pass: {owed_sentence(hand)}")
    must = hand.masks[seat] & hand.fits and not hand.rs.renege
    todo = "play a card that fits" if must else "play a card, or draw"
    return Refusal("pass-not-allowed", f"You can pass only after a draw: {todo}.")


def _draw(hand: State, seat: int, action: Action) -> Refusal:
    if hand.stage == TURN:
        fitting = words.listed(_names(hand, hand.masks[seat] & hand.fits), "or")
        return Refusal("must-play", f"You must play, for you are able to: {fitting}.")
    if hand.stage == EMPTY:
        return Refusal("draw-not-allowed", "No card is left to draw: pass.")
    name = words.kind_name(hand.rs, hand.drawn)
    may_keep = hand.stage == KEEP or hand.rs.drawn_card == "may"
    todo = f"play {name}, or pass" if may_keep else f"play {name}"
    return Refusal("draw-not-allowed", f"You have drawn already: {todo}.")


def _names(hand: State, mask: int) -> list[str]:
    return [words.kind_name(hand.rs, kind) for kind in kinds_of(mask)]


def _play(hand: State, seat: int, action: Action) -> Refusal:
    if action.card not in hand.rs.pack.kinds:
        return Refusal("unknown-card", f"The deck has no {decks.find(action.card).name}.")
    kind = hand.rs.kind(action.card)
    name = words.kind_name(hand.rs, kind)
    if kind not in hand.tables.kinds:
        return Refusal("unknown-card", f"The deck has no {name}.")
    if kind not in hand.hands[seat]:
        return Refusal("card-not-held", f"You do not hold {name}.")
    if not BIT[kind] & hand.fits:
        return unplayable(hand, seat, kind)
    return _play_details(hand, seat, action, kind, name)


def unplayable(hand: State, seat: int, kind: int) -> Refusal:
    """Why a card that the seat holds may not be played now."""
    name = words.kind_name(hand.rs, kind)
    if hand.over:
        return Refusal("hand-over", "The hand is over.")
    if seat != hand.actor:
        return Refusal("not-your-turn", "It is not your turn.")
    if hand.stage == CHOICE:
        return Refusal("choose-first", f"First choose {_any_color(hand)}.")
    if hand.stage in (OWED, ACCUSE):
        return Refusal("penalty-owed", f"{name} is no answer: {owed_sentence(hand)}")
    if hand.stage in (DRAWN, KEEP):
        drawn = words.kind_name(hand.rs, hand.drawn)
        return Refusal("only-drawn-card", f"Only the card just drawn may be played now: {drawn}.")
    if hand.stage == EMPTY:
        return Refusal("only-drawn-card", "After a draw no other card may be played: pass.")
    return Refusal("does-not-fit", f"{name} does not fit: {words.either(fitting(hand))}.")


def fitting(hand: State) -> list[str]:
    """What fits on the top card, in words: ``["red", "a 7", "a wild"]``."""
    choices = []
    if hand.hue >= 0:
        choices.append(hand.rs.pack.color_names[hand.hue])
    top = hand.tables.cards[hand.discard[-1]]
    if top.color >= 0 and not BIT[hand.discard[-1]] & hand.tables.always:
        choices.append(top.one)
    return [*choices, *words.wilds(hand.rs)]


def owed_sentence(hand: State) -> str:
    """What a seat that owes cards can do, ending in a full stop."""
    todo = [f"draw the {words.count(hand.owed)} that you owe", *_answers(hand)]
    return f"{words.either(todo)}."


def _answers(hand: State) -> Iterator[str]:
    # What the rules would let anybody answer with, so that nothing is told of who holds what.
    cards = hand.tables.cards
    found = {cards[kind].role for kind in kinds_of(hand.fits)}
    for role in (roles.DRAW_TWO, roles.WILD_DRAW_FOUR, roles.SHIELD):
        if role in found:
            yield f"play {hand.rs.pack.one(role)}"
    if hand.stage == ACCUSE:
        yield "challenge"


def _play_details(hand: State, seat: int, action: Action, kind: int, name: str) -> Refusal:
    if not BIT[kind] & hand.tables.wildlike and action.color:
        return Refusal("color-not-wanted", f"{name} has its own {words.color_noun(hand.rs)}.")
    if action.color and action.color not in hand.rs.colors:
        return _unknown_color(hand, action)
    if BIT[kind] & hand.tables.wildlike and not action.color and len(hand.hands[seat]) > 1:
        return Refusal("color-needed", f"With {name}, name {_any_color(hand)}.")
    return _swap_details(hand, seat, action, kind, name)


def _swap_details(hand: State, seat: int, action: Action, kind: int, name: str) -> Refusal:
    if not BIT[kind] & hand.tables.swap_bit:
        return Refusal("seat-not-wanted", f"{name} swaps no hands: name no seat.")
    if action.seat < 0:
        return Refusal("seat-needed", f"With {name}, name the seat to swap hands with.")
    return Refusal("unknown-seat", f"You cannot swap hands with seat {action.seat}.")


_VERBS = {
    "play": _play,
    "draw": _draw,
    "pass": _pass,
    "choose": _choose,
    "challenge": _challenge,
}


def _call(hand: State, seat: int) -> Refusal:
    held = len(hand.hands[seat])
    if not hand.rs.uno_penalty:
        return Refusal("no-uno-call", "These rules have no UNO call.")
    if hand.said >> seat & 1:
        return Refusal("already-said", "You have said UNO already.")
    if held == 1:
        return Refusal("nothing-to-call", "Nobody can catch you now: there is nothing to say.")
    if held == 2 and hand.rs.uno_before_play:
        return Refusal("nothing-to-call", "Say UNO with two cards when you can play one of them.")
    if hand.rs.uno_before_play:
        sentence = "UNO is said with one card left, or with two before you play one."
    else:
        sentence = "UNO is said with one card left."
    return Refusal("not-one-card", sentence)


def _catch(hand: State, seat: int, of: int) -> Refusal:
    if not hand.rs.uno_penalty:
        return Refusal("no-uno-call", "These rules have no UNO call, so nobody can be caught.")
    if not 0 <= of < hand.seats:
        return Refusal("unknown-seat", f"There is no seat {of}: they are 0 to {hand.seats - 1}.")
    if of == seat:
        return Refusal("catch-self", "You cannot catch yourself: say UNO.")
    if hand.are_partners(seat, of) and not hand.rs.partner_catches:
        return Refusal("partner-catch", "You cannot catch your own partner.")
    if hand.uncalled >> of & 1:
        return Refusal("too-early", "Not so fast: leave a moment to say UNO.")
    return Refusal("nothing-to-catch", _why_safe(hand, of))


def _why_safe(hand: State, of: int) -> str:
    if len(hand.hands[of]) != 1:
        return "There is nothing to catch: that player does not have exactly one card."
    if hand.said >> of & 1:
        return "There is nothing to catch: that player has said UNO."
    return "There is nothing to catch: it is too late, or that player had no need to say UNO."
