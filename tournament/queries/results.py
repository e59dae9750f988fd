"""The result of every table: from its match, or what organizers entered instead."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from games import queries as games
from games.models import Match
from games.queries import facts
from games.rules import rulesets
from games.rules.scoring import behind
from games.rules.totals import Bounds
from games.stored.rows import set_related
from tournament.freezing import NOT_FROZEN, Freeze
from tournament.models import (
    Event,
    Person,
    Registration,
    Result,
    Round,
    Sitting,
    Stage,
    Table,
    TableSeat,
)
from tournament.standings import MatchResult


@dataclass(frozen=True)
class Sheet:
    """What is written down of a table: who sits there, by number, and all that was entered."""

    seats: list[Sitting]
    entries: list[Result] = field(default_factory=list)


@dataclass(frozen=True)
class TableResult:
    """What a table has come to. `points` and `left` run along the seats ([] when not known).

    `match`: as far as it may be known, which for the public may be less than `table.match`.
    `source`: match, paper or correction. `final`: it counts for good; else the finished hands of
    a match still being played (or nothing at all). `winners`: seat numbers. `places`: of the
    seats, [] where the points say them. `out`: the seat numbers of who is eliminated. `partners`:
    who sit across play together, and have the same points. `entries`: all that was ever entered.
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
    entries: list[Result] = field(default_factory=list)

    def with_points(self, points: Sequence[int]) -> "TableResult":
        """The result if these points, entered by hand, counted."""
        winners = best(points, low_wins=self.low_wins)
        given = replace(
            self, final=True, points=list(points), winners=winners, left=[], places=[], out=[]
        )
        return given.ruled()

    @property
    def players(self) -> tuple[int, ...]:
        """Whose the seats are; a bot's id is negative."""
        return tuple([seat.registration_id or -seat.pk for seat in self.seats])

    @property
    def abandoned(self) -> bool:
        """Whether its match was given up before its end."""
        return self.match is not None and self.match.ended == Match.Ended.ABANDONED

    @property
    def open(self) -> bool:
        """Whether the result may still change, whether or not a hand is over."""
        running = self.table.round.state == Round.State.RUNNING
        return running and not (self.final or self.abandoned)

    @property
    def gone(self) -> set[int]:
        """The seats that have lost the match whatever was played: numbers.

        In a bracket nobody who is disqualified goes on or wins, whatever the event's rule.
        """
        stage = self.table.round.stage
        last = stage.event.disqualified == Event.Disqualified.LAST
        last = last or stage.format == Stage.Format.BRACKET
        return {seat.number for seat in self.seats if seat.forfeited or (last and _is_out(seat))}

    def ruled(self) -> "TableResult":
        """With what the event's rule gives to who has forfeited: the last place at least."""
        gone = self.gone
        if not gone or not self.points:
            return self
        places = behind(self.placed(), gone)
        best = [n for n, place in enumerate(places) if place == 1 and n not in gone]
        kept = self.table.round.stage.event.forfeits == Event.Forfeits.KEPT
        nothing = max(self.points) if self.low_wins else 0
        points = [nothing if n in gone and not kept else p for n, p in enumerate(self.points)]
        return replace(self, points=points, places=places, winners=best if self.final else [])

    def placed(self) -> list[int]:
        """The place of each seat, by the points as they are."""
        counted = self.counted()
        return [counted.place(player) for player in counted.players]

    def counted(self) -> MatchResult:
        """The result as the standings take it."""
        ids = self.players
        return MatchResult(
            players=ids,
            points=tuple(self.points),
            winners=tuple(ids[number] for number in self.winners),
            left=tuple(self.left),
            low_wins=self.low_wins,
            places=tuple(self.places),
            table=self.table.number,
        )


def best(points: Sequence[int], *, low_wins: bool) -> list[int]:
    """The numbers of the seats with the best points."""
    wanted = (min if low_wins else max)(points)
    return [number for number, value in enumerate(points) if value == wanted]


def _is_out(seat: Sitting) -> bool:
    person = seat.registration
    return person is not None and person.state == Registration.State.DISQUALIFIED


def rules_of(event: Event) -> rulesets.RuleSet:
    """The event's rule set with its options."""
    return rulesets.make(event.ruleset, event.options)


def few_win(rules: rulesets.RuleSet) -> bool:
    """Whether the fewest points are best."""
    return rules.scoring != "winner-takes"


def bounds_of(event: Event) -> Bounds:
    """What ends the event's matches before their target."""
    return Bounds(event.hand_limit, timed=bool(event.round_minutes))


