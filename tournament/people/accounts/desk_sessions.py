"""Sessions opened with a desk code. Each is limited to one event.

The limit exists because another person at the desk could have used the code. Within the event, the
session can do everything that the player can. Elsewhere, it can open only public pages, like a
visitor without an account. The limit ends when the user enters the password or second factor.
"""

from functools import partial
from typing import Any

from allauth.account.authentication import (
    AUTHENTICATION_METHODS_SESSION_KEY,
    get_authentication_records,
)
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch

from games.models import Match
from tournament.common.desk_code_sessions import mark_desk_code_session
from tournament.models import Event
from tournament.people.accounts.assurance import DESK, STRONG, redirect_to_reauthentication

# Pages that are always open: those about the session, practice and the password or second factor.
# In a limited session, “own-match” and “push” refer only to matches of the event.
ALWAYS = {
    "account_login",
    "account_logout",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "desk-sign-in",
    "set_language",
    "games:practice",
    "own-match",
    "push",
}
PROFILE, MY_TABLE = "profile", "my-table-now"

# Pages that anyone may see. Other pages require the password or second factor.
PUBLIC = {
    "home",
    "home-boards",
    "player-career",
    "certificate",
    "event",
    "event-boards",
    "event-bracket",
    "event-calendar",
    "event-closing",
    "event-embed",
    "event-hall",
    "event-history",
    "event-history-file",
    "event-leaderboard",
    "event-people",
    "event-picture",
    "event-player",
    "event-results",
    "event-rules",
    "event-tables",
    "event-watch",
    "leaderboard-picture",
    "player-picture",
    "games:fair",
    "games:fair-file",
    "games:record",
    "games:replay",
    "games:result",
    "games:review",
    "games:table",
    "api",
    "api-schema",
    "api-unknown",
    "catalogue",
    "favicon",
    "home-picture",
    "match-picture",
    "metrics",
    "practice-picture",
    "privacy",
    "robots",
    "rule-sets",
    "rule-sets-picture",
    "rules",
    "rules-picture",
}
API = "api/v1/"
SAFE = ("GET", "HEAD")
# Limit of sessions whose event is unknown. No event has this key.
NO_EVENT = 0


def find_event_limit(request: HttpRequest) -> int | None:
    """Return the key of the event to which the session is limited, or None if it has no limit."""
    # A request that another middleware has refused has no user.
    if not hasattr(request, "user") or not request.user.is_authenticated:
        return None
    return _find_event_limit_in(get_authentication_records(request, request.user))


def find_stored_event_limit(session: Session) -> int | None:
    """Return the event limit of a stored session, like `find_event_limit` for a request."""
    return _find_event_limit_in(session.get_decoded().get(AUTHENTICATION_METHODS_SESSION_KEY, []))


def _find_event_limit_in(records: list[Any]) -> int | None:
    methods = {record["method"] for record in records}
    if DESK not in methods or methods & STRONG:
        return None
    events = [record.get("event") for record in records if record["method"] == DESK]
    return events[-1] or NO_EVENT


class DeskSessionLimits:
    """Implementation of games.apps.SessionLimits. A limit is the primary key of an event."""

    def find(self, session: HttpRequest) -> int | None:
        return find_event_limit(session)

    def covers(self, limit: int, match: int) -> bool:
        """Return whether the match belongs to the event, or is a practice match."""
        return bool(_select_matches_within(limit).filter(pk=match).exists())


class DeskSessions:
    """Middleware that limits sessions opened with a desk code to their event."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with mark_desk_code_session(partial(_find_account, request)):
            response: HttpResponse = self.get_response(request)
        return response

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        page = request.resolver_match
        assert page is not None
        public = _is_public(request, page)
        # These pages are the same for everyone, so the session need not be loaded.
        if public and not _may_differ_by_visitor(page):
            return None
        limit = find_event_limit(request)
        if limit is None or _is_page_of_event(request, page, limit):
            return None
        if public:
            request.user = AnonymousUser()
            return None
        return _redirect_limited_session(request, page, limit)


def _find_account(request: HttpRequest) -> int | None:
    return request.user.pk if find_event_limit(request) is not None else None


def _is_page_of_event(request: HttpRequest, page: ResolverMatch, limit: int) -> bool:
    if page.view_name in ALWAYS:
        return True
    if page.view_name == PROFILE:
        return request.method in SAFE
    if page.route.startswith("e/<"):
        return Event.objects.filter(pk=limit, slug=page.kwargs["slug"]).exists()
    if page.namespace == "games" and "public_id" in page.kwargs:
        return bool(
            _select_matches_within(limit).filter(public_id=page.kwargs["public_id"]).exists()
        )
    return False


def is_match_within(limit: int, match: Match) -> bool:
    """Return whether the match belongs to the event with this key, or is a practice match."""
    return bool(_select_matches_within(limit).filter(pk=match.pk).exists())


def _select_matches_within(limit: int) -> Any:
    own = Q(event_table__round__stage__event=limit)
    return Match.objects.filter(own | Q(practice=True))


def _is_public(request: HttpRequest, page: ResolverMatch) -> bool:
    return request.method in SAFE and (page.view_name in PUBLIC or page.route.startswith(API))


def _may_differ_by_visitor(page: ResolverMatch) -> bool:
    """Return whether a public page may look different to players and to visitors.

    Pictures and the API are the same for everyone.
    """
    names = page.kwargs.keys() & {"slug", "public_id", "certificate", "profile"}
    is_same_for_all = page.view_name.endswith("picture") or page.route.startswith(API)
    return bool(names) and not is_same_for_all


def _redirect_limited_session(
    request: HttpRequest, page: ResolverMatch, limit: int
) -> HttpResponse:
    event = Event.objects.filter(pk=limit).only("slug").first()
    if event and page.view_name == MY_TABLE:
        return redirect("my-table", event.slug)
    return redirect_to_reauthentication(request)
