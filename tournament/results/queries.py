"""Results of tables, from matches or manual entries. Only this module loads them.

Results are immutable values. The results that viewers know, or that were known at an earlier time,
are values of their own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from games import queries as games
from games.models import Match
from games.rules.ruleset import rulesets
from games.rules.scoring import place_last
from games.rules.totals import Bounds
from tournament.models import (
    Event,
    Registration,
    Result,
    Round,
    Sitting,
    Stage,
    Table,
)
from tournament.pure import ranking
from tournament.pure.qualifying import TableOrder, table_order
from tournament.pure.ranking import Holder, MatchResult, exclude_bots
from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze
from tournament.results.rows import Scope, load_entered, load_seats, set_matches


@dataclass(frozen=True)
class Viewpoint:
    """A point of view on results: the organizers' or the viewers'.

    Nothing after `freeze` counts. `match` returns the part of a round's match that may be known,
    or None if none may be.
    """

    freeze: Freeze
    match: Callable[[Match, Round], Match | None]


ORGANIZERS = Viewpoint(NOT_FROZEN, lambda match, _round: match)


def viewpoint(event: Event, *, public: bool) -> Viewpoint:
    """Return the viewers' viewpoint if `public`, otherwise the organizers', who see everything."""
    freeze, now = event.freeze, timezone.now()

    def find_known_match(match: Match, round_: Round) -> Match:
        is_complete = not freeze and round_.state == Round.State.CLOSED
        return match if is_complete else games.public_match(match, now)

    return Viewpoint(freeze, find_known_match) if public else ORGANIZERS


@dataclass(frozen=True)
class TableResult:
    """The result of a table.

    * `match`: the known part of the match. For the public, it may be less than `table.match`.
    * `source`: match, paper or correction.
    * `final`: whether the result is complete. Otherwise, it includes only finished hands.
    * `points`: by seat, or [] if unknown.
    * `winners`: seat numbers.
    * `left`: points left in hand by seat, or [] if unknown.
    * `places`: by seat, or [] if the points determine the places.
    * `out`: seat numbers of eliminated players.
    * `partners`: whether players opposite each other are partners, with equal points.
    * `waiting`: whether entered points wait for a second organizer.
    * `breakers`: tie-breaks for players with equal points at this table.
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

    @cached_property
    def players(self) -> tuple[Holder, ...]:
        """The holders of the seats: players and bots."""
        return tuple([seat.player for seat in self.seats])

    @property
    def people(self) -> list[int]:
        """The players who hold seats, without bots."""
        return exclude_bots(self.players)

    @property
    def abandoned(self) -> bool:
        """True if the match was abandoned."""
        return self.match is not None and self.match.ended == Match.MatchEnding.ABANDONED

    @property
    def open(self) -> bool:
        """True if the result may still change, whether or not a hand has been finished."""
        running = self.table.round.state == Round.State.RUNNING
        return running and not (self.final or self.abandoned)

    @property
    def gone(self) -> set[int]:
        """Numbers of the seats that have lost the match regardless of points.

        In a bracket, disqualified players never advance or win, whatever the event's rule.
        """
        lost = [seat for seat in self.seats if seat.forfeited or seat.out]
        if not lost:
            return set()
        stage = self.table.round.stage
        counts_as_forfeit = stage.event.disqualified == Event.Disqualified.LAST
        counts_as_forfeit = counts_as_forfeit or stage.format == Stage.Format.BRACKET
        return {seat.number for seat in lost if seat.forfeited or counts_as_forfeit}

    def apply_forfeits(self) -> "TableResult":
        """Return the result after applying forfeits by the event's rule.

        Forfeited seats share the last place.
        """
        forfeited = self.gone
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
        """The places by current points and tie-breaks, and what separated equal points."""
        people = [seat.registration for seat in self.seats if seat.registration]
        names = {person.pk: person.name for person in people}
        return table_order(self.as_counted(), names, self.breakers)

    def list_places(self) -> list[int]:
        """Return the place of each seat."""
        return [self.order.places[player] for player in self.players]

    def as_counted(self) -> MatchResult:
        """Convert the result to the form that the standings use."""
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
        """The current result in the form that the standings use, or None before any play."""
        return self.as_counted() if self.final or any(self.points) else None


