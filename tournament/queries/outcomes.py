"""What tables have come to as the standings take it: read as plain values, as there are thousands.

Of most tables of paper the entered points are all there is to know. Objects are made only of those
about which more is to be decided, and `results.known_result` decides it as for every other page.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Case, TextField, When
from django.db.models.functions import Cast

from games.rules.rulesets import RuleSet
from games.stored.rows import set_related
from tournament.freezing import NOT_FROZEN, Freeze
from tournament.models import Person, Registration, Round, Sitting, Table, TableSeat
from tournament.queries.results import (
    Sheet,
    TableResult,
    best,
    few_win,
    known_result,
    rules_of,
    set_matches,
    stands,
)
from tournament.standings import MatchResult


class Outcome(NamedTuple):
    """What a table has come to. `players`: by seat, a bot's id is negative. `counts`: what was
    played so far, None before that. `final`: it counts for good; `open`: it may still change.
    `ended_at`: of its match."""

    played: Round
    players: tuple[int, ...]
    low_wins: bool
    counts: MatchResult | None
    final: bool
    open: bool
    ended_at: datetime | None = None


def outcome_of(found: TableResult) -> Outcome:
    """The table's result in short."""
    return Outcome(
        played=found.table.round,
        players=found.players,
        low_wins=found.low_wins,
        counts=found.counted() if found.final or any(found.points) else None,
        final=found.final,
        open=found.open,
        ended_at=found.match.ended_at if found.match else None,
    )


def outcomes(
    rounds: Sequence[Round], people: Mapping[int, Person], *, public: bool = False
) -> list[Outcome]:
    """Those of all tables of these rounds of one event, in no order. `rounds` come with their
    stages and event, `people` are all its registrations by key; `public` as for `table_result`."""
    if not rounds:
        return []
    event = rounds[0].stage.event
    rules, read = rules_of(event), _read(rounds, event.freeze if public else NOT_FROZEN)
    by_key = {played.pk: played for played in rounds}
    plain = read.plain(people)
    others = [_table(row, by_key[row[1]]) for key, row in read.tables.items() if key not in plain]
    set_matches(others, rounds, play=False)
    return [
        *(_entered(read, key, by_key, low_wins=few_win(rules)) for key in plain),
        *(_decided(read, table, people, rules, public=public) for table in others),
    ]


# Keys of a table and of its round, its number, the key of its match, and what it carries as JSON:
# None unless it is played on paper.
_Row = tuple[int, int, int, int | None, str | None]
# Keys of a table, of its seat and of whose it is: None for a bot's; something if it has forfeited.
_Seat = tuple[int, int, int | None, int | None]


@dataclass(frozen=True)
class _Written:
    """What is written down of some tables, by their keys; seats in order. `points`: what was
    entered and stands."""

    tables: Mapping[int, _Row]
    points: Mapping[int, list[int]]
    seats: Mapping[int, Sequence[_Seat]]

    def plain(self, people: Mapping[int, Person]) -> set[int]:
        """The tables that the entered points say everything about."""
        matches = {key for key, _round, _number, match, _carried in self.tables.values() if match}
        return self.points.keys() - matches - self._ruled(people)

    def _ruled(self, people: Mapping[int, Person]) -> set[int]:
        """The tables of who has forfeited, or is disqualified."""
        state = Registration.State.DISQUALIFIED
        out = {key for key, person in people.items() if person.state == state}
        seats = chain.from_iterable(self.seats.values())
        return {table for table, _seat, whose, lost in seats if lost or whose in out}


def _read(rounds: Collection[Round], freeze: Freeze) -> _Written:
    tables: dict[int, _Row] = {}
    stood: dict[int, str] = {}
    for row in _rows(rounds):
        entry, state, points = row[5:]
        tables[row[0]] = row[:5]
        if entry is not None and stands(entry, state, freeze):
            stood[row[0]] = points
    seats: defaultdict[int, list[_Seat]] = defaultdict(list)
    for seat in _seats(rounds):
        seats[seat[0]].append(seat)
    # One text for all: to read each by itself takes ten times as long.
    entered = json.loads(f"[{','.join(stood.values())}]")
    return _Written(tables, dict(zip(stood, entered, strict=True)), seats)


def _seats(rounds: Collection[Round]) -> Iterable[_Seat]:
    """By number. A truth value would be made from each row; a key comes as it is."""
    forfeited = Case(When(forfeited=True, then="pk"))
    found = TableSeat.objects.filter(table__round__in=rounds).order_by("number")
    return found.values_list("table_id", "pk", "registration_id", forfeited)


def _rows(rounds: Collection[Round]) -> Iterable[tuple[Any, ...]]:
    """Each table with each of its entries, or with none; the latest entry last."""
    carried = Case(When(paper=True, then=Cast("carried", TextField())), output_field=TextField())
    points = Cast("results__points", TextField())
    found = Table.objects.filter(round__in=rounds).order_by("results__pk")
    names = ("pk", "round_id", "number", "match_id", carried, "results__pk", "results__state")
    return found.values_list(*names, points)


def _entered(read: _Written, key: int, rounds: Mapping[int, Round], *, low_wins: bool) -> Outcome:
    """Of a table that the entered points say everything about."""
    points, (_key, played, table, _match, _carried) = read.points[key], read.tables[key]
    players = tuple([whose or -seat for _table, seat, whose, _lost in read.seats[key]])
    winners = tuple([players[number] for number in best(points, low_wins=low_wins)])
    counts = MatchResult(players, tuple(points), winners, (), (), low_wins, table)
    return Outcome(rounds[played], players, low_wins, counts, True, False)


def _decided(
    read: _Written,
    table: Table,
    people: Mapping[int, Person],
    rules: RuleSet,
    *,
    public: bool,
) -> Outcome:
    """Of any other table."""
    seats = [
        Sitting(seat, number, whose, _registration(people, whose), None, bool(lost))
        for number, (_table, seat, whose, lost) in enumerate(read.seats[table.pk])
    ]
    points = read.points.get(table.pk)
    return outcome_of(known_result(table, rules, Sheet(seats), points, public=public))


def _registration(people: Mapping[int, Person], key: int | None) -> Registration | None:
    """As far as a result asks for it; None for a bot."""
    person = people[key] if key else None
    if person is None or isinstance(person, Registration):
        return person
    values = [person.pk, person.state, person.decided_at]
    return Registration.from_db(None, ["id", "state", "decided_at"], values)


def _table(row: _Row, played: Round) -> Table:
    """As far as its result asks for it."""
    *keys, carried = row
    values = [*keys, carried is not None, json.loads(carried or "[]")]
    names = ["id", "round_id", "number", "match_id", "paper", "carried"]
    table = Table.from_db(None, names, values)
    set_related(table, "round", played)
    return table
