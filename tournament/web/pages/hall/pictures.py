"""Preview images of pages for sharing, and an event's calendar file."""

import hashlib

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.models import Match
from games.rules.ruleset.rulesets import RULE_SETS
from tournament.hall.sharing import (
    find_public_table,
    make_event_preview,
    make_leaderboard_preview,
    make_player_preview,
    make_table_preview,
)
from tournament.hall.site_previews import (
    make_home_preview,
    make_practice_preview,
    make_rule_sets_preview,
    make_rules_preview,
)
from tournament.pure.files.picture import Picture, draw_picture
from tournament.registration.calendars import event_calendar as calendar_of
from tournament.stages.winners import winner
from tournament.standings.queries import leaderboard
from tournament.web.pages.site.shared import (
    chosen_stage,
    event_or_404,
    player_or_404,
    stages_begun,
)

# The server can cache an image for a day, because it depends only on its text. Browsers have to
# request it again sooner, because the text may have changed.
CACHE_SECONDS, MAX_AGE_SECONDS = 24 * 3600, 300


@require_safe
def event_picture(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(request, slug)
    return _serve_picture(make_event_preview(event, winner(event)).picture)


@require_safe
def leaderboard_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve an image of the leaderboard. The query parameter `stage` selects a single stage."""
    event = event_or_404(request, slug)
    stage = chosen_stage(request, stages_begun(event))
    return _serve_picture(make_leaderboard_preview(leaderboard(event, stage)).picture)


@require_safe
def home_picture(_request: HttpRequest) -> HttpResponse:
    return _serve_picture(make_home_preview().picture)


@require_safe
def practice_picture(_request: HttpRequest) -> HttpResponse:
    return _serve_picture(make_practice_preview().picture)


@require_safe
def rule_sets_picture(_request: HttpRequest) -> HttpResponse:
    return _serve_picture(make_rule_sets_preview().picture)


@require_safe
def rules_picture(_request: HttpRequest, ruleset: str) -> HttpResponse:
    if ruleset not in RULE_SETS:
        raise Http404
    return _serve_picture(make_rules_preview(RULE_SETS[ruleset]).picture)


@require_safe
def player_picture(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    event = event_or_404(request, slug)
    return _serve_picture(make_player_preview(event, player_or_404(event, number)).picture)


@require_safe
def match_picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """Serve an image of an event's match. Raises Http404 for a practice match."""
    match = Match.objects.filter(public_id=public_id).first()
    table = find_public_table(match) if match else None
    if table is None:
        raise Http404
    return _serve_picture(make_table_preview(table).picture)


def _serve_picture(picture: Picture) -> HttpResponse:
    key = "picture-" + hashlib.sha256(repr(picture).encode()).hexdigest()[:32]
    content = cache.get_or_set(key, lambda: draw_picture(picture), CACHE_SECONDS)
    headers = {"Cache-Control": f"public, max-age={MAX_AGE_SECONDS}"}
    return HttpResponse(content, content_type="image/png", headers=headers)


@require_safe
def event_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the event as a calendar file for phones and computers."""
    event = event_or_404(request, slug)
    text = calendar_of(event)
    if not text:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{event.slug}.ics"'}
    return HttpResponse(text, content_type="text/calendar; charset=utf-8", headers=headers)
