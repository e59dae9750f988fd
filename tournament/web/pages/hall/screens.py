"""Hall screens that rotate at a single URL, such as the seating and the leaderboard."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournament.hall.live_boards import event_boards
from tournament.hall.queries import group_by_letter, tables
from tournament.hall.tree import build_tree
from tournament.hall.winner_screen import find_announcement
from tournament.models import Event, Round
from tournament.planning.qualification_odds import bracket_with_chances
from tournament.stages.winners import is_decided
from tournament.web.live.boards import board_context
from tournament.web.pages.hall.moments import TEMPLATE, read_number, render_announcement
from tournament.web.pages.site.shared import event_or_404

DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS = 20, 5, 600
Context = dict[str, object]


@dataclass(frozen=True)
class Rotation:
    """The screens that rotate, and the current one.

    * `asked`: the requested screens, or () for all.
    * `pages`: those of the requested screens that have something to show, in order.
    * `at`: the position of the current screen in `pages`.
    * `seconds`: how long a screen is shown.
    * `past`: an identifier of the winner's announcement that was already shown.
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
        """The query of the URL for the next screen."""
        chosen: dict[str, object] = {"pages": ",".join(self.asked)} if self.asked else {}
        chosen |= {"seconds": self.seconds, "at": (self.at + 1) % len(self.pages)}
        return "?" + urlencode(chosen | ({"past": self.past} if self.past else {}), safe=",")


def choose_rotation(request: HttpRequest, available: set[str]) -> Rotation:
    """Return the rotation of the requested screens that have something to show.

    If the query selects no screens, all available screens rotate. The leaderboard is shown if
    nothing else is available.
    """
    requested = _read_pages(request)
    pages = tuple(page for page in requested or SCREENS if page in available) or ("leaderboard",)
    return Rotation(
        requested,
        pages,
        read_number(request, "at") % len(pages),
        min(MAX_SECONDS, max(MIN_SECONDS, read_number(request, "seconds", DEFAULT_SECONDS))),
        read_number(request, "past"),
    )


def _read_pages(request: HttpRequest) -> tuple[str, ...]:
    names = ",".join(request.GET.getlist("pages"))
    return tuple(page for page in names.split(",") if page in SCREENS)


def find_available_screens(event: Event) -> set[str]:
    """Return the screens that have something to show."""
    return _find_permanent_screens(event) | ({"live"} if event_boards(event) else set())


def _find_permanent_screens(event: Event) -> set[str]:
    """Return the screens that have something to show, except for the tables in play."""
    screens = {"leaderboard"}
    if _has_seats_to_show(event):
        screens |= {"seating", "names", "clock"}
    if event.stages.filter(qualifiers__isnull=False).exists():
        screens.add("bracket")
    if find_announcement(event):
        screens.add("winner")
    return screens


def _has_seats_to_show(event: Event) -> bool:
    """Return whether there are seats to show.

    Seats are shown from the first published round until the event is decided.
    """
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    is_over = event.state == Event.State.FINISHED or is_decided(event, None)
    return not is_over and rounds.exists()


def list_screen_choices(event: Event) -> list[tuple[str, str]]:
    """Return the key and title of each screen that can be selected.

    The winner and the live tables can always be selected. They are shown as soon as they have
    something to show.
    """
    offered = _find_permanent_screens(event) | {"winner", "live"}
    return [(screen, str(TITLES[screen])) for screen in SCREENS if screen in offered]


def _build_seating_context(event: Event) -> Context:
    return {"current": tables(event)[0], "by_name": False}


def _build_names_context(event: Event) -> Context:
    current = tables(event)[0]
    return {"current": current, "by_name": True, "names": group_by_letter(current)}


def _build_clock_context(event: Event) -> Context:
    return {"current": tables(event)[0]}


def _build_live_context(event: Event) -> Context:
    return {"boards": event_boards(event)}


def _build_leaderboard_context(event: Event) -> Context:
    return dict(board_context(event))


def _build_bracket_context(event: Event) -> Context:
    bracket_view = bracket_with_chances(event, public=True)
    bracket_tree = build_tree(bracket_view) if bracket_view else None
    return {"bracket": bracket_view, "tree": bracket_tree}


def _build_winner_context(event: Event) -> Context:
    return {"moment": find_announcement(event)}


# The template and context of each screen. The screens rotate in this order by default.
SCREENS: dict[str, tuple[str, Callable[[Event], Context]]] = {
    "winner": (TEMPLATE, _build_winner_context),
    "seating": ("tournament/rounds/tables_hall.html", _build_seating_context),
    "names": ("tournament/rounds/tables_hall.html", _build_names_context),
    "live": ("tournament/hall/live_hall.html", _build_live_context),
    "leaderboard": ("tournament/standings/leaderboard_hall.html", _build_leaderboard_context),
    "bracket": ("tournament/stages/bracket_hall.html", _build_bracket_context),
    "clock": ("tournament/hall/clock_hall.html", _build_clock_context),
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
def show_hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the current hall screen.

    For example, `?pages=seating,clock&seconds=30` shows two screens for 30 seconds each.
    """
    event = event_or_404(request, slug)
    requested = _read_pages(request)
    if (not requested or "winner" in requested) and (page := render_announcement(request, event)):
        return page
    current = choose_rotation(request, find_available_screens(event))
    template, context = SCREENS[current.now]
    return render(request, template, {**context(event), "event": event, "rotation": current})
