"""The winner's announcement, which replaces all hall screens for a while."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.hall.winner_screen import count_seconds_left, find_announcement
from tournament.models import Event

TEMPLATE = "tournament/hall/winner_hall.html"


@dataclass(frozen=True)
class AnnouncementTurn:
    """The turn of the winner's announcement on a hall screen.

    * `seconds`: how long it is shown.
    * `following`: the query of the next URL, like `Rotation.following`.
    * `past`: an identifier of the announcement.
    """

    seconds: int
    following: str
    past: int


def render_announcement(request: HttpRequest, event: Event) -> HttpResponse | None:
    """Return the screen with the announcement, or None to show the requested screen."""
    seconds = count_seconds_left(event, read_number(request, "past"))
    announcement = find_announcement(event) if seconds else None
    if announcement is None or announcement.since is None:
        return None
    past = int(announcement.since.timestamp())
    query = request.GET.copy()
    query["past"] = str(past)
    turn = AnnouncementTurn(seconds, "?" + query.urlencode(safe=","), past)
    return render(
        request, TEMPLATE, {"event": event, "moment": announcement, "rotation": turn, "past": past}
    )


def read_number(request: HttpRequest, name: str, default: int = 0) -> int:
    """Return a whole number from the query, or the default for invalid input."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= 12 else default
