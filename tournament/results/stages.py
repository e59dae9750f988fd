"""The results of a stage or a whole event, loaded once for all rules.

The rules make no queries, so a page that applies several rules loads the results only once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from django.db.models import QuerySet

from tournament.models import Event, Qualifier, Registration, Round, Ruling, Stage, Table
from tournament.results.queries import (
    ORGANIZERS,
    load_results_from,
    results_in,
    rounds_of,
    rounds_of_events,
    rules_of,
)
from tournament.results.ranking import (
    RankedTables,
    list_rulings_at,
    order_by_rules,
    select_rulings,
)
from tournament.results.table_result import TableResult

T = TypeVar("T")

State = Registration.State
# The registration columns that results need, and those that pages show with them.
REGISTRATION_COLUMNS = (
    *("event", "user", "name", "roll_number", "queue_number", "anonymous", "look"),
    *("state", "decided_at", "checked_in_at", "absent_at", "seen_at"),
)


class StageEntry(NamedTuple):
    """A player who has advanced to a stage. `active` is false after a withdrawal."""

    stage: int
    player: int
    active: bool


@dataclass(frozen=True)
class StageResults(RankedTables):
    """All tables of one stage, or of all stages if `stage` is None, in the order of the rounds.

    * `stages`: all stages of the event.
    * `entered`: the players who have advanced to each stage, in order of the stages.
    """

    stages: Sequence[Stage] = ()
    entered: Sequence[StageEntry] = ()

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds that are public now, in order."""
        by_id = {result.table.round_id: result.table.round for result in self.tables}
        return [played for played in by_id.values() if self._is_round_known(played)]

    def _is_round_known(self, round_: Round) -> bool:
        if round_.state == Round.State.DRAFT:
            return False
        began = round_.started_at
        return self.known_until is None or (began is not None and began <= self.known_until)

    def is_closed(self, round_: Round) -> bool:
        """Return whether the round is known to be closed."""
        if round_.state != Round.State.CLOSED:
            return False
        ended = round_.closed_at
        return self.known_until is None or (ended is not None and ended <= self.known_until)

    @cached_property
    def last_entered_stage(self) -> int:
        """The number of the last stage to which a player has advanced, or 0."""
        return max((each.stage for each in self.entered), default=0)

    def for_table(self, table: Table) -> TableResult:
        """Return the result of this table."""
        return next(result for result in self.tables if result.table.pk == table.pk)

    def for_stage(self, stage: Stage) -> "StageResults":
        """Return the results of a single stage."""
        tables = [result for result in self.tables if result.table.round.stage_id == stage.pk]
        return replace(self, stage=stage, tables=tables)


def stage_results(scope: Event | Stage, *, public: bool = False) -> StageResults:
    """Load the results of a stage or event in a fixed number of queries.

    `public`: as in `table_results`.
    """
    rounds = rounds_of(scope)
    if isinstance(scope, Event):
        return results_of_rounds(scope, rounds, public=public)
    results = results_of_rounds(scope.event, rounds, public=public)
    return replace(results, stage=scope)


def results_of_rounds(
    event: Event, rounds: Sequence[Round], *, public: bool = False, play: bool = False
) -> StageResults:
    """Return the results of an event, for rounds that are already loaded."""
    people = _index_registrations(event.registrations.all())
    tables = results_in(rounds, people, public=public, play=play)
    until = event.freeze.at if public else None
    rulings = list_rulings_at(event, Ruling.Kind.POINTS, until)
    stages: Sequence[Stage] = list({played.stage_id: played.stage for played in rounds}.values())
    entered: Sequence[StageEntry] = ()
    if not stages or any(map(_has_advanced_players, stages)):
        stages, entered = list(event.stages.all()), _list_stage_entries(event, public=public)
    return StageResults(event, None, tables, people, rulings, until, stages, entered)


def results_of_events(events: Sequence[Event]) -> list[StageResults]:
    """Return the complete results of several events, in a fixed number of queries."""
    keys = [event.pk for event in events]
    people = _index_registrations(Registration.objects.filter(event__in=keys))
    found = load_results_from(rounds_of_events(keys), people, ORGANIZERS)
    tables = _group_rows(found, lambda at: at.table.round.stage.event_id)
    registrations = _group_rows(people.values(), lambda one: one.event_id)
    given = Ruling.objects.filter(event__in=keys)
    rulings = _group_rows(select_rulings(given, Ruling.Kind.POINTS, None), lambda one: one.event_id)
    stages = _group_rows(Stage.objects.filter(event__in=keys), lambda one: one.event_id)
    entered = _group_stage_entries(Qualifier.objects.filter(stage__event__in=keys))
    return [
        StageResults(
            event,
            None,
            tables[event.pk],
            {row.pk: row for row in registrations[event.pk]},
            rulings[event.pk],
            stages=stages[event.pk],
            entered=entered[event.pk],
        )
        for event in events
    ]


def _group_rows(rows: Iterable[T], key: Callable[[T], int]) -> defaultdict[int, list[T]]:
    groups: defaultdict[int, list[T]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _index_registrations(registrations: QuerySet[Registration]) -> dict[int, Registration]:
    return {each.pk: each for each in registrations.order_by().only(*REGISTRATION_COLUMNS)}


def _has_advanced_players(stage: Stage) -> bool:
    """Return whether the event begins with this bracket, or players may have left this stage."""
    starts_as_bracket = stage.number == 1 and stage.format == Stage.Format.BRACKET
    return starts_as_bracket or stage.state == Stage.State.CLOSED


def _list_stage_entries(event: Event, *, public: bool) -> list[StageEntry]:
    qualifiers = Qualifier.objects.filter(stage__event=event)
    if public and event.freeze:
        qualifiers = qualifiers.filter(pk__in=event.freeze.qualifiers)
    return _group_stage_entries(qualifiers)[event.pk]


def _group_stage_entries(qualifiers: QuerySet[Qualifier]) -> defaultdict[int, list[StageEntry]]:
    """Return the players who have advanced to each stage, by event."""
    found: defaultdict[int, list[StageEntry]] = defaultdict(list)
    columns = ("stage__event", "stage__number", "registration", "active")
    for event, *entry in qualifiers.order_by("stage__number", "seed").values_list(*columns):
        found[event].append(StageEntry(*entry))
    return found


def list_metric_keys(event: Event) -> tuple[str, ...]:
    """Return the keys of the event's metrics, the most important metric first."""
    return order_by_rules(event, rules_of(event))
