"""Middleware for all pages, and the rate limit per address."""

import time
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from games.process.client_network import HOUSEHOLD_BITS, counting_network
from games.queries import holder_of, player_of
from tournament.site.address import use_site_address

GetResponse = Callable[[HttpRequest], HttpResponse]
NO_PERMISSIONS = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"


def mark_personal_pages_private(get_response: GetResponse) -> GetResponse:
    """Return middleware that keeps pages of signed-in users and guests out of caches.

    This includes the browser's cache for the Back button.
    """

    def mark_private(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Reading the user would load the session, and slow down pages that do not need it.
        if request.session.accessed and holder_of(player_of(request)) is not None:
            add_never_cache_headers(response)
        # The language may come from a cookie too.
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Permissions-Policy", NO_PERMISSIONS)
        return response

    return mark_private


def reset_time_zone(get_response: GetResponse) -> GetResponse:
    """Return middleware that resets the time zone after each request.

    Pages of an event activate the event's zone.
    """

    def reset_zone(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return reset_zone


def set_site_address(get_response: GetResponse) -> GetResponse:
    """Return middleware that sets the site's URL from the request, for links in emails."""

    def set_address(request: HttpRequest) -> HttpResponse:
        with use_site_address(request.build_absolute_uri("/")):
            return get_response(request)

    return set_address


def address_of(request: HttpRequest, bits: int = HOUSEHOLD_BITS) -> str:
    """Return the visitor's IPv4 address or IPv6 network, for rate limits.

    Headers are ignored, because anyone can forge them. If FORWARDED_ALLOW_IPS includes the proxy,
    uvicorn has already replaced the proxy's address with the visitor's.
    """
    return counting_network(str(request.META.get("REMOTE_ADDR", "")), bits)


def count_requests_in_minute(request: HttpRequest, kind: str) -> int:
    """Count this request, and return the number of requests from its address in this minute.

    Each `kind` of request is counted separately.
    """
    key = f"{kind}:{address_of(request)}:{current_minute()}"
    # The counter lives longer than a minute, so that it cannot expire before it is incremented.
    cache.add(key, 0, 120)
    try:
        return int(cache.incr(key))
    except ValueError:
        # Redis has just become unavailable, and the process's own cache lacks the key.
        return 1


def current_minute() -> int:
    return int(time.time() // 60)
