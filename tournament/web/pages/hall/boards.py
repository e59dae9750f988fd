"""Live boards of the tables in play, as an HTML fragment that pages fetch every two seconds.

The fragment is the same for all visitors and is requested without cookies, so that the page cache
can serve it.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe

from tournament.events.publicity import public_events
from tournament.hall.live_boards import LiveBoard, event_boards, home_boards
from tournament.models import Event
from tournament.rounds.live_tables import annotate_in_play, annotate_players
from tournament.web.pages.site.shared import event_or_404

TEMPLATE = "tournament/hall/live_boards.html"


@require_safe
def show_home_boards(request: HttpRequest) -> HttpResponse:
    running: Any = annotate_in_play(annotate_players(public_events()))
    running = running.filter(state=Event.State.RUNNING, in_play=True)
    # In the same order as on the home page.
    running = running.order_by("-players", "-starts_at", "-pk")
    with translation.override(_choose_language(request)):
        return _render_boards(request, home_boards(running), with_event=True)


@require_safe
def show_event_boards(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(request, slug)
    with translation.override(_choose_language(request)):
        return _render_boards(request, event_boards(event), with_event=False)


def _choose_language(request: HttpRequest) -> str:
    """Return the language from the query, because the request has no language cookie."""
    language = request.GET.get("in", "")
    return language if language in dict(settings.LANGUAGES) else translation.get_language() or "en"


def _render_boards(
    request: HttpRequest, boards: Sequence[LiveBoard], *, with_event: bool
) -> HttpResponse:
    return render(request, TEMPLATE, {"boards": boards, "with_event": with_event})
