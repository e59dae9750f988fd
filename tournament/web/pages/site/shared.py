"""Helpers that several pages share, such as the lookup of an event that a visitor may see."""

from collections.abc import Sequence
from itertools import islice

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from tournament.hall.directory import PersonView, find_player
from tournament.models import Event, Registration, Stage
from tournament.oversight.rights import has_right

RUNNING, OPEN = Event.State.RUNNING, Event.State.OPEN
# Each followed event needs a socket.
MAX_FOLLOWED = 3


def event_or_404(request: HttpRequest, slug: str, events: QuerySet[Event] | None = None) -> Event:
    """Return the event with this slug.

    Drafts are visible only to their staff. `events` is a queryset with annotations that the page
    needs, if any. Raises Http404 if there is no such event.
    """
    events = Event.objects.all() if events is None else events
    event = events.filter(slug=slug).order_by().first()
    if event is None or not (event.public or has_right(request.user, event, "see")):
        raise Http404
    timezone.activate(event.zone)
    return event


def public_event_or_404(slug: str) -> Event:
    """Return the public event with this slug. Raises Http404 for a draft, even for staff."""
    event = Event.objects.filter(slug=slug).first()
    if event is None or not event.public:
        raise Http404
    timezone.activate(event.zone)
    return event


def player_or_404(event: Event, number: int) -> PersonView:
    """Return the event's player with this number.

    Raises Http404 if there is no such player, or if the player is not named in public.
    """
    person_view = find_player(event, number)
    if person_view is None:
        raise Http404
    return person_view


def stages_begun(event: Event) -> list[Stage]:
    """Return the stages that have begun."""
    return [each for each in event.stages.all() if each.state != Stage.State.WAITING]


def chosen_stage(request: HttpRequest, stages: list[Stage]) -> Stage | None:
    """Return the stage requested by `?stage=2`, or None for the whole event.

    Raises Http404 if there is no such stage.
    """
    number = request.GET.get("stage")
    if number is None:
        return None
    for stage in stages:
        if str(stage.number) == number:
            return stage
    raise Http404


def list_followed_slugs(events: Sequence[Event]) -> str:
    """Return the slugs of the events that a page follows, for its `data-refresh` attribute."""
    followed = (event.slug for event in events if event.state in (RUNNING, OPEN))
    return " ".join(islice(followed, MAX_FOLLOWED))


def own_registration(request: HttpRequest, event: Event) -> Registration | None:
    """Return the user's registration for the event, or None."""
    if not request.user.is_authenticated:
        return None
    # The default order would join the table of events.
    return event.registrations.filter(user=request.user).order_by().first()
