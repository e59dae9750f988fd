"""The canonical URL of a public page, independent of the requested URL."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

# URL names of the public pages. All others are personal, or steps of a process.
PUBLIC = frozenset(
    {
        *("home", "rule-sets", "rules", "api", "privacy", "games:practice"),
        *("event", "event-rules", "event-leaderboard", "event-bracket", "event-closing"),
        *("event-people", "event-player", "event-tables", "event-results", "event-history"),
        *("games:table", "games:result", "games:fair", "games:review", "games:replay"),
    }
)
# Projector screens and embedded frames show the content of another page.
CONTENT_PAGES = {"event-hall": "event", "event-embed": "event-leaderboard"}
# Query parameters that select different content. All others are dropped.
CONTENT_PARAMETERS = {"event-leaderboard": ("stage",)}


def canonical_address(request: HttpRequest) -> str:
    """Return the absolute canonical URL of the requested page.

    Returns "" if the page is not the same for everyone.
    """
    match = request.resolver_match
    if match is None:
        return ""
    name = CONTENT_PAGES.get(match.view_name, match.view_name)
    if name not in PUBLIC:
        return ""
    parameters = {
        key: request.GET[key] for key in CONTENT_PARAMETERS.get(name, ()) if key in request.GET
    }
    path = reverse(name, args=match.args, kwargs=match.kwargs)
    return request.build_absolute_uri(f"{path}?{urlencode(parameters)}" if parameters else path)
