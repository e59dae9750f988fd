"""Outcomes of announced events as plain values, computed once for all pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.core.cache import cache
from django.db.models import OuterRef, Subquery

from tournament.events.publicity import public_events
from tournament.models import AuditEntry, Event, Round
from tournament.pure.rating import RatedMatch, Rating, rate_players
from tournament.results.stages import StageResults, results_of_events
from tournament.results.table_result import TableResult
from tournament.stages.places import places
from tournament.stages.winners import is_announced

# In seconds. The cache key changes with every entry in the event's log, so a value becomes outdated
# only if this code changes. In that case, increase `VERSION`.
CACHE_SECONDS = 24 * 3600
# Maximum number of events whose results are loaded at the same time.
BATCH_SIZE = 50
VERSION = 1


@dataclass(frozen=True)
class EventPlace:
    """A player's outcome in an event.

    `place` is None if the player was disqualified.
    """

    place: int | None
    matches: int
    wins: int


@dataclass(frozen=True)
class DatedMatch:
    """A rated match, and the time at which its round was closed."""

    at: datetime
    match: RatedMatch


@dataclass(frozen=True)
class EventRecord:
    """The outcome of an event.

    `places` maps the registration id of each player with at least one match to the player's place.
    """

    places: dict[int, EventPlace]
    matches: tuple[DatedMatch, ...]


@dataclass(frozen=True)
class AnnouncedEvent:
    """An event with a public outcome.

    `version` changes whenever the results may have changed.
    """

    event: Event
    version: str


def list_announced_events() -> list[AnnouncedEvent]:
    """Return the public events whose winner has been announced, oldest first.

    An event with a frozen leaderboard is included once every place has been revealed.
    """
    last_entry = AuditEntry.objects.filter(event=OuterRef("pk")).order_by("-pk").values("pk")[:1]
    events = (
        public_events().filter(state=Event.State.FINISHED).annotate(last_entry=Subquery(last_entry))
    )
    announced = [event for event in events.order_by("pk") if is_announced(event)]
    return [AnnouncedEvent(event, f"{event.pk}-{event.last_entry}") for event in announced]


def load_records(announced: Sequence[AnnouncedEvent]) -> dict[int, EventRecord]:
    """Return the record of each event, by the event's id.

    Only events that have changed are computed again.
    """
    keys = {f"career-{VERSION}-{each.version}": each.event for each in announced}
    records: dict[str, EventRecord] = cache.get_many(keys)
    missing = [key for key in keys if key not in records]
    for start in range(0, len(missing), BATCH_SIZE):
        batch = missing[start : start + BATCH_SIZE]
        results = results_of_events([keys[key] for key in batch])
        computed = {key: make_record(each) for key, each in zip(batch, results, strict=True)}
        cache.set_many(computed, CACHE_SECONDS)
        records |= computed
    return {event.pk: records[key] for key, event in keys.items()}


def make_record(results: StageResults) -> EventRecord:
    """Compute the record of an event whose results are all public."""
    wins: dict[int, int] = {}
    for table_result in results.tables:
        for number in table_result.table_winners if table_result.final else ():
            player = table_result.players[number]
            if isinstance(player, int):
                wins[player] = wins.get(player, 0) + 1
    event_places = {
        each.player: EventPlace(each.rank, each.row.played, wins.get(each.player, 0))
        for each in places(results)
        if each.row.counts
    }
    return EventRecord(event_places, tuple(_iterate_matches(results.tables)))


def _iterate_matches(tables: Sequence[TableResult]) -> Iterator[DatedMatch]:
    for table_result in tables:
        round_ = table_result.table.round
        if round_.state != Round.State.CLOSED or round_.closed_at is None:
            continue
        if match := rated_match(table_result):
            yield DatedMatch(round_.closed_at, match)


def rated_match(result: TableResult) -> RatedMatch | None:
    """Return a table's match as a rated match, or None if it does not count for ratings.

    Matches with partners, substitutes or forfeits do not count. Bots are ignored, and at least two
    people must remain.
    """
    if (
        not result.final
        or result.partners
        or result.lost_seats
        or any(seat.substitute for seat in result.seats)
    ):
        return None
    people = [
        (seat.registration.user_id, place)
        for seat, place in zip(result.seats, result.list_places(), strict=True)
        if seat.registration
    ]
    if len(people) < 2:
        return None
    return RatedMatch(*zip(*people, strict=True))


def ratings(
    announced: Sequence[AnnouncedEvent], records: dict[int, EventRecord]
) -> dict[int, Rating]:
    """Rate all matches from oldest to newest, and return the ratings by user id."""
    versions = " ".join(each.version for each in announced)
    key = f"ratings-{VERSION}-{sha256(versions.encode()).hexdigest()[:32]}"
    ratings_by_user: dict[int, Rating] | None = cache.get(key)
    if ratings_by_user is None:
        matches = [match for each in announced for match in records[each.event.pk].matches]
        ratings_by_user = rate_players(
            each.match for each in sorted(matches, key=lambda each: each.at)
        )
        cache.set(key, ratings_by_user, CACHE_SECONDS)
    return ratings_by_user
