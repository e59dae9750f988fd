"""One address for the projector: seating, leaderboard, bracket and clock take turns."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournament.events.pages.events import by_letter
from tournament.hall.queries import tables
from tournament.models import Event, Round
from tournament.planning.outlook import bracket_told
from tournament.site.pages.shared import event_or_404
from tournament.stages.tree import tree
from tournament.stages.winners import winner
from tournament.standings.live.boards import board_context

SECONDS, LEAST, MOST = 20, 5, 600
Context = dict[str, object]


@dataclass(frozen=True)
class Rotation:
    """`pages` that have something to show, in their order; `at` is the one that is shown now."""

    pages: tuple[str, ...]
    at: int
    seconds: int

    @property
    def now(self) -> str:
        return self.pages[self.at]

    @property
    def following(self) -> str:
        """The query of the page that comes next."""
        chosen = {"pages": ",".join(self.pages), "seconds": self.seconds}
        return "?" + urlencode(chosen | {"at": (self.at + 1) % len(self.pages)}, safe=",")


def rotation(request: HttpRequest, shown: set[str]) -> Rotation:
    """What the address asks for, as far as it can be had; else all there is, or the leaderboard."""
    given = ",".join(request.GET.getlist("pages"))
    asked = [page for page in given.split(",") if page in SCREENS]
    pages = tuple(page for page in asked or SCREENS if page in shown) or ("leaderboard",)
    return Rotation(
        pages,
        _number(request, "at", 0) % len(pages),
        min(MOST, max(LEAST, _number(request, "seconds", SECONDS))),
    )


def _number(request: HttpRequest, name: str, default: int) -> int:
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and len(given) < 6 else default


def available(event: Event) -> set[str]:
    """The screens that have something to show now."""
    found = {"leaderboard"}
    if Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).exists():
        found |= {"seating", "names", "clock"}
    if event.stages.filter(qualifiers__isnull=False).exists():
        found.add("bracket")
    return found


def choices(event: Event) -> list[tuple[str, str]]:
    """The screens that can take turns now, each with its title."""
    shown = available(event)
    return [(screen, str(TITLES[screen])) for screen in SCREENS if screen in shown]


def _seating(event: Event) -> Context:
    return {"current": tables(event)[0], "by_name": False}


def _names(event: Event) -> Context:
    current = tables(event)[0]
    return {"current": current, "by_name": True, "names": by_letter(current)}


def _clock(event: Event) -> Context:
    return {"current": tables(event)[0]}


def _leaderboard(event: Event) -> Context:
    return dict(board_context(event))


def _bracket(event: Event) -> Context:
    found = bracket_told(event, public=True)
    shown = tree(found) if found else None
    return {"bracket": found, "tree": shown, "winner": winner(event)}


# Each with its template; without `?pages` they take turns in this order.
SCREENS: dict[str, tuple[str, Callable[[Event], Context]]] = {
    "seating": ("tournament/rounds/tables_hall.html", _seating),
    "names": ("tournament/rounds/tables_hall.html", _names),
    "leaderboard": ("tournament/standings/leaderboard_hall.html", _leaderboard),
    "bracket": ("tournament/stages/bracket_hall.html", _bracket),
    "clock": ("tournament/hall/clock_hall.html", _clock),
}


TITLES = {
    "seating": gettext_lazy("Seats by table"),
    "names": gettext_lazy("Seats by name"),
    "leaderboard": gettext_lazy("Leaderboard"),
    "bracket": gettext_lazy("Bracket"),
    "clock": gettext_lazy("Clock"),
}


@require_safe
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """`?pages=seating,clock&seconds=30` chooses which, and for how long each stands."""
    event = event_or_404(request, slug)
    turn = rotation(request, available(event))
    template, context = SCREENS[turn.now]
    return render(request, template, {**context(event), "event": event, "rotation": turn})
