"""Content of a player's public page."""

from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from django.db.models import QuerySet
from django.urls import reverse

from games import queries as games
from games.models import Match
from games.queries import CareerFigures
from tournament.careers.records import (
    AnnouncedEvent,
    EventPlace,
    list_announced,
    load_records,
    ratings,
)
from tournament.models import Event, PublicProfile, Registration, Round, Table, User
from tournament.pure.rating import Rating

# In seconds: hands, catches and luck are counted again this often, as reviews come later.
COUNTED_EVERY = 600


@dataclass(frozen=True)
class CareerEvent:
    """An event of the player's, under the name that the player has there."""

    event: Event
    registration: Registration
    outcome: EventPlace
    people: int

    @property
    def page(self) -> str:
        return reverse("event-player", args=[self.event.slug, self.registration.queue_number])


@dataclass(frozen=True)
class Career:
    """Everything on a public page; `events` are newest first.

    `rating` is None before enough ordinary matches.
    """

    profile: PublicProfile
    name: str
    look: str
    events: list[CareerEvent]
    figures: CareerFigures
    rating: Rating | None

    @property
    def matches(self) -> int:
        return sum(each.outcome.matches for each in self.events)

    @property
    def wins(self) -> int:
        return sum(each.outcome.wins for each in self.events)

    @property
    def best(self) -> int | None:
        """The best place in any event."""
        known = (each.outcome.place for each in self.events)
        return min((place for place in known if place is not None), default=None)


def find_profile(public_id: str) -> PublicProfile | None:
    """Return the page that its player has opened at this address, or None."""
    return PublicProfile.objects.select_related("user").filter(public_id=public_id).first()


def find_public_page(registration: Registration) -> str:
    """Return the address of the player's public page, or "" if the player has none."""
    if registration.anonymous:
        return ""
    pages = PublicProfile.objects.filter(user=registration.user_id)
    public_id = pages.values_list("public_id", flat=True).first()
    return reverse("player-career", args=[public_id]) if public_id else ""


def find_public_pages(event: Event) -> dict[int, str]:
    """Return the addresses of players' public pages by registration (its key), for one event."""
    rows = event.registrations.filter(anonymous=False, user__public_profile__isnull=False)
    pages = rows.order_by().values_list("pk", "user__public_profile__public_id")
    return {pk: reverse("player-career", args=[public_id]) for pk, public_id in pages}


def career(profile: PublicProfile) -> Career:
    """Return the player's events with a public outcome, in a fixed number of queries."""
    user, announced = profile.user, list_announced()
    records = load_records(announced)
    rows = user.registrations.filter(anonymous=False).order_by()
    registrations = {row.event_id: row for row in rows}
    events = []
    for each in announced:
        one, record = registrations.get(each.event.pk), records[each.event.pk]
        if one and (outcome := record.places.get(one.pk)):
            events.append(CareerEvent(each.event, one, outcome, len(record.places)))
    events.sort(key=_order_by_date, reverse=True)
    rating = ratings(announced, records).get(user.pk)
    shown = {each.event.pk for each in events}
    return Career(
        profile,
        name=events[0].registration.name if events else user.display_name,
        look=user.look,
        events=events,
        figures=_load_figures(user, [each for each in announced if each.event.pk in shown]),
        rating=rating if rating and rating.is_known else None,
    )


def _order_by_date(career_event: CareerEvent) -> tuple[float, int]:
    starts = career_event.event.starts_at or career_event.event.created_at
    return starts.timestamp(), career_event.event.pk


def _load_figures(user: User, announced: list[AnnouncedEvent]) -> CareerFigures:
    versions = " ".join(each.version for each in announced)
    key = f"figures-{user.pk}-{sha256(versions.encode()).hexdigest()[:32]}"
    found: CareerFigures | None = cache.get(key)
    if found is None:
        found = games.career_figures(_select_matches([each.event for each in announced]), user.pk)
        cache.set(key, found, COUNTED_EVERY)
    return found


def _select_matches(events: list[Event]) -> QuerySet[Match]:
    """Return the matches of closed rounds that were played to their end, as a whole."""
    tables = Table.objects.filter(
        round__stage__event__in=events, round__state=Round.State.CLOSED, match__isnull=False
    )
    over = Match.objects.filter(phase=Match.Phase.OVER, viewers_until=None, practice=False)
    played = over.exclude(ended=Match.MatchEnding.ABANDONED)
    return played.filter(pk__in=tables.order_by().values("match"))
