"""The stored rows of a set of tables: matches, seats and entered points."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from games import facts
from games.models import Match
from tournament.models import Registration, Result, Ruling, Sitting, Table, TableSeat
from tournament.pure.ranking.freeze import Freeze

# A filter for `Table` rows.
Scope = Mapping[str, Sequence[object]]


def _make_filter(scope: Scope, path: str = "table") -> dict[str, Sequence[object]]:
    """Convert a filter for tables to a filter for rows that belong to these tables."""
    return {f"{path}__{key}": values for key, values in scope.items()}


def set_matches(tables: Sequence[Table], scope: Scope, *, play: bool) -> None:
    """Load the matches in a separate query, and set each table's match.

    A join would add forty empty columns to the row of each table with physical cards.
    """
    if any(table.match_id for table in tables):
        loaded = facts.with_scores(
            Match.objects.filter(**_make_filter(scope, "event_table")), play=play
        )
        matches = {match.pk: match for match in loaded}
        for table in tables:
            table.match = matches.get(table.match_id or 0)


def load_seats(
    scope: Scope, people: Mapping[int, Registration] | None, freeze: Freeze
) -> Mapping[int, list[Sitting]]:
    """Load the seats, by table key. Rulings made after the freeze are ignored."""
    rulings = Ruling.objects.filter(**_make_filter(scope)).values_list(
        "table_id", "registration_id"
    )
    later = set(rulings.filter(given_at__gt=freeze.at)) if freeze.at else set()
    seats: defaultdict[int, list[Sitting]] = defaultdict(list)
    for table, pk, number, owner, substitute, forfeited in _iterate_seats(scope, people):
        key = owner.pk if owner else None
        lost = forfeited and (table, key) not in later
        out = owner is not None and owner.was_disqualified_at(freeze.at)
        seats[table].append(Sitting(pk, number, key, owner, substitute, lost, out))
    return seats


# Table key, seat key, seat number, owner, substitute, and whether the seat is forfeited.
Seat = tuple[int, int, int, Registration | None, Registration | None, bool]


def _iterate_seats(scope: Scope, people: Mapping[int, Registration] | None) -> Iterator[Seat]:
    """Yield the seats with their players.

    If `people` is given, the registrations are taken from it, so a player's seats share one.
    """
    seats = TableSeat.objects.filter(**_make_filter(scope)).order_by("number")
    if people is None:
        for row in seats.select_related("registration", "substitute"):
            players = (row.registration, row.substitute)
            yield row.table_id, row.pk, row.number, *players, row.forfeited
        return
    names = ("table_id", "pk", "number", "registration_id", "substitute_id", "forfeited")
    for table, pk, number, player, substitute, forfeited in seats.values_list(*names):
        yield table, pk, number, people.get(player), people.get(substitute), forfeited


def load_entered(scope: Scope, freeze: Freeze) -> tuple[dict[int, list[int]], set[int]]:
    """Load the entered points by table key, and the keys of tables with a waiting entry.

    The points are those of the latest entry that counts. During a freeze, they are those of the
    latest entry that counted when it began.
    """
    entries = Result.objects.filter(**_make_filter(scope)).order_by("pk")
    points: dict[int, list[int]] = {}
    waiting: set[int] = set()
    for pk, table, state, entered in entries.values_list("pk", "table_id", "state", "points"):
        if pk in freeze.results if freeze else state == Result.State.CONFIRMED:
            points[table] = entered
        if state == Result.State.ENTERED:
            waiting.add(table)
    return points, waiting
