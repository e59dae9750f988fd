"""Closing page of an event, with the podium, the event's records and pictures to share."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournament.careers.queries import find_public_pages
from tournament.events.closing.figures import Figure, Figures, figures
from tournament.hall.directory import select_public_players
from tournament.models import Event, Registration
from tournament.stages.winners import podium, winner
from tournament.web.pages.site.shared import event_or_404, own_registration


@require_safe
def show_closing(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the closing page once the winner is announced and all places are public."""
    event = event_or_404(request, slug)
    event_podium = podium(event)
    if not event_podium.steps:
        raise Http404
    event_figures = figures(event)
    context = {
        "event": event,
        "winner": winner(event),
        "podium": event_podium,
        "careers": find_public_pages(event),
        "figures": event_figures,
        "bests": _list_best_figures(event, event_figures),
        "mine": _find_own_registration(request, event),
    }
    return render(request, "tournament/closing/closing.html", context)


@dataclass(frozen=True)
class BestFigure:
    """A record that was set at the event, such as the longest hand.

    `text` is its value in words. `people` are the record holders who may be named in public.
    """

    title: str
    text: str
    people: list[Registration]
    link: str


def _list_best_figures(event: Event, figures: Figures) -> list[BestFigure]:
    records = [
        (title, text, figure) for title, text, figure in _iterate_best_figures(figures) if figure
    ]
    keys = {pk for _title, _text, figure in records for pk in figure.whose}
    named_people = {
        registration.pk: registration
        for registration in select_public_players(event).filter(pk__in=keys)
    }
    return [
        BestFigure(
            title,
            text,
            [named_people[pk] for pk in figure.whose if pk in named_people],
            figure.link,
        )
        for title, text, figure in records
    ]


def _iterate_best_figures(figures: Figures) -> Iterator[tuple[str, str, Figure | None]]:
    """Yield the title, the value in words and the figure of each record."""
    n = _count_or_zero(figures.longest)
    yield _("Longest hand"), ngettext("{n} move", "{n} moves", n).format(n=n), figures.longest
    n = _count_or_zero(figures.draws)
    yield _("Most +4s played"), ngettext("{n} card", "{n} cards", n).format(n=n), figures.draws
    n = _count_or_zero(figures.hands_won)
    yield _("Most hands won"), ngettext("{n} hand", "{n} hands", n).format(n=n), figures.hands_won
    n = _count_or_zero(figures.comeback)
    text = ngettext("won from {n} point behind", "won from {n} points behind", n)
    yield _("Biggest comeback"), text.format(n=n), figures.comeback


def _count_or_zero(figure: Figure | None) -> int:
    return figure.count if figure else 0


def _find_own_registration(request: HttpRequest, event: Event) -> Registration | None:
    """Return the visitor's registration if the visitor has a picture to share, or None."""
    registration = own_registration(request, event)
    return (
        registration
        if registration and select_public_players(event).filter(pk=registration.pk).exists()
        else None
    )
