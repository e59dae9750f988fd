"""Pages that belong to no event: robots.txt, icon and errors."""

import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from games.process import here
from games.process.db import DATABASE_DOWN
from tournament.site.transient_errors import is_temporary

# Bots that preview shared links may also read results and replays.
ROBOTS = """User-agent: Twitterbot
User-agent: facebookexternalhit
User-agent: LinkedInBot
User-agent: WhatsApp
Disallow: /accounts/
Disallow: /admin/

User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /m/
Disallow: /my-events/
Disallow: /my-table/
"""


def show_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Show the error page for a malformed request.

    Django's own handler would read the form again for its CSRF token and fail once more.
    """
    return HttpResponse(render_to_string("400.html"), status=400)


def show_failure(request: HttpRequest) -> HttpResponse:
    """Show the page for unexpected errors, with status 503 for temporary ones.

    An error is temporary if a disk is full, or if the database is unavailable, full or read-only.
    """
    error = sys.exc_info()[1]
    if not is_temporary(error):
        return server_error(request)
    if isinstance(error, DATABASE_DOWN):
        here().database.refused = True
    page = render_to_string("503.html")
    return HttpResponse(
        page, status=503, headers={"Retry-After": "60", "Cache-Control": "no-store"}
    )


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect from the default path of the icon, for browsers that have not loaded a page."""
    return redirect(static("img/favicon.ico"))
