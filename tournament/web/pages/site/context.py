"""Template context of the header, which is the same on all pages."""

from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

import games.queries
from games.models import Match
from tournament.models import Event, User
from tournament.people.accounts.desk_sessions import find_event_limit, is_match_within
from tournament.rounds.live_tables import find_current_event, is_imminent


def header(request: HttpRequest) -> dict[str, object]:
    """Return the context of the header.

    Values that need a query are functions, which run it only once and only if needed.
    """
    find_event = _make_event_finder(request)
    return {
        "current_event": find_event,
        "event_to_wait_for": lambda: _find_imminent(find_event()),
        "own_match": _make_match_finder(request),
        "sign_up_open": settings.PASSWORD_SIGN_UP,
        "college_sign_in": _describe_college_sign_in,
    }


def _describe_college_sign_in() -> str:
    """Return the label of the button for college accounts, or "" without an issuer."""
    if not settings.SOCIALACCOUNT_PROVIDERS:
        return ""
    if label := settings.OIDC_LABEL:
        return _("Sign in with {label}").format(label=label)
    return _("Sign in with your college account")


def _make_match_finder(request: HttpRequest) -> Callable[[], Match | None]:
    @cache
    def find() -> Match | None:
        if not hasattr(request, "user"):
            return None
        match = games.queries.running_match(games.queries.player_of(request))
        limit = find_event_limit(request)
        is_outside_limit = match and limit is not None and not is_match_within(limit, match)
        return None if is_outside_limit else match

    return find


def _make_event_finder(request: HttpRequest) -> Callable[[], Event | None]:
    @cache
    def find() -> Event | None:
        user = _find_user(request)
        if (limit := find_event_limit(request)) is not None:
            return Event.objects.filter(pk=limit).first() if user else None
        return find_current_event(user) if user else None

    return find


def _find_imminent(event: Event | None) -> Event | None:
    """Return the event if one of its matches may begin soon, else None."""
    return event if event is not None and is_imminent(event) else None


def _find_user(request: HttpRequest) -> User | None:
    """Return the signed-in user, or None.

    Requests that were refused before authentication have no user.
    """
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None
