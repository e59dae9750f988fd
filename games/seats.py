"""Conversion between seats of a match and players of a hand.

A hand numbers its players from 0. A match keeps its seat numbers when a player is eliminated. The
rules use player numbers, and clients see only seat numbers. Only this module converts between the
two. `players` lists the seats that were dealt in, in the order of the hand (`Hand.players`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NewType, TypeVar, cast

from games.protocol.events import Event
from games.rules.actions.actions import Action, InvalidActionError
from games.rules.actions.moves import Move, is_catch, is_play
from games.rules.hand import events
from games.rules.hand.events import CardBySeat, Cards
from games.rules.text import _

# Number of a seat in its match, counted from 0.
SeatNumber = NewType("SeatNumber", int)
# Number of a player in a hand, counted from 0.
PlayerIndex = NewType("PlayerIndex", int)

Players = Sequence[SeatNumber]
# Holder of a seat: the key of an account or a guest (games.guests).
Holder = int | str
Value = TypeVar("Value")

# Keys of an event that refer to a player of the hand.
_PLAYER_KEYS = ("seat", "by", "of", "with", "winner")


def seat_of(players: Players, player: PlayerIndex) -> SeatNumber:
    """Return the seat of this player of the hand."""
    return players[player]


def player_at(players: Players, seat: SeatNumber | None) -> PlayerIndex | None:
    """Return the player of the hand at this seat, or None if the seat was not dealt in.

    Also returns None for a viewer, who has no seat.
    """
    return PlayerIndex(players.index(seat)) if seat in players else None


def enumerate_players(players: Players) -> Iterator[tuple[PlayerIndex, SeatNumber]]:
    """Yield each player of the hand together with their seat."""
    return ((PlayerIndex(index), seat) for index, seat in enumerate(players))


def action_in_hand(action: Action, players: Players) -> Action:
    """Convert the seats in an action to players of the hand.

    Raises InvalidActionError if a seat was not dealt in.
    """
    if action.seat < 0:
        return action
    player = player_at(players, SeatNumber(action.seat))
    if player is None:
        raise InvalidActionError(_("Seat {seat} isn’t part of this hand.").format(seat=action.seat))
    return replace(action, seat=player)


def action_for(action: Move, players: Players) -> Move:
    """Convert the players in an action offered by the rules to seats of the match."""
    if is_play(action) and "with" in action:
        return {**action, "with": players[action["with"]]}
    if is_catch(action):
        return {"catch": players[action["catch"]]}
    return action


def event_for(event: events.Event, players: Players, seats: int, seat: SeatNumber | None) -> Event:
    """Return an event as this seat may see it. `seat` is None for a viewer."""
    public: dict[str, object] = {**event}
    public.pop("private", None)
    for key in _PLAYER_KEYS:
        if isinstance(player_index := public.get(key), int):
            public[key] = players[player_index]
    if event["event"] == "over":
        public["points"] = spread_over_seats(event["points"], players, seats)
    player = player_at(players, seat)
    if player is not None and (private := _select_private_part(event, players, str(player))):
        public["private"] = private
    return cast(Event, public)


def _select_private_part(
    event: events.Event, players: Players, player: str
) -> Cards | CardBySeat | None:
    """Return the part of an event that only this player may see, or None."""
    if event["event"] == "revealed":
        shown = event["private"].get(player)
        return {"cards": renumber(shown["cards"], players)} if shown else None
    if event["event"] == "drew" or event["event"] == "challenged":
        return event["private"].get(player)
    return None


def renumber(by_player: Mapping[str, Value], players: Players) -> dict[str, Value]:
    """Convert a JSON object keyed by players of the hand to one keyed by seats of the match."""
    return {str(players[int(player)]): value for player, value in by_player.items()}


def spread_over_seats(by_player: Sequence[int], players: Players, seats: int) -> list[int]:
    """Return one number per seat of the match, with 0 for seats that were not dealt in."""
    numbers = dict(zip(players, by_player, strict=True))
    return [numbers.get(SeatNumber(seat), 0) for seat in range(seats)]
