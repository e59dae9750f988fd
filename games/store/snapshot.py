"""A match at one version, and the change that leads to the next version."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypedDict, Unpack

import orjson

from games.json_values.deals import Deals
from games.json_values.race import Races
from games.json_values.seat_history import Sitters
from games.json_values.shapes import RulesJson, StoredOpening
from games.json_values.state import LiveState
from games.models import Hand, LoggedAction, Match, Seat
from games.process import process_cache
from games.protocol.faces import Person
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words.words import isolate
from games.seats import SeatNumber
from games.store import statements
from games.store.statements import Rights

# Columns needed only for a deal, a record or a proof. They are loaded on demand.
HEAVY = ("deck", "final")
# Number of cached rule sets. Matches with the same rules share one.
RULES = 64


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Match at one version, with everything that views and rules need.

    Threads share snapshots, so a snapshot is never changed.

    * `hands`: all hands in order, including void ones and one that is prepared but not dealt.
    * `hand`: the last hand dealt.
    * `position`: the position of `hand`, even after its end. The match's `state` omits it.
    * `actions`: the actions of `hand`.
    * `made_here`: true if this process made the last change.
    * `said`: the players' names by seat, as used in sentences.
    * `has_earlier_players`: true if any seat has had another player before.
    """

    match: Match
    rules: RuleSet
    seats: tuple[Seat, ...]
    hands: tuple[Hand, ...]
    position: Position | None
    actions: tuple[LoggedAction, ...]
    made_here: bool = False
    hand: Hand | None = field(init=False)
    said: list[str] = field(init=False)
    has_earlier_players: bool = field(init=False)

    def __post_init__(self) -> None:
        dealt = (hand for hand in reversed(self.hands) if hand.dealt_at)
        # Computed only once, because each action reads these attributes sixty times.
        object.__setattr__(self, "hand", next(dealt, None))
        object.__setattr__(self, "said", [seat.said for seat in self.seats])
        object.__setattr__(self, "has_earlier_players", any(seat.sitters for seat in self.seats))

    @property
    def version(self) -> int:
        return self.match.version

    @property
    def in_play(self) -> tuple[Hand, Position]:
        """The hand in play and its position. Available only while there is one."""
        hand, position = self.hand, self.position
        assert hand is not None
        assert position is not None
        return hand, position

    @property
    def prepared(self) -> Hand | None:
        """The next hand, with its commitment but without cards, or None."""
        return next((hand for hand in self.hands if hand.dealt_at is None), None)

    @property
    def finished(self) -> list[Hand]:
        """The finished hands that count, in order."""
        return [hand for hand in self.hands if hand.points is not None and not hand.void]

    def people(self, hand: Hand | None = None) -> list[Person]:
        """Return the people at the seats, for showing their names and faces.

        Their names are those at the deal of `hand`, or the current ones if `hand` is None.
        """
        names = [seat.player_name(hand.number, 0) if hand else seat.name for seat in self.seats]
        accounts = [(seat.user_id, seat.look) for seat in self.seats]
        return [Person(name, *account) for name, account in zip(names, accounts, strict=True)]

    def names(self, hand: Hand, after: int | None = None) -> list[str]:
        """Return the players' names in the order of the hand.

        They are the names at the time when `after` actions had been played, or the current ones if
        `after` is None.
        """
        if after is None or not self.has_earlier_players:
            return [self.said[seat] for seat in hand.players]
        players = [self.seats[seat] for seat in hand.players]
        return [isolate(seat.player_name(hand.number, after)) for seat in players]


def load(match_id: int) -> Snapshot:
    """Load the match from the database, with all parts at the same version."""
    while True:
        snapshot = _load_parts(Match.objects.get(pk=match_id))
        if Match.objects.filter(pk=match_id, version=snapshot.version).exists():
            return snapshot


def reload(cached: Snapshot) -> Snapshot | None:
    """Return the current match, by loading only the changes since `cached` with one query.

    The cost does not depend on the length of the log. Returns None if hands or seats of the match
    have changed, so that the whole match has to be loaded.
    """
    hand = cached.hand
    answer = statements.read_changes(cached.match, hand.pk if hand else None, len(cached.actions))
    if answer is None:
        return None
    match, new = answer
    match.options = cached.match.options
    return Snapshot(
        match=match,
        rules=cached.rules,
        seats=cached.seats,
        hands=cached.hands,
        position=_take_position(match, cached.rules),
        actions=(*cached.actions, *new),
    )


def _load_parts(match: Match) -> Snapshot:
    rules, match.options = _load_rule_set(match.ruleset, orjson.dumps(match.options))
    hands = tuple(match.hands.defer(*HEAVY).order_by("number"))
    dealt = [hand for hand in hands if hand.dealt_at]
    return Snapshot(
        match=match,
        rules=rules,
        seats=tuple(match.seats.order_by("number")),
        hands=hands,
        position=_take_position(match, rules),
        actions=tuple(dealt[-1].actions.order_by("number")) if dealt else (),
    )


@process_cache(RULES)
def _load_rule_set(ruleset: str, options: bytes) -> tuple[RuleSet, Mapping[str, object]]:
    """Return a rule set and its options, shared by all matches that use them."""
    read = orjson.loads(options)
    return rulesets.make(ruleset, read), read


def _take_position(match: Match, rules: RuleSet) -> Position | None:
    """Remove the position from the match's state, and return it."""
    position, match.state = match.state.position, replace(match.state, position=None)
    return None if position is None else Position.from_json(rules, position)


class MatchFields(TypedDict, total=False):
    """Columns of a match that a change may write."""

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
    """Columns of a hand that a change may write."""

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
    """Columns of a seat that a change may write."""

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
    """Changes to be written by one commit, from one version of a match to the next.

    `hands` and `seats` are keyed by number. `notable` is true if the topic of the match's event has
    to be poked as well.
    """

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
        """True if the change writes rows of hands or seats."""
        return bool(self.hands or self.new_hands or self.seats)

    def update_hand(self, hand: Hand, **fields: Unpack[HandFields]) -> None:
        self.hands.setdefault(hand.number, {}).update(fields)

    def seat(self, number: SeatNumber) -> Seat:
        """Return the seat as it will be after the change."""
        fields = self.seats.get(number)
        if fields is None:
            return self.old.seats[number]
        seat = copy.copy(self.old.seats[number])
        for name, value in fields.items():
            setattr(seat, name, value)
        return seat

    @property
    def state(self) -> LiveState:
        """State of the hand in play, as it will be after the change."""
        return self.match.get("state", self.old.match.state)

    @state.setter
    def state(self, state: LiveState) -> None:
        self.match["state"] = state

    @property
    def turn_until(self) -> datetime | None:
        """Time at which the table acts for the seat whose turn it is, after the change."""
        return self.match.get("turn_until", self.old.match.turn_until)
