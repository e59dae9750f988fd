"""Public list of an event's players, and a page for each of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.careers.queries import find_public_page
from tournament.hall.directory import find_people
from tournament.stages.winners import winner
from tournament.web.pages.site.shared import event_or_404, own_registration, player_or_404

MAX_SEARCH_LENGTH = 120


@require_safe
def list_people(request: HttpRequest, slug: str) -> HttpResponse:
    """List the event's players.

    The query parameter `q` searches for names. A single match redirects to the player's page.
    """
    event = event_or_404(request, slug)
    search_text = request.GET.get("q", "").strip()[:MAX_SEARCH_LENGTH]
    matches = find_people(event, search_text)
    if search_text and len(matches) == 1:
        number = matches[0].registration.queue_number
        return redirect(reverse("event-player", args=[event.slug, number]))
    context = {"event": event, "found": matches, "typed": search_text}
    registration = own_registration(request, event)
    return render(request, "tournament/hall/people.html", {**context, "mine": registration})


@require_safe
def player_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's page for one event."""
    event = event_or_404(request, slug)
    person_view = player_or_404(event, number)
    event_winner = winner(event)
    context = {"event": event, "player": person_view, "mine": own_registration(request, event)}
    context["public_page"] = find_public_page(person_view.registration)
    context["won"] = event_winner is not None and person_view.registration in event_winner.shared
    return render(request, "tournament/hall/player.html", context)
