"""The result of a table as an immutable value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from games.models import Match
from games.rules.scoring import place_last
from tournament.models import Event, Round, Sitting, Stage, Table
from tournament.pure.qualifying import TableOrder, table_order
from tournament.pure.ranking import Holder, MatchResult, exclude_bots


@dataclass(frozen=True)
class TableResult:
    """The result of a table.

    * `match`: the known part of the match. For the public, it may be less than `table.match`.
    * `low_wins`: whether the fewest points win.
    * `source`: "match", "paper" or "correction".
    * `final`: whether the result is complete. Otherwise, it includes only finished hands.
    * `points`: the points by seat, or [] if they are not known.
    * `winners`: the seat numbers of the players with the best points. See `table_winners`.
    * `left`: the points left in hand by seat, or [] if they are not known.
    * `places`: the places by seat, or [] if the points determine them.
    * `out`: the seat numbers of eliminated players.
    * `partners`: whether players sitting opposite each other are partners with equal points.
    * `waiting`: whether entered points are waiting for a second organizer.
    * `breakers`: the tie-breaks that separate players with equal points at this table.
    * `load_ranks`: a function that returns the ranks for players who are tied even after these.
    """

    table: Table
    match: Match | None
    seats: list[Sitting]
    low_wins: bool
    source: str
    final: bool = False
    points: list[int] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    partners: bool = False
    waiting: bool = False
    breakers: tuple[str, ...] = ()
    load_ranks: Callable[[], Mapping[int, int]] = dict

    @cached_property
    def players(self) -> tuple[Holder, ...]:
        """The holder of each seat, by seat."""
        return tuple([seat.player for seat in self.seats])

    @property
    def people(self) -> list[int]:
        """The holders of the seats, except bots."""
        return exclude_bots(self.players)

    @property
    def is_abandoned(self) -> bool:
        """True if the match was abandoned before its end."""
        return self.match is not None and self.match.ended == Match.MatchEnding.ABANDONED

    @property
    def open(self) -> bool:
        """True while the result may still change, even before the first hand is over."""
        running = self.table.round.state == Round.State.RUNNING
        return running and not (self.final or self.is_abandoned)

    @property
    def lost_seats(self) -> set[int]:
        """The numbers of the seats that lose the match regardless of their points.

        In a bracket, a disqualified player always loses. At other tables, the event's rule decides.
        """
        lost = [seat for seat in self.seats if seat.forfeited or seat.out]
        if not lost:
            return set()
        stage = self.table.round.stage
        counts_as_forfeit = stage.event.disqualified == Event.Disqualified.LAST
        counts_as_forfeit = counts_as_forfeit or stage.format == Stage.Format.BRACKET
        return {seat.number for seat in lost if seat.forfeited or counts_as_forfeit}

    def apply_forfeits(self) -> "TableResult":
        """Return the result with forfeits applied according to the event's rule.

        Seats that have forfeited share the last place.
        """
        forfeited = self.lost_seats
        if not forfeited or not self.points:
            return self
        counted = self.as_counted()
        places = place_last([counted.place(player) for player in counted.players], forfeited)
        best = [
            number for number, place in enumerate(places) if place == 1 and number not in forfeited
        ]
        keeps_points = self.table.round.stage.event.forfeits == Event.Forfeits.KEPT
        worst = max(self.points) if self.low_wins else 0
        points = [
            worst if number in forfeited and not keeps_points else value
            for number, value in enumerate(self.points)
        ]
        return replace(self, points=points, places=places, winners=best if self.final else [])

    @cached_property
    def order(self) -> TableOrder:
        """The places by points and tie-breaks, with the tie-breaks that separated tied players."""
        people = [seat.registration for seat in self.seats if seat.registration]
        names = {person.pk: person.name for person in people}
        order = table_order(self.as_counted(), names, self.breakers)
        # Loading the ranks takes queries, so they are loaded only if players are tied.
        if any(len(group) > 1 for group in order.groups) and (ranks := self.load_ranks()):
            order = table_order(self.as_counted(), names, self.breakers, ranks)
        return order

    @property
    def table_winners(self) -> list[int]:
        """The seat numbers of the winners who are still in first place after the tie-breaks."""
        if len(self.winners) < 2:
            return self.winners
        places = self.order.places
        return [number for number in self.winners if places[self.players[number]] == 1]

    def list_places(self) -> list[int]:
        """Return the place of each seat."""
        return [self.order.places[player] for player in self.players]

    def as_counted(self) -> MatchResult:
        """Convert the result to the type used by the standings."""
        ids = self.players
        return MatchResult(
            players=ids,
            points=tuple(self.points),
            winners=tuple([ids[number] for number in self.winners]),
            left=tuple(self.left),
            low_wins=self.low_wins,
            places=tuple(self.places),
            table=self.table.number,
        )

    @cached_property
    def counts(self) -> MatchResult | None:
        """The current result for the standings, or None before any points were scored."""
        return self.as_counted() if self.final or any(self.points) else None
