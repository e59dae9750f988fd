"""What the header of every page needs."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from tournament import queries
from tournament.models import Event, User


def header(request: HttpRequest) -> dict[str, object]:
    """`event_to_be_at` is asked for only where it is shown, and once."""
    return {"event_to_be_at": _event_to_be_at(request)}


def _event_to_be_at(request: HttpRequest) -> Callable[[], Event | None]:
    @cache
    def find() -> Event | None:
        user = request.user
        return queries.event_to_be_at(user) if isinstance(user, User) else None

    return find
