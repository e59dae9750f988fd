"""Canonical address of a public page, whatever address was requested."""

from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

# URL names of the public pages; all others are personal or a step.
PUBLIC = frozenset(
    {
        *("home", "rule-sets", "rules", "api", "privacy", "games:practice"),
        *("event", "event-rules", "event-leaderboard", "event-bracket", "event-closing"),
        *("event-people", "event-player", "event-tables", "event-results", "event-history"),
        *("games:table", "games:result", "games:fair", "games:review", "games:replay"),
    }
)
# Screens and frames show what another page shows.
SHOWN_BY = {"event-hall": "event", "event-embed": "event-leaderboard"}
# Only these query parameters select other content; any other leads to the same page.
CHOOSING = {"event-leaderboard": ("stage",)}


def canonical_address(request: HttpRequest) -> str:
    """Return the absolute canonical address of the requested page.

    Return "" if the page is not the same for everyone.
    """
    found = request.resolver_match
    if found is None:
        return ""
    name = SHOWN_BY.get(found.view_name, found.view_name)
    if name not in PUBLIC:
        return ""
    chosen = {key: request.GET[key] for key in CHOOSING.get(name, ()) if key in request.GET}
    path = reverse(name, args=found.args, kwargs=found.kwargs)
    return request.build_absolute_uri(f"{path}?{urlencode(chosen)}" if chosen else path)
