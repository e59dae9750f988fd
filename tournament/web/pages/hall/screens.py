"""A single address for the projector, where seating, leaderboard and other screens rotate."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournament.hall.live_boards import event_boards
from tournament.hall.queries import group_by_letter, tables
from tournament.hall.tree import tree
from tournament.hall.winner_screen import moment
from tournament.models import Event, Round
from tournament.planning.qualification_odds import bracket_with_chances
from tournament.stages.winners import is_decided
from tournament.web.live.boards import board_context
from tournament.web.pages.hall.moments import TEMPLATE, number_in, taken_over
from tournament.web.pages.site.shared import event_or_404

SECONDS, LEAST, MOST = 20, 5, 600
Context = dict[str, object]


@dataclass(frozen=True)
class Rotation:
    """The screens in `pages` that have something to show, in order; `at` is the current one.

    `asked`: the screens that take turns once they have something to show; if empty, all do.
    `past`: announcements of winners up to this one are over on this screen.
    """

    asked: tuple[str, ...]
    pages: tuple[str, ...]
    at: int
    seconds: int
    past: int

    @property
    def now(self) -> str:
        return self.pages[self.at]

    @property
    def following(self) -> str:
        """The query of the next page."""
        chosen: dict[str, object] = {"pages": ",".join(self.asked)} if self.asked else {}
        chosen |= {"seconds": self.seconds, "at": (self.at + 1) % len(self.pages)}
        return "?" + urlencode(chosen | ({"past": self.past} if self.past else {}), safe=",")


def rotation(request: HttpRequest, available: set[str]) -> Rotation:
    """Return those of the requested screens that have something to show.

    Without a request, return all available screens, or at least the leaderboard.
    """
    asked = _read_pages(request)
    pages = tuple(page for page in asked or SCREENS if page in available) or ("leaderboard",)
    return Rotation(
        asked,
        pages,
        number_in(request, "at") % len(pages),
        min(MOST, max(LEAST, number_in(request, "seconds", SECONDS))),
        number_in(request, "past"),
    )


def _read_pages(request: HttpRequest) -> tuple[str, ...]:
    given = ",".join(request.GET.getlist("pages"))
    return tuple(page for page in given.split(",") if page in SCREENS)


def available(event: Event) -> set[str]:
    """Return the screens that have something to show."""
    return _find_lasting(event) | ({"live"} if event_boards(event) else set())


def _find_lasting(event: Event) -> set[str]:
    """Return the screens that have something to show, except that of the tables in play."""
    found = {"leaderboard"}
    if _has_seats_to_show(event):
        found |= {"seating", "names", "clock"}
    if event.stages.filter(qualifiers__isnull=False).exists():
        found.add("bracket")
    if moment(event):
        found.add("winner")
    return found


def _has_seats_to_show(event: Event) -> bool:
    """Return whether there are seats worth showing.

    There are from the first published round until the event is decided; after that no one has a
    seat.
    """
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    over = event.state == Event.State.FINISHED or is_decided(event, None)
    return not over and rounds.exists()


def choices(event: Event) -> list[tuple[str, str]]:
    """Return the screens that can take turns, each with its title.

    The winner and the live tables are offered too, and are shown once there are any.
    """
    shown = _find_lasting(event) | {"winner", "live"}
    return [(screen, str(TITLES[screen])) for screen in SCREENS if screen in shown]


def _build_seating(event: Event) -> Context:
    return {"current": tables(event)[0], "by_name": False}


def _build_names(event: Event) -> Context:
    current = tables(event)[0]
    return {"current": current, "by_name": True, "names": group_by_letter(current)}


def _build_clock(event: Event) -> Context:
    return {"current": tables(event)[0]}


def _build_live(event: Event) -> Context:
    return {"boards": event_boards(event)}


def _build_leaderboard(event: Event) -> Context:
    return dict(board_context(event))


def _build_bracket(event: Event) -> Context:
    found = bracket_with_chances(event, public=True)
    shown = tree(found) if found else None
    return {"bracket": found, "tree": shown}


def _build_winner(event: Event) -> Context:
    return {"moment": moment(event)}


# Each with its template; without `?pages` they take turns in this order.
SCREENS: dict[str, tuple[str, Callable[[Event], Context]]] = {
    "winner": (TEMPLATE, _build_winner),
    "seating": ("tournament/rounds/tables_hall.html", _build_seating),
    "names": ("tournament/rounds/tables_hall.html", _build_names),
    "live": ("tournament/hall/live_hall.html", _build_live),
    "leaderboard": ("tournament/standings/leaderboard_hall.html", _build_leaderboard),
    "bracket": ("tournament/stages/bracket_hall.html", _build_bracket),
    "clock": ("tournament/hall/clock_hall.html", _build_clock),
}


TITLES = {
    "winner": gettext_lazy("Winner, once announced"),
    "seating": gettext_lazy("Seats by table"),
    "names": gettext_lazy("Seats by name"),
    "live": gettext_lazy("Live tables"),
    "leaderboard": gettext_lazy("Leaderboard"),
    "bracket": gettext_lazy("Bracket"),
    "clock": gettext_lazy("Clock"),
}


@require_safe
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the current hall screen.

    `?pages=seating,clock&seconds=30` selects the screens and how long each is shown.
    """
    event = event_or_404(request, slug)
    asked = _read_pages(request)
    if (not asked or "winner" in asked) and (page := taken_over(request, event)):
        return page
    turn = rotation(request, available(event))
    template, context = SCREENS[turn.now]
    return render(request, template, {**context(event), "event": event, "rotation": turn})
