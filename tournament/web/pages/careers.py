"""Public page about a player, across all events."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.careers.queries import find_profile, load_career
from tournament.pure.rating import LEAST_MATCHES


@require_safe
@never_cache
def player_career(request: HttpRequest, profile: str) -> HttpResponse:
    """Show a player's public page, if the player has turned it on."""
    public_profile = find_profile(profile)
    if public_profile is None:
        raise Http404
    shown_career = load_career(public_profile)
    is_own = request.user.is_authenticated and request.user.pk == public_profile.user_id
    context = {"career": shown_career, "own": is_own, "least": LEAST_MATCHES}
    response = render(request, "tournament/careers/career.html", context)
    if not public_profile.listed:
        response["X-Robots-Tag"] = "noindex"
    return response
