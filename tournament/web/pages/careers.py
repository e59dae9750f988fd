"""A player's public page over several events."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.careers.queries import career, find_profile
from tournament.pure.rating import LEAST_MATCHES


@require_safe
@never_cache
def player_career(request: HttpRequest, profile: str) -> HttpResponse:
    """Show the page that a player has opened at this address, as long as it is open."""
    opened = find_profile(profile)
    if opened is None:
        raise Http404
    found = career(opened)
    own = request.user.is_authenticated and request.user.pk == opened.user_id
    context = {"career": found, "own": own, "least": LEAST_MATCHES}
    answer = render(request, "tournament/careers/career.html", context)
    if not opened.listed:
        answer["X-Robots-Tag"] = "noindex"
    return answer
