"""Seat numbers, between a match and one of its hands.

A hand numbers its players from 0; a match keeps its seats when somebody is eliminated. Whatever
comes from the rules is numbered as the hand does, whatever clients see as the match does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from games.models import Hand
from games.protocol import actions
from games.protocol.events import Event
from games.rules.actions import Action, Malformed

# Keys of events whose value is a seat.
_SEATS = ("seat", "by", "of", "with", "winner")
# Keys of actions whose value is a seat.
_NAMED = ("catch", "with")


def action_in_hand(action: Action, hand: Hand) -> Action:
    """An action that names seats of the match, naming players of the hand; raises Malformed."""
    if action.seat < 0:
        return action
    if action.seat not in hand.players:
        raise Malformed(f"Seat {action.seat} does not play this hand.")
    return replace(action, seat=hand.players.index(action.seat))


def action_for(action: actions.Action, players: Sequence[int]) -> actions.Action:
    """An action that the rules offer to a player of the hand, naming seats of the match."""
    known: Mapping[str, Any] = action
    named = {key: players[known[key]] for key in _NAMED if key in known}
    return cast(actions.Action, {**known, **named}) if named else action


def event_for(
    event: Mapping[str, Any], players: Sequence[int], seats: int, seat: int | None
) -> Event:
    """An event as the client in this match seat may know it (None: a viewer)."""
    known = {key: value for key, value in event.items() if key != "private"}
    for key in _SEATS:
        if known.get(key) is not None:
            known[key] = players[known[key]]
    if "points" in known:
        known["points"] = by_seat(known["points"], players, seats)
    private = event.get("private", {})
    if seat in players and (mine := private.get(str(players.index(seat)))):
        known["private"] = _private(mine, players)
    return cast(Event, known)


def _private(part: Mapping[str, Any], players: Sequence[int]) -> dict[str, Any]:
    cards = part.get("cards")
    if isinstance(cards, Mapping):  # one of each other seat
        return {**part, "cards": renumbered(cards, players)}
    return dict(part)


def renumbered(by_player: Mapping[str, Any], players: Sequence[int]) -> dict[str, Any]:
    """A JSON object keyed by players of the hand, keyed by seats of the match."""
    return {str(players[int(player)]): value for player, value in by_player.items()}


def by_seat(by_player: Sequence[int], players: Sequence[int], seats: int) -> list[int]:
    """Numbers along the players of the hand, along the seats of the match; 0 for the others."""
    numbers = dict(zip(players, by_player, strict=True))
    return [numbers.get(seat, 0) for seat in range(seats)]
