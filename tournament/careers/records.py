"""Outcomes of announced events as plain values, computed once for all pages that need them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.core.cache import cache
from django.db.models import OuterRef, Subquery

from tournament.events.publicity import shown_to_all
from tournament.models import AuditEntry, Event, Round
from tournament.pure.rating import RatedMatch, Rating, rate
from tournament.results.queries import TableResult
from tournament.results.stages import StageResults, results_of_events
from tournament.stages.places import places
from tournament.stages.winners import is_announced

# In seconds. The key changes with every entry of the event's activity log, so only the code can
# make a value old.
KEPT = 24 * 3600
# Events whose results are in memory together.
AT_A_TIME = 50
VERSION = 1


@dataclass(frozen=True)
class EventPlace:
    """A player's outcome; `place` is None if the player was disqualified."""

    place: int | None
    matches: int
    wins: int


@dataclass(frozen=True)
class DatedMatch:
    """A match that counts for ratings, and the end of its round."""

    at: datetime
    match: RatedMatch


@dataclass(frozen=True)
class EventRecord:
    """Outcome of an event. `places`: by registration, of the players who have played a match."""

    places: dict[int, EventPlace]
    matches: tuple[DatedMatch, ...]


@dataclass(frozen=True)
class AnnouncedEvent:
    """An event with a public outcome; `version` changes with its results."""

    event: Event
    version: str


def list_announced() -> list[AnnouncedEvent]:
    """Return the public events whose winner is announced, oldest first.

    Events with a freeze are left out until every place is revealed.
    """
    logged = AuditEntry.objects.filter(event=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    events = shown_to_all().filter(state=Event.State.FINISHED).annotate(logged=Subquery(logged))
    found = [event for event in events.order_by("pk") if is_announced(event)]
    return [AnnouncedEvent(event, f"{event.pk}-{event.logged}") for event in found]


def load_records(announced: Sequence[AnnouncedEvent]) -> dict[int, EventRecord]:
    """Return the record of each event by its key; only changed events are computed again."""
    keys = {f"career-{VERSION}-{each.version}": each.event for each in announced}
    known: dict[str, EventRecord] = cache.get_many(keys)
    missing = [key for key in keys if key not in known]
    for start in range(0, len(missing), AT_A_TIME):
        some = missing[start : start + AT_A_TIME]
        results = results_of_events([keys[key] for key in some])
        computed = {key: make_record(each) for key, each in zip(some, results, strict=True)}
        cache.set_many(computed, KEPT)
        known |= computed
    return {event.pk: known[key] for key, event in keys.items()}


def make_record(results: StageResults) -> EventRecord:
    """Make the record of an event with nothing to hide."""
    wins: dict[int, int] = {}
    for at in results.tables:
        for player in at.as_counted().winners if at.final else ():
            if isinstance(player, int):
                wins[player] = wins.get(player, 0) + 1
    found = {
        each.player: EventPlace(each.rank, each.row.played, wins.get(each.player, 0))
        for each in places(results)
        if each.row.played
    }
    return EventRecord(found, tuple(_iterate_matches(results.tables)))


def _iterate_matches(tables: Sequence[TableResult]) -> Iterator[DatedMatch]:
    for at in tables:
        played = at.table.round
        if played.state != Round.State.CLOSED or played.closed_at is None:
            continue
        if match := rated_match(at):
            yield DatedMatch(played.closed_at, match)


def rated_match(at: TableResult) -> RatedMatch | None:
    """Return the ordinary match of a table, or None.

    In an ordinary match everyone plays their own seat, for themselves, to the end: no partners,
    substitutes or forfeits. Bots are left out, and two people have to remain.
    """
    if not at.final or at.partners or at.gone or any(seat.substitute for seat in at.seats):
        return None
    people = [
        (seat.registration.user_id, place)
        for seat, place in zip(at.seats, at.list_places(), strict=True)
        if seat.registration
    ]
    if len(people) < 2:
        return None
    return RatedMatch(*zip(*people, strict=True))


def ratings(
    announced: Sequence[AnnouncedEvent], records: dict[int, EventRecord]
) -> dict[int, Rating]:
    """Return the rating of every account (by key) after all ordinary matches, in their order."""
    versions = " ".join(each.version for each in announced)
    key = f"ratings-{VERSION}-{sha256(versions.encode()).hexdigest()[:32]}"
    found: dict[int, Rating] | None = cache.get(key)
    if found is None:
        matches = [match for each in announced for match in records[each.event.pk].matches]
        found = rate(each.match for each in sorted(matches, key=lambda each: each.at))
        cache.set(key, found, KEPT)
    return found
