"""The result of every table: from its match, or what organizers entered instead."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from games import queries as games_queries
from games.models import Match
from games.queries import facts
from games.rules import rulesets
from tournament.models import Event, Result, Round, Stage, Table, TableSeat
from tournament.standings import MatchResult


@dataclass(frozen=True)
class Outcome:
    """What a table has come to. `points` and `left` run along the seats ([] when not known).

    `source`: match, paper or correction. `final`: it counts for good; else the finished hands of
    a match still being played (or nothing at all). `winners`: seat numbers. `places`: of the
    seats, [] where the points say them.
    """

    table: Table
    seats: list[TableSeat]
    points: list[int]
    winners: list[int]
    left: list[int]
    source: str
    final: bool
    low_wins: bool
    places: list[int] = field(default_factory=list)

    def counted(self) -> MatchResult:
        """The outcome as the standings take it; a bot's id is negative."""
        ids = tuple(s.registration_id or -s.pk for s in self.seats)
        return MatchResult(
            players=ids,
            points=tuple(self.points),
            winners=tuple(ids[number] for number in self.winners),
            left=tuple(self.left),
            low_wins=self.low_wins,
            places=tuple(self.places),
            table=self.table.number,
        )


def rules_of(event: Event) -> rulesets.RuleSet:
    """The event's rule set with its options."""
    return rulesets.make(event.ruleset, event.options)


def with_results(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Fetch with the tables all that `outcome` reads: a fixed number of queries."""
    with_seats = tables.select_related("round__stage__event").prefetch_related(
        Prefetch("seats", TableSeat.objects.select_related("registration")), "results"
    )
    return facts.with_scores(with_seats, "match")


def tables_of(where: Event | Stage | Round) -> QuerySet[Table]:
    """The tables of an event, a stage or a round with what their outcomes need."""
    path = {Event: "round__stage__event", Stage: "round__stage", Round: "round"}[type(where)]
    tables = Table.objects.filter(**{path: where})
    return with_results(tables.order_by("round__stage__number", "round__number", "number"))


def outcome(table: Table, rules: rulesets.RuleSet, *, public: bool = False) -> Outcome:
    """The table's result as it stands; `table` comes from `with_results`.

    `public`: as far as viewers of the table may know it by now.
    """
    if public and table.match and table.round.state != Round.State.CLOSED:
        table.match = games_queries.public_match(table.match, timezone.now())
    seats = list(table.seats.all())
    low = rules.scoring != "winner-takes"
    entered = standing_result(table)
    if entered:
        best = min(entered.points) if low else max(entered.points)
        winners = [n for n, points in enumerate(entered.points) if points == best]
        source = "correction" if table.match_id else "paper"
        return Outcome(table, seats, entered.points, winners, [], source, True, low)
    if table.match is None:
        return Outcome(table, seats, [], [], [], "paper", False, low)
    return _match_outcome(table, table.match, seats, low)


def _match_outcome(table: Table, match: Match, seats: list[TableSeat], low: bool) -> Outcome:
    if match.ended == Match.Ended.ABANDONED:
        return Outcome(table, seats, [], [], [], "match", False, low)
    result = games_queries.result(match)
    winners = list(result.winners) if result.over else []
    points, left, places = list(result.totals), list(result.left), list(result.places)
    return Outcome(table, seats, points, winners, left, "match", result.over, low, places)


def standing_result(table: Table) -> Result | None:
    """The latest confirmed entry of a table that has not been undone."""
    confirmed = [r for r in table.results.all() if r.state == Result.State.CONFIRMED]
    return max(confirmed, key=lambda r: r.pk, default=None)


def waiting_result(table: Table) -> Result | None:
    """The entry that waits for a second organizer."""
    entered = [r for r in table.results.all() if r.state == Result.State.ENTERED]
    return max(entered, key=lambda r: r.pk, default=None)


def outcomes(
    where: Event | Stage | Round, *, public: bool = False, play: bool = True
) -> list[Outcome]:
    """The outcomes of all tables there, in the order of rounds and tables; see `outcome`.

    Without `play` the hands being played, large and not needed for points, are not fetched.
    """
    event = where if isinstance(where, Event) else event_of(where)
    rules, tables = rules_of(event), tables_of(where)
    found = tables if play else facts.without_play(tables, "match")
    return [outcome(table, rules, public=public) for table in found]


def event_of(part: Stage | Round) -> Event:
    return part.event if isinstance(part, Stage) else part.stage.event


def counted(found: Iterable[Outcome], *, provisional: bool = False) -> list[MatchResult]:
    """Those that count; with `provisional` also matches that have a finished hand."""
    return [o.counted() for o in found if o.final or (provisional and any(o.points))]
