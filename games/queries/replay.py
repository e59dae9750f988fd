"""A finished hand step by step, and as a record to keep.

Who may see all cards: everybody once the match is over, as nothing hidden is at stake any more.
"""

from typing import Any

from games.models import Action, Hand, Match
from games.queries.log import action_lines, opening_texts
from games.queries.tape import positions
from games.rules import cards, explain, record, rulesets, words
from games.rules.hand import Hand as Position

Step = dict[str, Any]


def is_open(hand: Hand) -> bool:
    """Whether replay and record of this hand may be shown."""
    return hand.match.phase == Match.Phase.OVER and hand.dealt_at is not None


def replay(hand: Hand) -> list[Step]:
    """All steps of a hand with all cards open. Only for a hand that `is_open`."""
    names = {seat.number: seat.name for seat in hand.match.seats.all()}
    playing = [names[number] for number in hand.players]
    steps: list[Step] = []
    for action, position in positions(hand):
        if action is None:
            texts = opening_texts(hand, names)
        else:
            texts = [line["text"] for line in action_lines(action, hand, playing)]
        steps.append({"step": len(steps), **_step(hand, action, position, playing), "texts": texts})
    return steps


def _step(hand: Hand, action: Action | None, position: Position, names: list[str]) -> Step:
    """One position: seats are those of the match, `cards` in the order of their arrival."""
    turn = position.turn
    return {
        "seat": hand.players[action.seat] if action else None,
        "auto": action.auto if action else "",
        "at": (action.at if action else hand.dealt_at).isoformat(),  # type: ignore[union-attr]
        "action": action.action if action else None,
        "cards": {str(seat): position.cards(player) for player, seat in enumerate(hand.players)},
        "turn": None if turn is None else hand.players[turn],
        "direction": position.direction,
        "color": position.color,
        "top": position.top,
        "discard": cards.notations(position.discard[-3:]),
        "discard_pile": len(position.discard),
        "draw_pile": len(position.draw),
        "penalty": {"cards": position.owed, "seat": hand.players[position.actor]}
        if position.owed
        else None,
        "said_uno": [
            seat for player, seat in enumerate(hand.players) if position.said >> player & 1
        ],
        "over": position.over,
        "could": _could(turn, position, names),
    }


def _could(turn: int | None, position: Position, names: list[str]) -> Step:
    """What the seat to act might play here: cards, and the same as a sentence."""
    if turn is None:
        return {"cards": [], "text": ""}
    playable = position.playable(turn)
    told = words.listed([explain.card_name(card) for card in playable], "or") or "no card"
    return {"cards": playable, "text": f"{names[turn]} could play {told} here."}


def hand_record(hand: Hand) -> dict[str, Any]:
    """The hand as "hand-record/1", with commitment and nonce. Only for a hand that `is_open`."""
    match = hand.match
    actions = list(hand.actions.order_by("number"))
    names = {seat.number: seat.name for seat in match.seats.all()}
    chance = [*hand.opening["chance"], *(drawn for action in actions for drawn in action.chance)]
    assert hand.dealt_at is not None
    return record.write(
        name=f"{match}, hand {hand.number}",
        rs=rulesets.make(match.ruleset, match.options),
        seats=len(hand.players),
        dealer=hand.players.index(hand.dealer),
        deck=hand.deck,
        actions=[
            {
                **action.action,
                "seat": action.seat,
                "at": round((action.at - hand.dealt_at).total_seconds(), 3),
            }
            for action in actions
        ],
        chance=chance,
        names=[names[number] for number in hand.players],
        nonce=hand.nonce,
        commitment=hand.commitment,
    )
