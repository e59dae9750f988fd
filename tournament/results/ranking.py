"""Standings computed from loaded tables, for one stage or for a whole event."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain

from django.db.models import Q, QuerySet

from games.rules.ruleset import rulesets
from tournament.models import Event, Registration, Ruling, Stage
from tournament.pure import ranking as pure
from tournament.results.adjustments import adjustments, counts_byes
from tournament.results.table_result import TableResult

State = Registration.State


@dataclass(frozen=True)
class RankedTables:
    """Tables of one stage, or of all stages if `stage` is None, with their standings.

    * `registrations`: all registrations of the event by id, in any state.
    * `rulings`: the event's point deductions.
    * `known_until`: later decisions are ignored. None means that everything is known.
    """

    event: Event
    stage: Stage | None
    tables: Sequence[TableResult]
    registrations: Mapping[int, Registration]
    rulings: Sequence[Ruling] = ()
    known_until: datetime | None = None

    @cached_property
    def states(self) -> dict[int, str]:
        """The known state of each registration, by id."""
        return {
            pk: registration.state_at(self.known_until)
            for pk, registration in self.registrations.items()
        }

    @cached_property
    def people(self) -> dict[int, Registration]:
        """Players with a spot, and players who have had a seat.

        For a later stage, these are only players who have had a seat or a bye in it, because all
        others are eliminated.
        """
        seated = set(chain.from_iterable(result.people for result in self.tables))
        later = self.stage is not None and self.stage.number > 1
        present = self._find_players_with_bye() if later else self.registrations.keys()
        return {
            pk: self.registrations[pk]
            for pk, state in self.states.items()
            if pk in seated or (pk in present and state == State.APPROVED)
        }

    def _find_players_with_bye(self) -> set[int]:
        counting = [each for each in self.tables if counts_byes(each, self.known_until)]
        return set(chain.from_iterable(each.table.round.seating.byes for each in counting))

    def rows(self, *, provisional: bool = False, lots: bool = True) -> list[pure.StandingsRow]:
        """Return the standings.

        * `provisional`: whether to include matches in progress that have a finished hand.
        * `lots`: whether to draw lots for players who are still tied.
        """
        names = {pk: registration.name for pk, registration in self.people.items()}
        counting = [result.counts for result in self.tables if result.final or provisional]
        disqualified = {pk for pk in names if self.states[pk] == State.DISQUALIFIED}
        playing = [pk for pk in names if self.states[pk] == State.APPROVED]
        departed = [
            pk for pk in names if pk not in disqualified and self.states[pk] != State.APPROVED
        ]
        rulings = self._list_own_rulings()
        rules = rulesets.make(self.event.ruleset, self.event.options)
        return pure.rank_players(
            names,
            [match for match in counting if match],
            order_by_rules(self.event, rules),
            lots_key=self.event.lots_key if lots else "",
            adjustments=adjustments(
                self.event, self.tables, rulings, playing, departed, self.known_until
            ),
            disqualified=disqualified,
        )

    def _list_own_rulings(self) -> list[Ruling]:
        """Return the rulings that count in this stage, or all of them for a whole event."""
        stages = {self.stage.pk} if self.stage else {each.stage_id for each in self.rulings}
        return [each for each in self.rulings if each.stage_id in stages]


def order_by_rules(event: Event, rules: rulesets.RuleSet) -> tuple[str, ...]:
    """Return the keys of the event's metrics under these rules, first metric first."""
    breakers = event.tie_breakers or pure.DEFAULT_TIE_BREAKERS
    return pure.metric_keys_for(rules.scoring, breakers)


def list_rulings_at(event: Event, kind: Ruling.Kind, moment: datetime | None) -> list[Ruling]:
    """Return the rulings of this kind in force at the given moment, or now if it is None."""
    return list(select_rulings(event.rulings.all(), kind, moment))


def select_rulings(
    rulings: QuerySet[Ruling], kind: Ruling.Kind, moment: datetime | None
) -> QuerySet[Ruling]:
    rulings = rulings.filter(kind=kind)
    if moment is None:
        return rulings.filter(cancelled_at__isnull=True)
    standing = Q(cancelled_at__isnull=True) | Q(cancelled_at__gt=moment)
    return rulings.filter(standing, given_at__lte=moment)
