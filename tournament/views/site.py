"""Pages that belong to no event: robots, health, icon."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

ROBOTS = """User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /m/
Disallow: /my-events/
Disallow: /my-table/
"""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while this process reaches the database; for load balancers and monitors."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Where browsers look that have not read any page."""
    return redirect(static("img/favicon.svg"))
