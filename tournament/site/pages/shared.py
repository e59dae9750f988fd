"""What several pages need: the event that a visitor may see, and staying off caches."""

from collections.abc import Sequence
from itertools import islice

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from tournament.hall.directory import PersonView, player
from tournament.models import Event, Registration, Stage
from tournament.oversight.rights import may

RUNNING, OPEN = Event.State.RUNNING, Event.State.OPEN
# Each is a socket of the window's.
MOST_FOLLOWED = 3


def event_or_404(request: HttpRequest, slug: str, events: QuerySet[Event] | None = None) -> Event:
    """The event at this address; one still being prepared exists for its staff alone.

    `events`: all there are, with what the page shows of one.
    """
    events = Event.objects.all() if events is None else events
    event = events.filter(slug=slug).order_by().first()
    if event is None or not (event.public or may(request.user, event, "see")):
        raise Http404
    timezone.activate(event.zone)
    return event


def public_event_or_404(slug: str) -> Event:
    """The event at this address for whoever it may be: its staff see no more than everybody."""
    event = Event.objects.filter(slug=slug).first()
    if event is None or not event.public:
        raise Http404
    timezone.activate(event.zone)
    return event


def player_or_404(event: Event, number: int) -> PersonView:
    """The event's player with this number; who is not named in public is not there."""
    found = player(event, number)
    if found is None:
        raise Http404
    return found


def stages_begun(event: Event) -> list[Stage]:
    return [each for each in event.stages.all() if each.state != Stage.State.WAITING]


def chosen_stage(request: HttpRequest, stages: list[Stage]) -> Stage | None:
    """The stage that `?stage=2` asks for, None for the whole event."""
    number = request.GET.get("stage")
    if number is None:
        return None
    for stage in stages:
        if str(stage.number) == number:
            return stage
    raise Http404


def live(events: Sequence[Event]) -> str:
    """The addresses of the events that a page about several follows, for its data-refresh."""
    followed = (event.slug for event in events if event.state in (RUNNING, OPEN))
    return " ".join(islice(followed, MOST_FOLLOWED))


def own_registration(request: HttpRequest, event: Event) -> Registration | None:
    if not request.user.is_authenticated:
        return None
    # By their usual order the event would be read as well.
    return event.registrations.filter(user=request.user).order_by().first()
