"""Changes that one commit writes."""

import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypedDict, Unpack

from games.json_values.deals import Deals
from games.json_values.race import Races
from games.json_values.seat_history import Sitters
from games.json_values.shapes import RulesJson, StoredOpening
from games.json_values.state import LiveState
from games.models import Hand, LoggedAction, Seat
from games.rules.hand.position import Position
from games.seats import SeatNumber
from games.store.rights import Rights
from games.store.snapshot import Snapshot


class MatchFields(TypedDict, total=False):
    """Columns of a match that a change writes."""

    phase: str
    goes_on: bool
    commentary: bool
    viewers_until: datetime | None
    ended: str
    ended_reason: str
    state: LiveState
    race: Races
    turn_until: datetime | None
    due: datetime | None
    paused_at: datetime | None
    started_at: datetime
    ended_at: datetime
    ends_at: datetime | None
    outage: int


class HandFields(TypedDict, total=False):
    """Columns of a hand that a change writes."""

    dealer: SeatNumber
    deals: Deals
    commitment: str
    deck: list[str]
    opening: StoredOpening
    points: list[int]
    left: list[int]
    winner: SeatNumber | None
    final: RulesJson | None
    void: bool
    void_reason: str
    dealt_at: datetime
    ended_at: datetime


class SeatFields(TypedDict, total=False):
    """Columns of a seat that a change writes."""

    extra_seconds: int
    user: Any
    guest: str
    name: str
    bot: str
    look: str
    seen_at: datetime | None
    here: str
    controller: str
    sitters: Sitters


@dataclass(slots=True)
class MatchChange:
    """Fields of the match, of hands and seats by number, and new rows that one commit writes."""

    old: Snapshot
    now: datetime
    position: Position | None
    match: MatchFields = field(default_factory=MatchFields)
    hands: dict[int, HandFields] = field(default_factory=dict)
    seats: dict[SeatNumber, SeatFields] = field(default_factory=dict)
    new_hands: list[Hand] = field(default_factory=list)
    action: LoggedAction | None = None
    notable: bool = False
    rights: Rights | None = None

    @classmethod
    def from_snapshots(cls, old: Snapshot, now: datetime) -> "MatchChange":
        return cls(old, now, old.position)

    @property
    def writes_parts(self) -> bool:
        """True if rows of hands or seats are written with the match."""
        return bool(self.hands or self.new_hands or self.seats)

    def hand_fields(self, hand: Hand, **fields: Unpack[HandFields]) -> None:
        self.hands.setdefault(hand.number, {}).update(fields)

    def seat(self, number: SeatNumber) -> Seat:
        """Return the seat as it will be."""
        fields = self.seats.get(number)
        if fields is None:
            return self.old.seats[number]
        seat = copy.copy(self.old.seats[number])
        for name, value in fields.items():
            setattr(seat, name, value)
        return seat

    @property
    def state(self) -> LiveState:
        """State of the hand in play that the match will keep."""
        return self.match.get("state", self.old.match.state)

    @state.setter
    def state(self, state: LiveState) -> None:
        self.match["state"] = state

    @property
    def turn_until(self) -> datetime | None:
        """When the seat to act will be acted for."""
        return self.match.get("turn_until", self.old.match.turn_until)
