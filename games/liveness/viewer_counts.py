"""Number of viewers of each match. Each process counts its own, and readers add them up."""

from collections.abc import Collection, Mapping

from django.db.models import Sum

from games.json_values.key_lists import match_any
from games.models import Match, ViewerCount
from games.process.components import Component


class StoredCounts(Component):
    """Number of viewers of each match that this process last stored."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def find_changes(self, counts: Mapping[int, int]) -> dict[int, int]:
        """Return the counts that differ from the stored ones."""
        return {match: n for match, n in counts.items() if n != self._counts.get(match, 0)}

    def matches(self) -> Collection[int]:
        """Return the matches with stored viewers."""
        return list(self._counts)

    def mark_stored(self, counts: Mapping[int, int]) -> None:
        """Record that these counts have been stored."""
        self._counts = {match: n for match, n in {**self._counts, **counts}.items() if n}


def store_viewers(process: str, counts: Mapping[int, int]) -> None:
    """Store how many people are connected to this process to watch each of these matches.

    Practice matches are left out, because their viewers are not shown anywhere.
    """
    empty = [match for match, number in counts.items() if not number]
    if empty:
        ViewerCount.objects.filter(process__process=process, match__in=match_any(empty)).delete()
    watched = match_any([match for match, number in counts.items() if number])
    shown = Match.objects.filter(pk__in=watched, practice=False).values_list("pk", flat=True)
    ViewerCount.objects.bulk_create(
        [ViewerCount(process_id=process, match_id=match, number=counts[match]) for match in shown],
        update_conflicts=True,
        unique_fields=["process", "match"],
        update_fields=["number"],
    )


def count_viewers(matches: Collection[int]) -> dict[int, int]:
    """Return the number of viewers of each of these matches, without matches that have none.

    The numbers may be a few seconds old. Each process counts an account once, however many windows
    it has open. Windows of dead processes are not counted.
    """
    rows = ViewerCount.objects.filter(match__in=match_any(matches), process__dead=False)
    counts = rows.order_by().values_list("match").annotate(Sum("number"))
    return dict(counts)
