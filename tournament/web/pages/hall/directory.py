"""Players of an event: a list by name and a page for each, which need no account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.careers.queries import find_public_page
from tournament.hall.directory import people
from tournament.stages.winners import winner
from tournament.web.pages.site.shared import event_or_404, own_registration, player_or_404

TYPED_MOST = 120


@require_safe
def list_people(request: HttpRequest, slug: str) -> HttpResponse:
    """List the event's people.

    `?q=` selects matching names; a single match redirects to that person's page.
    """
    event = event_or_404(request, slug)
    typed = request.GET.get("q", "").strip()[:TYPED_MOST]
    found = people(event, typed)
    if typed and len(found) == 1:
        number = found[0].registration.queue_number
        return redirect(reverse("event-player", args=[event.slug, number]))
    context = {"event": event, "found": found, "typed": typed}
    mine = own_registration(request, event)
    return render(request, "tournament/hall/people.html", {**context, "mine": mine})


@require_safe
def player_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's page for one event."""
    event = event_or_404(request, slug)
    found = player_or_404(event, number)
    first = winner(event)
    context = {"event": event, "player": found, "mine": own_registration(request, event)}
    context["public_page"] = find_public_page(found.registration)
    context["won"] = first is not None and found.registration in first.shared
    return render(request, "tournament/hall/player.html", context)
