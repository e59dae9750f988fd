"""Unsaved matches, seats and hands, for tests of code that only reads them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from games.json_values.state import LiveState
from games.models import Hand, LoggedAction, Match, Seat
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.seats import PlayerIndex, SeatNumber
from games.store import Snapshot

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NAMES = ["Asha", "Ben", "Chen", "Dina"]


def seconds_after_noon(seconds: float) -> datetime:
    """Return the time `seconds` after noon."""
    return NOON + timedelta(seconds=seconds)


def make_unsaved_seat(number: int, name: str = "", **fields: Any) -> Seat:
    """Return a human player's seat. `fields` override its default values.

    The account's id is the seat's number plus 100.
    """
    person = {} if fields.get("bot") or fields.get("guest") else {"user_id": 100 + number}
    name = name or NAMES[number]
    return Seat(pk=number + 1, number=SeatNumber(number), name=name, **person | fields)


def make_unsaved_hand(number: int = 1, players: Sequence[int] = (0, 1), **fields: Any) -> Hand:
    """Return a hand that its last player dealt at noon, with a Red 5 turned up."""
    dealt = {"dealer": players[-1], "dealt_at": NOON, "commitment": f"c{number}"}
    opening = {"opening": {"events": [{"event": "opening", "card": "R5"}], "chance": []}}
    return Hand(pk=number, number=number, players=list(players), **dealt | opening | fields)


def make_ended_hand(
    number: int, points: Sequence[int] | None, winner: int | None, **fields: Any
) -> Hand:
    """Return a finished hand with these points in seat order."""
    players = fields.pop("players", range(len(points or NAMES[:2])))
    over = {"points": points, "winner": winner, "ended_at": seconds_after_noon(60 * number)}
    return make_unsaved_hand(number, players, **over | fields)


def make_committed_hand(number: int, players: Sequence[int] = (0, 1), **fields: Any) -> Hand:
    """Return a hand that has a commitment but has not been dealt."""
    return make_unsaved_hand(number, players, **{"dealt_at": None, "opening": {}} | fields)


def make_unsaved_match(**fields: Any) -> Match:
    """Return a match with prefetched `hands` and `seats`, which `fields` may contain."""
    fetched = {name: fields.pop(name, ()) for name in ("hands", "seats")}
    made = Match(**{"pk": 1, "public_id": "abc", "ruleset": "uno-400"} | fields)
    made.__dict__["_prefetched_objects_cache"] = fetched
    return made


def make_unsaved_snapshot(
    hands: Sequence[Hand] = (),
    *,
    seats: Sequence[Seat] = (),
    position: Position | None = None,
    actions: Sequence[LoggedAction] = (),
    **fields: Any,
) -> Snapshot:
    """Build an unsaved snapshot of a match, with two human players unless `seats` is given."""
    seats = tuple(seats) or (make_unsaved_seat(0), make_unsaved_seat(1))
    phase = Match.Phase.PLAYING if position is not None and not position.over else "between"
    known = make_unsaved_match(hands=hands, seats=seats, **{"phase": phase, "version": 7} | fields)
    rules = position.rs if position else rulesets.make(known.ruleset, known.options)
    return Snapshot(known, rules, seats, tuple(hands), position, tuple(actions))


def make_playing_snapshot(position: Position, **fields: Any) -> Snapshot:
    """Return a snapshot in which all seats are playing the first hand."""
    seats = [make_unsaved_seat(number) for number in range(position.seats)]
    state = LiveState(turn_seat=SeatNumber(position.turn or 0), dealt=1)
    hands = fields.pop("hands", [make_unsaved_hand(1, range(position.seats))])
    known: dict[str, Any] = {"seats": seats, "position": position, "state": state}
    return make_unsaved_snapshot(hands, **known | fields)


def make_logged_action(
    number: int, player: int, action: Any, *events: Any, **fields: Any
) -> LoggedAction:
    """Return a logged action, carried out `number` seconds after noon."""
    found: list[Event] = list(events)
    known = {"version": number + 1, "at": seconds_after_noon(number), "events": found}
    return LoggedAction(number=number, player=PlayerIndex(player), action=action, **known | fields)
