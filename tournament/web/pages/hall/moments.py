"""The winner's announcement, which replaces any hall screen while it is new."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.hall.winner_screen import moment, seconds_left
from tournament.models import Event

TEMPLATE = "tournament/hall/winner_hall.html"


@dataclass(frozen=True)
class MomentTurn:
    """Turn of the winner's announcement on a screen.

    `seconds` is how long the announcement is shown. `following` is the query of the next address,
    as on rotating screens. `past` identifies the announcement.
    """

    seconds: int
    following: str
    past: int


def taken_over(request: HttpRequest, event: Event) -> HttpResponse | None:
    """Return the screen with the announcement, or None to show the requested screen."""
    left = seconds_left(event, number_in(request, "past"))
    found = moment(event) if left else None
    if found is None or found.since is None:
        return None
    past = int(found.since.timestamp())
    query = request.GET.copy()
    query["past"] = str(past)
    turn = MomentTurn(left, "?" + query.urlencode(safe=","), past)
    return render(
        request, TEMPLATE, {"event": event, "moment": found, "rotation": turn, "past": past}
    )


def number_in(request: HttpRequest, name: str, default: int = 0) -> int:
    """Return a whole number from the query, or the default for anything else."""
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and len(given) <= 12 else default
