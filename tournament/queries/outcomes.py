"""What tables have come to as the standings take it: read as plain values, as there are thousands.

Of most tables of paper the entered points are all there is to know. Objects are made only of those
about which more is to be decided, and `results.known_result` decides it as for every other page.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import orjson
from django.db.models import BigIntegerField, Case, F, TextField, When
from django.db.models.functions import Cast, Coalesce

from games.rules.rulesets import RuleSet
from games.stored.rows import set_related
from tournament.freezing import NOT_FROZEN, Freeze
from tournament.models import Person, Registration, Round, Sitting, Table, TableSeat
from tournament.plumbing.aggregates import columns
from tournament.queries.results import (
    Sheet,
    TableResult,
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
# Key of a table, number of a seat, whose it is, and whether that one has forfeited (else None).
_Seat = tuple[int, int, int, int | None]
# A bot's seat is its own, which keys below 0 say.
_WHOSE = Coalesce("registration_id", -F("pk"), output_field=BigIntegerField())


@dataclass(frozen=True)
class _Written:
    """What is written down of some tables, by their keys. `points`: what was entered and stands.
    `players`: by seat, a bot's key is negative. `forfeited`: tables, each with who did so there."""

    tables: Mapping[int, _Row]
    points: Mapping[int, list[int]]
    players: Mapping[int, tuple[int, ...]]
    forfeited: Collection[tuple[int, int]]

    def plain(self, people: Mapping[int, Person]) -> set[int]:
        """The tables that the entered points say everything about."""
        matches = {key for key, _round, _number, match, _carried in self.tables.values() if match}
        return self.points.keys() - matches - self._ruled(people)

    def _ruled(self, people: Mapping[int, Person]) -> set[int]:
        """The tables of who has forfeited, or is disqualified."""
        state = Registration.State.DISQUALIFIED
        out = {key for key, person in people.items() if person.state == state}
        of_them = {key for key, players in self.players.items() if not out.isdisjoint(players)}
        return of_them.union(table for table, _player in self.forfeited)


def _read(rounds: Collection[Round], freeze: Freeze) -> _Written:
    tables: dict[int, _Row] = {}
    standing: list[tuple[int, int, str]] = []
    for key, played, number, match, carried, entry, state, points in _rows(rounds):
        tables[key] = (key, played, number, match, carried)
        if entry is not None and stands(entry, state, freeze):
            standing.append((entry, key, points))
    # Of a table's entries the latest counts.
    latest = {key: points for _entry, key, points in sorted(standing)}
    # One text for all: to read each by itself takes ten times as long.
    entered = orjson.loads(f"[{','.join(latest.values())}]")
    seats = sorted(_seats(rounds))
    players = {
        key: tuple([whose for _table, _number, whose, _lost in found])
        for key, found in groupby(seats, itemgetter(0))
    }
    forfeited = {(table, whose) for table, _number, whose, lost in seats if lost}
    return _Written(tables, dict(zip(latest, entered, strict=True)), players, forfeited)


def _seats(rounds: Collection[Round]) -> Iterable[_Seat]:
    lost = Case(When(forfeited=True, then=1))
    found = TableSeat.objects.filter(table__round__in=rounds)
    return columns(found, "table_id", "number", _WHOSE, lost)


def _rows(rounds: Collection[Round]) -> Iterable[tuple[Any, ...]]:
    """Each table with each of its entries, or with none."""
    carried = Case(When(paper=True, then=Cast("carried", TextField())), output_field=TextField())
    points = Cast("results__points", TextField())
    found = Table.objects.filter(round__in=rounds)
    names = ("pk", "round_id", "number", "match_id", carried, "results__pk", "results__state")
    return columns(found, *names, points)


def _entered(read: _Written, key: int, rounds: Mapping[int, Round], *, low_wins: bool) -> Outcome:
    """Of a table that the entered points say everything about."""
    points, (_key, played, table, _match, _carried) = read.points[key], read.tables[key]
    players, wanted = read.players.get(key, ()), (min if low_wins else max)(points)
    seats = zip(players, points, strict=True)
    winners = tuple([player for player, value in seats if value == wanted])
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
        _sitting(number, key, people, forfeited=(table.pk, key) in read.forfeited)
        for number, key in enumerate(read.players.get(table.pk, ()))
    ]
    points = read.points.get(table.pk)
    return outcome_of(known_result(table, rules, Sheet(seats), points, public=public))


def _sitting(number: int, key: int, people: Mapping[int, Person], *, forfeited: bool) -> Sitting:
    """As far as a result asks for it: of a bot it knows the seat, of a player the place."""
    if key < 0:
        return Sitting(-key, number, None, None, None, forfeited)
    return Sitting(0, number, key, _registration(people[key]), None, forfeited)


def _registration(person: Person) -> Registration:
    """As far as a result asks for it."""
    if isinstance(person, Registration):
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
