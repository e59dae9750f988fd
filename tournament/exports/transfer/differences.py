"""Counting the changes that another machine made to an event, for the public history."""

from collections.abc import Iterable, Mapping

from games.models import Hand
from tournament.exports.transfer.contents import matches_of
from tournament.models import Event, Result

# The compared values, by kind and id.
ComparedValues = Mapping[str, Mapping[object, object]]


def collect_results(event: Event) -> ComparedValues:
    """Return the results, points of hands, rulings and roles, for comparison."""
    entered = Result.objects.filter(table__round__stage__event=event)
    hands = Hand.objects.filter(match__in=matches_of(event))
    rulings = event.rulings.values_list("pk", "kind", "points", "cancelled_at")
    roles = event.roles.values_list("user", "role")
    return {
        "results": _index_by_key(entered.values_list("pk", "points", "state")),
        "points": {
            **_index_by_key(hands.values_list("pk", "points")),
            **_index_by_key(rulings, "ruling"),
        },
        "roles": _index_by_key((role, role) for role in roles),
    }


def _index_by_key(rows: Iterable[tuple[object, ...]], kind: str = "") -> dict[object, object]:
    return {(kind, key): values for key, *values in rows}


def differences(before: ComparedValues, after: ComparedValues) -> dict[str, int]:
    """Count the rows of each kind that were changed, added or removed."""
    return {kind: _count_differences(before[kind], after[kind]) for kind in before}


def _count_differences(before: Mapping[object, object], after: Mapping[object, object]) -> int:
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())
