"""Conversion between actions and their integer codes."""

from __future__ import annotations

from games.rules.actions.actions import Action
from games.rules.actions.codes import (
    CALL,
    CATCH,
    CHALLENGE,
    CHOOSE,
    DRAW,
    PASS,
    play_code,
    play_parts,
)
from games.rules.hand.state import HandState

_VERB_CODES = {"draw": DRAW, "pass": PASS, "challenge": CHALLENGE, "call": CALL}
_VERB_ACTIONS = {code: Action(verb) for verb, code in _VERB_CODES.items()}
IMPOSSIBLE = -1


def decode(hand: HandState, code: int) -> Action:
    """Return the action for a code."""
    if code in _VERB_ACTIONS:
        return _VERB_ACTIONS[code]
    played = play_parts(code)
    if played is not None:
        kind, color, uno, swap = played
        letter = hand.rs.pack.color_letter(color)
        return Action.play(hand.tables.notation[kind], letter, uno=uno, seat=swap)
    if code >= CATCH:
        return Action("catch", seat=code - CATCH)
    return Action("choose", color=hand.rs.colors[code - CHOOSE])


def encode(hand: HandState, seat: int, action: Action) -> int:
    """Return the code for an action. If there is none, returns a code that is never legal."""
    if action.verb in _VERB_CODES:
        return _VERB_CODES[action.verb]
    if action.verb == "catch":
        return CATCH + action.seat if 0 <= action.seat < hand.seats else IMPOSSIBLE
    color = hand.rs.colors.find(action.color) if action.color else -1
    if action.color and color < 0:
        return IMPOSSIBLE
    if action.verb == "choose":
        return CHOOSE + color
    return _encode_play(hand, seat, action, color)


def _encode_play(hand: HandState, seat: int, action: Action, color: int) -> int:
    if action.card not in hand.rs.pack.kinds:
        return IMPOSSIBLE
    held = len(hand.hands[seat]) if 0 <= seat < hand.seats else 0
    # UNO has no effect if the play leaves more than one card, or if it was called before.
    uno = action.uno and held == 2 and hand.can_call_uno(seat)
    swap = action.seat if held > 1 else -1
    return play_code(hand.rs.kind(action.card), color, uno, swap)