def with_results(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Fetch with the tables all that `table_result` reads: a fixed number of queries."""
    # Not joined: a round, with its event, is made once for all its tables.
    rounds = Prefetch("round", Round.objects.select_related("stage__event"))
    with_seats = tables.prefetch_related(rounds, with_sitters(), "results")
    return facts.with_scores(with_seats, "match")


def with_sitters() -> Prefetch[str, QuerySet[TableSeat], str]:
    """Prefetch of a table's seats with their people, joined: SQLite cannot take a thousand people
    by their keys, as Django asks for them."""
    return Prefetch("seats", TableSeat.objects.select_related("registration", "substitute"))


def tables_of(where: Event | Stage | Round) -> QuerySet[Table]:
    """The tables of an event, a stage or a round with what their results need."""
    path = {Event: "round__stage__event", Stage: "round__stage", Round: "round"}[type(where)]
    tables = Table.objects.filter(**{path: where})
    return with_results(tables.order_by("round__stage__number", "round__number", "number"))


def sheet_of(table: Table) -> Sheet:
    """The sheet of a table from `with_results`."""
    return Sheet([_sitting(seat) for seat in table.seats.all()], list(table.results.all()))


def _sitting(seat: TableSeat) -> Sitting:
    whose = (seat.registration_id, seat.registration, seat.substitute)
    return Sitting(seat.pk, seat.number, *whose, seat.forfeited)


def table_result(
    table: Table, rules: rulesets.RuleSet, sheet: Sheet | None = None, *, public: bool = False
) -> TableResult:
    """The table's result as it stands; a `table` without its sheet comes from `with_results`.

    `public`: as far as viewers of the table may know it by now.
    """
    sheet = sheet or sheet_of(table)
    freeze = table.round.stage.event.freeze if public else NOT_FROZEN
    entered = standing_result(sheet.entries, freeze)
    return known_result(table, rules, sheet, entered.points if entered else None, public=public)


def known_result(
    table: Table,
    rules: rulesets.RuleSet,
    sheet: Sheet,
    entered: Sequence[int] | None,
    *,
    public: bool,
) -> TableResult:
    """The same by the points that were entered and stand, None where none are."""
    match, freeze = table.match, table.round.stage.event.freeze if public else NOT_FROZEN
    if public and match and (freeze or table.round.state != Round.State.CLOSED):
        match = games.public_match(match, timezone.now())
    if freeze.at:
        _as_then(table, sheet.seats, freeze.at)
    return result_by(table, sheet, rules, match, entered)


def _as_then(table: Table, seats: Iterable[Sitting], at: datetime) -> None:
    """What was ruled about its seats since that moment is not told: they are as they were."""
    for seat in seats:
        if seat.forfeited:
            since = table.rulings.filter(registration=seat.registration_id, given_at__gt=at)
            seat.forfeited = not since.exists()
        if seat.registration:
            take_back_since(seat.registration, at)


def take_back_since(person: Person, at: datetime) -> None:
    """Somebody, not stored, as before a disqualification since that moment."""
    out = person.state == Registration.State.DISQUALIFIED
    if out and person.decided_at and person.decided_at > at:
        person.state = Registration.State.APPROVED


def result_by(
    table: Table,
    sheet: Sheet,
    rules: rulesets.RuleSet,
    match: Match | None,
    entered: Sequence[int] | None,
) -> TableResult:
    """The table's result by the points that were entered, or else by what is to be known of its
    match."""
    low = few_win(rules)
    found = TableResult(
        table,
        match,
        sheet.seats,
        low,
        source=("correction" if entered else "match") if match else "paper",
        final=entered is not None,
        points=list(entered or ()),
        winners=best(entered, low_wins=low) if entered else [],
        partners=rules.partners,
        entries=sheet.entries,
    )
    if entered is not None:
        return found.ruled()
    if match is None or found.abandoned:
        # So far: what was finished before the table went on with physical cards.
        return replace(found, points=table.start) if table.paper else found
    return _played(found, games.score(match)).ruled()


def _played(at_table: TableResult, score: games.Score) -> TableResult:
    """The table's result by the score of its match."""
    return replace(
        at_table,
        final=score.over,
        points=list(score.totals),
        winners=list(score.winners) if score.over else [],
        left=list(score.left),
        places=list(score.places),
        out=list(score.out),
    )


def standing_result(entries: Iterable[Result], freeze: Freeze = NOT_FROZEN) -> Result | None:
    """The latest confirmed one of a table's that has not been undone, or that stood at a freeze."""
    standing = [r for r in entries if stands(r.pk, r.state, freeze)]
    return max(standing, key=lambda r: r.pk, default=None)


def stands(entry: int, state: str, freeze: Freeze) -> bool:
    """Whether an entry by hand counts, or did at a freeze."""
    return entry in freeze.results if freeze else state == Result.State.CONFIRMED


def waiting_result(entries: Iterable[Result]) -> Result | None:
    """The one of a table's entries that waits for a second organizer."""
    entered = [r for r in entries if r.state == Result.State.ENTERED]
    return max(entered, key=lambda r: r.pk, default=None)


def table_results(
    where: Event | Stage | Round,
    people: Mapping[int, Registration] | None = None,
    *,
    public: bool = False,
    play: bool = True,
) -> list[TableResult]:
    """The results of all tables there, in the order of rounds and tables; see `table_result`.

    Without `play` the hands being played, large and not needed for points, are not fetched.
    `people`: all registrations of the event by id, where they are fetched already.
    """
    return results_in(rounds_of(where), people, public=public, play=play)


def rounds_of(where: Event | Stage | Round) -> list[Round]:
    """In their order, with stages and event."""
    path = {Event: "stage__event", Stage: "stage", Round: "pk"}[type(where)]
    rounds = Round.objects.filter(**{path: where.pk}).select_related("stage__event")
    return list(rounds.order_by("stage__number", "number"))


def results_in(
    rounds: Sequence[Round],
    people: Mapping[int, Registration] | None = None,
    *,
    public: bool = False,
    play: bool = True,
) -> list[TableResult]:
    """The same of these rounds of one event, fetched a moment ago with their stages and event."""
    if not rounds:
        return []
    rules, sheets = rules_of(rounds[0].stage.event), _sheets(rounds, people)
    return [
        table_result(table, rules, sheets[table.pk], public=public)
        for table in _tables(rounds, play=play)
    ]


def _tables(rounds: Sequence[Round], *, play: bool) -> list[Table]:
    """In the order of the rounds, by number."""
    order = {played.pk: number for number, played in enumerate(rounds)}
    tables = list(Table.objects.filter(round__in=rounds).order_by("number"))
    for table in tables:
        set_related(table, "round", rounds[order[table.round_id]])
    set_matches(tables, rounds, play=play)
    return sorted(tables, key=lambda table: order[table.round_id])


def set_matches(tables: Sequence[Table], rounds: Sequence[Round], *, play: bool) -> None:
    """Fetch the matches of these tables of the rounds. Not joined: of a table of paper that would
    be forty empty columns."""
    if not any(table.match_id for table in tables):
        return
    found = facts.scored(Match.objects.filter(event_table__round__in=rounds), play=play)
    matches = {match.pk: match for match in found}
    for table in tables:
        if table.match_id:
            set_related(table, "match", matches.get(table.match_id))


def _sheets(
    rounds: Sequence[Round], people: Mapping[int, Registration] | None
) -> defaultdict[int, Sheet]:
    """By table: grouped here, since to prefetch them makes a query set for each of many tables."""
    found: defaultdict[int, Sheet] = defaultdict(lambda: Sheet([], []))
    for table, seat in _seated(rounds, people):
        found[table].seats.append(seat)
    for entry in Result.objects.filter(table__round__in=rounds).order_by("-pk"):
        found[entry.table_id].entries.append(entry)
    return found


def _seated(
    rounds: Sequence[Round], people: Mapping[int, Registration] | None
) -> Iterator[tuple[int, Sitting]]:
    """By table, with whose they are: from `people` made once, however many seats are theirs."""
    seats = TableSeat.objects.filter(table__round__in=rounds).order_by("number")
    if people is None:
        for row in seats.select_related("registration", "substitute"):
            yield row.table_id, _sitting(row)
        return
    names = ("table_id", "pk", "number", "registration_id", "substitute_id", "forfeited")
    for table, pk, number, player, substitute, forfeited in seats.values_list(*names):
        whose, now = people.get(player), people.get(substitute)
        yield table, Sitting(pk, number, player, whose, now, forfeited)


def event_of(part: Stage | Round) -> Event:
    return part.event if isinstance(part, Stage) else part.stage.event


def counted(found: Iterable[TableResult]) -> list[MatchResult]:
    """Those that count."""
    return [o.counted() for o in found if o.final]
