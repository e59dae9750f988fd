"""Middleware for every page: rate limits, headers and the time zone."""

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


def private_pages(get_response: GetResponse) -> GetResponse:
    """Keep the pages of signed-in users and guests out of every cache.

    This includes the browser cache for the Back button.
    """

    def mark_private(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Reading the user would open the session and slow down pages that need neither.
        if request.session.accessed and holder_of(player_of(request)) is not None:
            add_never_cache_headers(response)
        # The language may also come from a cookie.
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Permissions-Policy", NO_PERMISSIONS)
        return response

    return mark_private


def own_zone(get_response: GetResponse) -> GetResponse:
    """Reset the time zone after each request.

    An event's page activates the event's time zone.
    """

    def reset_zone(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return reset_zone


def own_address(get_response: GetResponse) -> GetResponse:
    """Use the address of the visitor's request for links in emails that the request causes."""

    def set_address(request: HttpRequest) -> HttpResponse:
        with use_site_address(request.build_absolute_uri("/")):
            return get_response(request)

    return set_address


def address_of(request: HttpRequest, bits: int = HOUSEHOLD_BITS) -> str:
    """Return the sender's address for rate limits: an IPv4 address or an IPv6 network.

    Headers are not read here, because anyone can forge them. Behind a proxy, uvicorn has already
    replaced the proxy's address with the visitor's, if FORWARDED_ALLOW_IPS includes that proxy.
    """
    return counting_network(str(request.META.get("REMOTE_ADDR", "")), bits)


def count_requests_in_minute(request: HttpRequest, kind: str) -> int:
    """Count this request and return how many came from its address in this minute.

    Requests are counted separately for each `kind`.
    """
    key = f"{kind}:{address_of(request)}:{minute()}"
    # The counter lives longer than a minute, so that it cannot expire between these lines.
    cache.add(key, 0, 120)
    try:
        return int(cache.incr(key))
    except ValueError:
        # Redis became unavailable in between, and the process's own cache does not have the key.
        return 1


def minute() -> int:
    return int(time.time() // 60)