def best(points: Sequence[int], *, low_wins: bool) -> list[int]:
    """Return the numbers of the seats with the best points."""
    best_points = (min if low_wins else max)(points)
    return [number for number, value in enumerate(points) if value == best_points]


def rules_of(event: Event) -> rulesets.RuleSet:
    """Return the event's rule set with its options."""
    return rulesets.make(event.ruleset, event.options)


def order_by_rules(event: Event, rules: rulesets.RuleSet) -> tuple[str, ...]:
    """Return the keys of the event's metrics under these rules, headline first."""
    breakers = event.tie_breakers or ranking.DEFAULT_TIE_BREAKERS
    return ranking.order_for(rules.scoring, breakers)


def breakers_at(stage: Stage, rules: rulesets.RuleSet) -> tuple[str, ...]:
    """Return the tie-breaks for equal points at the stage's tables.

    There are some only if the place at the table decides who advances. Otherwise, players with
    equal points share a place, as in the standings.
    """
    decides = stage.format == Stage.Format.BRACKET or stage.qualify_rule == Stage.Rule.TOP_K
    return order_by_rules(stage.event, rules)[1:] if decides else ()


def bounds_of(event: Event) -> Bounds:
    """Return the limits that may end the event's matches before the target."""
    return Bounds(event.hand_limit, timed=bool(event.round_minutes))


def event_of(part: Stage | Round) -> Event:
    return part.event if isinstance(part, Stage) else part.stage.event


def list_counted(results: Iterable[TableResult]) -> list[MatchResult]:
    """Return the final results in the form that the standings use."""
    return [result.as_counted() for result in results if result.final]


# Manual entries


def standing_result(entries: Iterable[Result]) -> Result | None:
    """Return the latest confirmed entry that was not undone, or None."""
    return _find_latest(entries, Result.State.CONFIRMED)


def waiting_result(entries: Iterable[Result]) -> Result | None:
    """Return the entry that waits for a second organizer, or None."""
    return _find_latest(entries, Result.State.ENTERED)


def _find_latest(entries: Iterable[Result], state: Result.State) -> Result | None:
    return max(
        (entry for entry in entries if entry.state == state),
        key=lambda entry: entry.pk,
        default=None,
    )


# Loading


def table_results(
    scope: Event | Stage | Round,
    people: Mapping[int, Registration] | None = None,
    *,
    public: bool = False,
    play: bool = True,
) -> list[TableResult]:
    """Return the results of all tables in the event, stage or round, by round and table.

    * `people`: all registrations of the event by id, if already loaded.
    * `public`: whether to include only what viewers may know now.
    * `play`: whether to load hands in progress. They are large, and not needed for points.
    """
    return results_in(rounds_of(scope), people, public=public, play=play)


def rounds_of(scope: Event | Stage | Round) -> list[Round]:
    """Return the rounds in order, with their stages and event."""
    path = {Event: "stage__event", Stage: "stage", Round: "pk"}[type(scope)]
    return _order_rounds(Round.objects.filter(**{path: scope.pk}))


def rounds_of_events(events: Sequence[int]) -> list[Round]:
    """Return the rounds of several events like `rounds_of`. Each event's rounds are in order."""
    return _order_rounds(Round.objects.filter(stage__event__in=events))


def _order_rounds(rounds: QuerySet[Round]) -> list[Round]:
    return list(rounds.select_related("stage__event").order_by("stage__number", "number"))


