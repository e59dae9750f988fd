"""The results of a stage or of a whole event, fetched once; what is decided by them asks no more.

A page that weighs several rules, or what a correction would change, fetches one of these and hands
it on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import TypeVar

from django.db.models import Case, Q, When

from tournament import standings as pure
from tournament.models import Entrant, Event, Person, Registration, Round, Ruling, Stage, Table
from tournament.queries.adjustments import adjustments
from tournament.queries.outcomes import Outcome, outcome_of, outcomes
from tournament.queries.results import (
    TableResult,
    results_in,
    rounds_of,
    rules_of,
    table_results,
    take_back_since,
)

State = Registration.State
Known = TypeVar("Known", Registration, Entrant)
# Lots only where the organizer asks for them: until then equal is equal.
DEFAULT_TIE_BREAKERS = tuple(key for key in pure.TIE_BREAKERS if key != "lots")


@dataclass(frozen=True)
class Tally:
    """What counts in the standings of one stage, or of all stages without `stage`.

    `registrations`: all of the event by id, whatever their state. `rulings`: the event's that take
    points off.
    """

    event: Event
    stage: Stage | None
    outcomes: Sequence[Outcome]
    registrations: Mapping[int, Person]
    rulings: Sequence[Ruling] = ()

    @cached_property
    def people(self) -> dict[int, Person]:
        """Who has a place, and who has sat at a table whatever became of the place since.

        Of a later stage those who have sat there: the others are out.
        """
        seated = set(chain.from_iterable(each.players for each in self.outcomes))
        later = self.stage is not None and self.stage.number > 1
        rows = self.registrations.items()
        return {
            pk: one
            for pk, one in rows
            if pk in seated or (not later and one.state == State.APPROVED)
        }

    def rows(self, *, provisional: bool = False, lots: bool = True) -> list[pure.Row]:
        """The standings; `provisional`: with matches that have a finished hand. No `lots`: none
        are drawn."""
        names = {pk: registration.name for pk, registration in self.people.items()}
        counting = [each.counts for each in self.outcomes if each.final or provisional]
        gone = {pk for pk, one in self.people.items() if one.state == State.DISQUALIFIED}
        return pure.standings(
            names,
            [match for match in counting if match],
            order_of(self.event),
            lots_key=self.event.lots_key if lots else "",
            adjustments=adjustments(self.event, self.outcomes, self._own_rulings(), self.people),
            out=gone,
        )

    def _own_rulings(self) -> list[Ruling]:
        """Those that count here; without a stage all of them do."""
        here = {self.stage.pk} if self.stage else {each.stage_id for each in self.rulings}
        return [each for each in self.rulings if each.stage_id in here]


@dataclass(frozen=True)
class StageResults:
    """All tables of one stage, or of all stages without `stage`, in the order of the rounds; the
    rest as in the `Tally` of them."""

    event: Event
    stage: Stage | None
    tables: Sequence[TableResult]
    registrations: Mapping[int, Registration]
    rulings: Sequence[Ruling] = ()

    @cached_property
    def tally(self) -> Tally:
        """What counts of them."""
        outcomes = [outcome_of(at) for at in self.tables]
        return Tally(self.event, self.stage, outcomes, self.registrations, self.rulings)

    @cached_property
    def people(self) -> dict[int, Registration]:
        """As the tally has them."""
        return {pk: self.registrations[pk] for pk in self.tally.people}

    def rows(self, *, provisional: bool = False, lots: bool = True) -> list[pure.Row]:
        """The standings by these tables, as the tally has them."""
        return self.tally.rows(provisional=provisional, lots=lots)

    def of(self, table: Table) -> TableResult:
        """The result of one of the tables."""
        return next(at for at in self.tables if at.table.pk == table.pk)

    def within(self, stage: Stage) -> "StageResults":
        """Those of one stage alone."""
        tables = [at for at in self.tables if at.table.round.stage_id == stage.pk]
        return replace(self, stage=stage, tables=tables)

    def supposing(self, table: Table, points: Sequence[int]) -> "StageResults":
        """The results if these points of the table counted."""
        tables = [at.with_points(points) if at.table.pk == table.pk else at for at in self.tables]
        return replace(self, tables=tables)


def stage_results(
    where: Event | Stage, *, public: bool = False, play: bool = False
) -> StageResults:
    """Fetch them, in a fixed number of queries; `public` and `play` as for `table_results`."""
    event, stage = _parts(where)
    people, rulings = _people(event, public=public), _points_off(event, public=public)
    tables = table_results(where, people, public=public, play=play)
    return StageResults(event, stage, tables, people, rulings)


def tally(where: Event | Stage, *, public: bool = False) -> Tally:
    """What counts of them alone, which a board of thousands asks for: in a fixed number of queries,
    and a third of the time."""
    event, stage = _parts(where)
    people = _known(event, _entrants(event), public=public)
    found = outcomes(rounds_of(where), people, public=public)
    return Tally(event, stage, found, people, _points_off(event, public=public))


def _entrants(event: Event) -> list[Entrant]:
    """Nothing of an event is decided by when it let somebody in: to read that of thousands takes as
    long as all the rest."""
    out = When(state=Registration.State.DISQUALIFIED, then="decided_at")
    *columns, decided_at = Entrant.__slots__
    assert decided_at == "decided_at"
    people = Registration.objects.filter(event=event).order_by()
    return [Entrant(*row) for row in people.values_list(*columns, Case(out))]


def _parts(where: Event | Stage) -> tuple[Event, Stage | None]:
    return (where, None) if isinstance(where, Event) else (where.event, where)


def shown_with_play(event: Event, rounds: Sequence[Round]) -> StageResults:
    """The same of an event whose rounds are known, as far as viewers may know it, with the hands
    being played."""
    people = _people(event, public=True)
    tables = results_in(rounds, people, public=True)
    return StageResults(event, None, tables, people, _points_off(event, public=True))


def _people(event: Event, *, public: bool) -> dict[int, Registration]:
    return _known(event, event.registrations.order_by(), public=public)


def _known(event: Event, people: Iterable[Known], *, public: bool) -> dict[int, Known]:
    """By key, as far as they may be known."""
    found = {each.pk: each for each in people}
    if public and event.freeze.at:
        for person in found.values():
            take_back_since(person, event.freeze.at)
    return found


def _points_off(event: Event, *, public: bool) -> list[Ruling]:
    """Those that stand, or stood at a moment after which nothing is told."""
    return rulings_at(event, Ruling.Kind.POINTS, event.freeze.at if public else None)


def rulings_at(event: Event, kind: Ruling.Kind, moment: datetime | None) -> list[Ruling]:
    """Those that stood at that moment, or stand now."""
    rulings = event.rulings.filter(kind=kind)
    if moment is None:
        return list(rulings.filter(cancelled_at__isnull=True))
    standing = Q(cancelled_at__isnull=True) | Q(cancelled_at__gt=moment)
    return list(rulings.filter(standing, given_at__lte=moment))


def order_of(event: Event) -> tuple[str, ...]:
    """The keys of the event's metrics, the headline first."""
    breakers = event.tie_breakers or DEFAULT_TIE_BREAKERS
    return pure.order_for(rules_of(event).scoring, breakers)
