"""The one door between seats of a match and players of one of its hands.

A hand numbers its players from 0; a match keeps its seats when somebody is eliminated. Whatever
comes from the rules is numbered as the hand does, whatever clients see as the match does.
`players` are the seats dealt in, in the order of the hand (`Hand.players`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NewType, cast

from games.protocol import actions
from games.protocol.events import Event
from games.rules.actions import Action, Malformed
from games.rules.text import _

# A place in the match, from 0.
SeatNumber = NewType("SeatNumber", int)
# A place in a hand, from 0.
PlayerIndex = NewType("PlayerIndex", int)

Players = Sequence[SeatNumber]

# Keys of events whose value is a seat.
_SEATS = ("seat", "by", "of", "with", "winner")
# Keys of actions whose value is a seat.
_NAMED = ("catch", "with")


def seat_of(players: Players, player: PlayerIndex) -> SeatNumber:
    """Where this player of the hand sits."""
    return players[player]


def player_at(players: Players, seat: SeatNumber | None) -> PlayerIndex | None:
    """Which player of the hand sits there; None for a viewer and for who does not play it."""
    return PlayerIndex(players.index(seat)) if seat in players else None


def numbered(players: Players) -> Iterator[tuple[PlayerIndex, SeatNumber]]:
    """Each player of the hand with the seat."""
    return ((PlayerIndex(index), seat) for index, seat in enumerate(players))


def action_in_hand(action: Action, players: Players) -> Action:
    """An action that names seats of the match, naming players of the hand; raises Malformed."""
    if action.seat < 0:
        return action
    player = player_at(players, SeatNumber(action.seat))
    if player is None:
        raise Malformed(_("Seat {seat} does not play this hand.").format(seat=action.seat))
    return replace(action, seat=player)


def action_for(action: actions.Action, players: Players) -> actions.Action:
    """An action that the rules offer to a player of the hand, naming seats of the match."""
    known: Mapping[str, Any] = action
    named = {key: players[known[key]] for key in _NAMED if key in known}
    return cast(actions.Action, {**known, **named}) if named else action


def event_for(
    event: Mapping[str, Any], players: Players, seats: int, seat: SeatNumber | None
) -> Event:
    """An event as the client in this match seat may know it (None: a viewer)."""
    known = {key: value for key, value in event.items() if key != "private"}
    for key in _SEATS:
        if known.get(key) is not None:
            known[key] = players[known[key]]
    if "points" in known:
        known["points"] = by_seat(known["points"], players, seats)
    private = event.get("private", {})
    player = player_at(players, seat)
    if player is not None and (mine := private.get(str(player))):
        known["private"] = _private(mine, players)
    return cast(Event, known)


def _private(part: Mapping[str, Any], players: Players) -> dict[str, Any]:
    cards = part.get("cards")
    if isinstance(cards, Mapping):  # one of each other seat
        return {**part, "cards": renumbered(cards, players)}
    return dict(part)


def renumbered(by_player: Mapping[str, Any], players: Players) -> dict[str, Any]:
    """A JSON object keyed by players of the hand, keyed by seats of the match."""
    return {str(players[int(player)]): value for player, value in by_player.items()}


def by_seat(by_player: Sequence[int], players: Players, seats: int) -> list[int]:
    """Numbers along the players of the hand, along the seats of the match; 0 for the others."""
    numbers = dict(zip(players, by_player, strict=True))
    return [numbers.get(SeatNumber(seat), 0) for seat in range(seats)]