def results_in(
    rounds: Sequence[Round],
    people: Mapping[int, Registration] | None = None,
    *,
    public: bool = False,
    play: bool = True,
) -> list[TableResult]:
    """Return results like `table_results`, for rounds that are loaded with their event."""
    if not rounds:
        return []
    seen_from = viewpoint(rounds[0].stage.event, public=public)
    return load_results_from(rounds, people, seen_from, play=play)


def results_of(tables: QuerySet[Table], *, public: bool = False) -> list[TableResult]:
    """Return results like `table_results`, for some tables of one event."""
    rows = tables.select_related("round__stage__event")
    loaded = list(rows.order_by("round__stage__number", "round__number", "number"))
    if not loaded:
        return []
    seen_from = viewpoint(loaded[0].round.stage.event, public=public)
    return _load_results(
        loaded, {"pk__in": [table.pk for table in loaded]}, None, seen_from, play=True
    )


def result_of(table: Table, *, public: bool = False) -> TableResult:
    """Return the result of one table, which is loaded again."""
    [result] = results_of(Table.objects.filter(pk=table.pk), public=public)
    return result


def load_results_from(
    rounds: Sequence[Round],
    people: Mapping[int, Registration] | None,
    viewpoint: Viewpoint,
    *,
    play: bool = False,
) -> list[TableResult]:
    """Return the results of these rounds from a viewpoint.

    Unless it is the organizers' viewpoint, all rounds must be of one event.
    """
    order = {played.pk: number for number, played in enumerate(rounds)}
    tables = list(Table.objects.filter(round__in=rounds).order_by("number"))
    for table in tables:
        table.round = rounds[order[table.round_id]]
    tables.sort(key=lambda table: order[table.round_id])
    return _load_results(tables, {"round__in": rounds}, people, viewpoint, play=play)


def _load_results(
    tables: Sequence[Table],
    scope: Scope,
    people: Mapping[int, Registration] | None,
    viewpoint: Viewpoint,
    *,
    play: bool,
) -> list[TableResult]:
    if not tables:
        return []
    events = {table.round.stage.event_id: table.round.stage.event for table in tables}
    rules = {pk: rules_of(event) for pk, event in events.items()}
    set_matches(tables, scope, play=play)
    seats = load_seats(scope, people, viewpoint.freeze)
    entered, waiting_tables = load_entered(scope, viewpoint.freeze)
    results = []
    for table in tables:
        match = viewpoint.match(table.match, table.round) if table.match else None
        sheet = _Sheet(table, seats[table.pk], entered.get(table.pk), table.pk in waiting_tables)
        results.append(_build_result(sheet, match, rules[table.round.stage.event_id]))
    return results


class _Sheet(NamedTuple):
    """The recorded data of a table.

    `entered` are the entered points that count, or None. `waiting` is true if an entry waits for a
    second organizer.
    """

    table: Table
    seats: list[Sitting]
    entered: list[int] | None
    waiting: bool


def _build_result(sheet: _Sheet, match: Match | None, rules: rulesets.RuleSet) -> TableResult:
    """Build a table's result from entered points, or else from the known part of its match."""
    table, seats, entered, waiting = sheet
    low = rules.scoring != "winner-takes"
    result = TableResult(
        table,
        match,
        seats,
        low,
        source=("correction" if entered else "match") if match else "paper",
        final=entered is not None,
        points=entered or [],
        winners=best(entered, low_wins=low) if entered else [],
        partners=rules.partners,
        waiting=waiting,
        breakers=breakers_at(table.round.stage, rules),
    )
    if entered is not None:
        return result.apply_forfeits()
    if match is None or result.abandoned:
        # Until points are entered, those from before the switch to physical cards count.
        return replace(result, points=table.start) if table.paper else result
    return _build_played_result(result, games.score(match)).apply_forfeits()


def _build_played_result(result: TableResult, score: games.Score) -> TableResult:
    """Build a table's result from the score of its match."""
    return replace(
        result,
        final=score.over,
        points=list(score.totals),
        winners=list(score.winners) if score.over else [],
        left=list(score.left),
        places=list(score.places),
        out=list(score.out),
    )
