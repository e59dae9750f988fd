"""The contents of a player's public page."""

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
    list_announced_events,
    load_records,
    ratings,
)
from tournament.models import Event, PublicProfile, Registration, Round, Table, User
from tournament.pure.rating import Rating

# In seconds. The figures expire, because hand reviews can be added later.
FIGURES_CACHE_SECONDS = 600


@dataclass(frozen=True)
class CareerEvent:
    """An event in which the player took part, with the name that was used there."""

    event: Event
    registration: Registration
    outcome: EventPlace
    people: int

    @property
    def page(self) -> str:
        return reverse("event-player", args=[self.event.slug, self.registration.queue_number])


@dataclass(frozen=True)
class Career:
    """The contents of a player's public page.

    `events` are sorted newest first. `rating` is None until the player has finished enough rated
    matches.
    """

    profile: PublicProfile
    name: str
    look: str
    events: list[CareerEvent]
    figures: CareerFigures
    rating: Rating | None

    @property
    def match_count(self) -> int:
        return sum(each.outcome.matches for each in self.events)

    @property
    def win_count(self) -> int:
        return sum(each.outcome.wins for each in self.events)

    @property
    def best_place(self) -> int | None:
        """The player's best place in any event, or None."""
        places = (each.outcome.place for each in self.events)
        return min((place for place in places if place is not None), default=None)


def find_profile(public_id: str) -> PublicProfile | None:
    """Return the open public page with this id, or None."""
    return PublicProfile.objects.select_related("user").filter(public_id=public_id).first()


def find_public_page(registration: Registration) -> str:
    """Return the URL of the player's public page, or "" if there is none."""
    if registration.anonymous:
        return ""
    pages = PublicProfile.objects.filter(user=registration.user_id)
    public_id = pages.values_list("public_id", flat=True).first()
    return reverse("player-career", args=[public_id]) if public_id else ""


def find_public_pages(event: Event) -> dict[int, str]:
    """Return the URLs of public pages in an event, by registration key."""
    rows = event.registrations.filter(anonymous=False, user__public_profile__isnull=False)
    pages = rows.order_by().values_list("pk", "user__public_profile__public_id")
    return {pk: reverse("player-career", args=[public_id]) for pk, public_id in pages}


def load_career(profile: PublicProfile) -> Career:
    """Load the player's events with a public outcome, in a fixed number of queries."""
    user, announced = profile.user, list_announced_events()
    records = load_records(announced)
    rows = user.registrations.filter(anonymous=False).order_by()
    registrations = {row.event_id: row for row in rows}
    events = []
    for each in announced:
        registration = registrations.get(each.event.pk)
        record = records[each.event.pk]
        if registration and (outcome := record.places.get(registration.pk)):
            events.append(CareerEvent(each.event, registration, outcome, len(record.places)))
    events.sort(key=_date_sort_key, reverse=True)
    rating = ratings(announced, records).get(user.pk)
    shown_ids = {each.event.pk for each in events}
    return Career(
        profile,
        name=events[0].registration.name if events else user.display_name,
        look=user.look,
        events=events,
        figures=_load_figures(user, [each for each in announced if each.event.pk in shown_ids]),
        rating=rating if rating and rating.is_known else None,
    )


def _date_sort_key(career_event: CareerEvent) -> tuple[float, int]:
    start = career_event.event.starts_at or career_event.event.created_at
    return start.timestamp(), career_event.event.pk


def _load_figures(user: User, announced: list[AnnouncedEvent]) -> CareerFigures:
    versions = " ".join(each.version for each in announced)
    key = f"figures-{user.pk}-{sha256(versions.encode()).hexdigest()[:32]}"
    figures: CareerFigures | None = cache.get(key)
    if figures is None:
        figures = games.career_figures(
            _select_public_matches([each.event for each in announced]), user.pk
        )
        cache.set(key, figures, FIGURES_CACHE_SECONDS)
    return figures


def _select_public_matches(events: list[Event]) -> QuerySet[Match]:
    """Return the finished matches of closed rounds that viewers may see completely."""
    tables = Table.objects.filter(
        round__stage__event__in=events, round__state=Round.State.CLOSED, match__isnull=False
    )
    ended = Match.objects.filter(phase=Match.Phase.OVER, viewers_until=None, practice=False)
    completed = ended.exclude(ended=Match.MatchEnding.ABANDONED)
    return completed.filter(pk__in=tables.order_by().values("match"))
