"""What several pages need: the event that a visitor may see, and staying off caches."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest

from tournament.models import Event, Registration, User


def event_or_404(request: HttpRequest, slug: str) -> Event:
    """The event at this address; one still being prepared exists for its organizers alone."""
    event = Event.objects.filter(slug=slug).first()
    if event is None or not (event.public or organizes(request.user, event)):
        raise Http404
    return event


def organizes(user: User | AnonymousUser, event: Event) -> bool:
    if user.is_superuser:
        return True
    return user.is_staff and event.organizers.filter(pk=user.pk).exists()


def own_registration(request: HttpRequest, event: Event) -> Registration | None:
    if not request.user.is_authenticated:
        return None
    return event.registrations.filter(user=request.user).first()
