"""Results of tables, from matches or manual entries. Only this module loads them.

Results are immutable values. The results that viewers know and the results that were known at an
earlier time are separate values.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils import timezone

from games import queries as games
from games.models import Match
from games.rules.ruleset import rulesets
from games.rules.totals import Bounds
from tournament.models import (
    Event,
    Registration,
    Result,
    Round,
    Ruling,
    Sitting,
    Stage,
    Table,
)
from tournament.pure.ranking import MatchResult
from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze
from tournament.results.ranking import RankedTables, list_rulings_at, order_by_rules
from tournament.results.rows import Scope, load_entered, load_seats, set_matches
from tournament.results.table_result import TableResult


@dataclass(frozen=True)
class Viewpoint:
    """The part of the results that organizers or viewers can see.

    * `freeze`: the freeze that hides later results, or `NOT_FROZEN`.
    * `match`: a function that returns the visible part of a match in a round, or None if the
      whole match is hidden.
    """

    freeze: Freeze
    match: Callable[[Match, Round], Match | None]


ORGANIZERS = Viewpoint(NOT_FROZEN, lambda match, _round: match)


def viewpoint(event: Event, *, public: bool) -> Viewpoint:
    """Return the viewers' viewpoint if `public`, otherwise the organizers' complete one."""
    freeze, now = event.freeze, timezone.now()

    def find_known_match(match: Match, round_: Round) -> Match:
        is_complete = not freeze and round_.state == Round.State.CLOSED
        return match if is_complete else games.public_match(match, now)

    return Viewpoint(freeze, find_known_match) if public else ORGANIZERS


def find_best_seats(points: Sequence[int], *, low_wins: bool) -> list[int]:
    """Return the numbers of the seats with the best points."""
    best_points = (min if low_wins else max)(points)
    return [number for number, value in enumerate(points) if value == best_points]


def rules_of(event: Event) -> rulesets.RuleSet:
    """Return the event's rule set with its options."""
    return rulesets.make(event.ruleset, event.options)


def tie_breaks_at(stage: Stage, rules: rulesets.RuleSet) -> tuple[str, ...]:
    """Return the tie-breaks for equal points at the stage's tables.

    Returns () unless the place at the table decides who advances. Without tie-breaks, players with
    equal points share a place.
    """
    decides = stage.format == Stage.Format.BRACKET or stage.qualify_rule == Stage.Rule.TOP_K
    return order_by_rules(stage.event, rules)[1:] if decides else ()


def bounds_of(event: Event) -> Bounds:
    """Return the limits that may end the event's matches before the target."""
    return Bounds(event.hand_limit, timed=bool(event.round_minutes))


def event_of(stage_or_round: Stage | Round) -> Event:
    if isinstance(stage_or_round, Stage):
        return stage_or_round.event
    return stage_or_round.stage.event


def list_counted(results: Iterable[TableResult]) -> list[MatchResult]:
    """Return the final results in the form that the standings use."""
    return [result.as_counted() for result in results if result.final]


def find_counting_entry(entries: Iterable[Result]) -> Result | None:
    """Return the latest confirmed entry that was not undone, or None."""
    return _find_latest_entry(entries, Result.State.CONFIRMED)


def find_waiting_entry(entries: Iterable[Result]) -> Result | None:
    """Return the entry that waits for a second organizer, or None."""
    return _find_latest_entry(entries, Result.State.ENTERED)


def _find_latest_entry(entries: Iterable[Result], state: Result.State) -> Result | None:
    return max(
        (entry for entry in entries if entry.state == state),
        key=lambda entry: entry.pk,
        default=None,
    )


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
    * `play`: whether to load hands in progress. They are large, and points do not depend on them.
    """
    return results_in(rounds_of(scope), people, public=public, play=play)


def rounds_of(scope: Event | Stage | Round) -> list[Round]:
    """Return the rounds in order, with their stages and event."""
    path = {Event: "stage__event", Stage: "stage", Round: "pk"}[type(scope)]
    return _order_rounds(Round.objects.filter(**{path: scope.pk}))


def rounds_of_events(events: Sequence[int]) -> list[Round]:
    """Return the rounds of several events, in order within each event, like `rounds_of`."""
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
    """Return results like `table_results`, for rounds that were loaded with their event."""
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
    """Load the table again, and return its result."""
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

    The rounds may belong to several events only if the viewpoint is the organizers'.
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
    rank_loaders = _make_rank_loaders(tables, viewpoint)
    set_matches(tables, scope, play=play)
    seats = load_seats(scope, people, viewpoint.freeze)
    entered, waiting_tables = load_entered(scope, viewpoint.freeze)
    results = []
    for table in tables:
        match = viewpoint.match(table.match, table.round) if table.match else None
        sheet = _TableData(
            table, seats[table.pk], entered.get(table.pk), table.pk in waiting_tables
        )
        result = _build_result(sheet, match, rules[table.round.stage.event_id])
        if load_ranks := rank_loaders.get(table.round_id):
            result = replace(result, load_ranks=load_ranks)
        results.append(result)
    return results


def _make_rank_loaders(
    tables: Iterable[Table], viewpoint: Viewpoint
) -> dict[int, Callable[[], Mapping[int, int]]]:
    """Return, by round key, functions that load the ranks for separating tied players.

    Only rounds in which the top players of each table advance need one.
    """
    rounds = {table.round_id: table.round for table in tables}
    return {
        pk: cache(partial(_load_ranks, played, viewpoint))
        for pk, played in rounds.items()
        if played.stage.qualify_rule == Stage.Rule.TOP_K
        and played.stage.format == Stage.Format.ROUNDS
    }


def _load_ranks(round_: Round, viewpoint: Viewpoint) -> dict[int, int]:
    """Return the players' ranks in the stage up to this round, for the cut.

    No lots are drawn, because the stage's rule for ties applies first.
    """
    stage, until = round_.stage, viewpoint.freeze.at
    people = {each.pk: each for each in stage.event.registrations.order_by()}
    rounds = [each for each in rounds_of(stage) if each.number <= round_.number]
    tables = load_results_from(rounds, people, viewpoint)
    rulings = list_rulings_at(stage.event, Ruling.Kind.POINTS, until)
    ranked = RankedTables(stage.event, stage, tables, people, rulings, until)
    return {row.player: row.rank for row in ranked.rows(lots=False)}


class _TableData(NamedTuple):
    """The stored data of a table.

    `entered` contains the entered points that count, or is None. `waiting` is true if an entry
    waits for a second organizer.
    """

    table: Table
    seats: list[Sitting]
    entered: list[int] | None
    waiting: bool


def _build_result(sheet: _TableData, match: Match | None, rules: rulesets.RuleSet) -> TableResult:
    """Build a table's result from the entered points or, without any, from the known match."""
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
        winners=find_best_seats(entered, low_wins=low) if entered else [],
        partners=rules.partners,
        waiting=waiting,
        breakers=tie_breaks_at(table.round.stage, rules),
    )
    if entered is not None:
        return result.apply_forfeits()
    if match is None or result.is_abandoned:
        # Until points are entered, the points from before the switch to physical cards count.
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
