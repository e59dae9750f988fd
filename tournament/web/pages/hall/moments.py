"""The winner's moment in place of whatever a screen of the hall shows, while it is new."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.hall.winner_screen import moment, seconds_left
from tournament.models import Event

TEMPLATE = "tournament/hall/winner_hall.html"


@dataclass(frozen=True)
class MomentTurn:
    """Turn of the winner's moment on a screen.

    `seconds` is how long it stays. `following` is the query of the address after it, as on screens
    that take turns. `past` identifies the moment.
    """

    seconds: int
    following: str
    past: int


def taken_over(request: HttpRequest, event: Event) -> HttpResponse | None:
    """Return the screen with the moment, or None if the requested screen is to be shown."""
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
