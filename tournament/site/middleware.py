"""Middleware around every page: rate limits, headers and the time zone."""

import time
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_vary_headers

from games.process.client_network import HOUSEHOLD_BITS, counting_network
from games.queries import holder_of, player_of
from tournament.site.address import used_at

Answer = Callable[[HttpRequest], HttpResponse]
NOTHING = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"


def private_pages(get_response: Answer) -> Answer:
    """Keep the pages of signed-in users and guests out of every cache.

    This includes the cache of the Back button.
    """

    def mark_private(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # Reading the user would open the session, and so slow down pages that need neither.
        if request.session.accessed and holder_of(player_of(request)) is not None:
            add_never_cache_headers(response)
        # The language too may come from a cookie.
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Permissions-Policy", NOTHING)
        return response

    return mark_private


def own_zone(get_response: Answer) -> Answer:
    """Reset the time zone after each page.

    A page about an event shows times in the event's zone.
    """

    def reset_zone(request: HttpRequest) -> HttpResponse:
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return reset_zone


def own_address(get_response: Answer) -> Answer:
    """Use the address in the visitor's request for links in emails that the request causes."""

    def set_address(request: HttpRequest) -> HttpResponse:
        with used_at(request.build_absolute_uri("/")):
            return get_response(request)

    return set_address


def address_of(request: HttpRequest, bits: int = HOUSEHOLD_BITS) -> str:
    """Return the sender's address for rate limits: one IPv4 address or a whole IPv6 network.

    No header is read here, since anyone may send one. Behind a proxy, uvicorn has replaced the
    proxy's address with the visitor's, if FORWARDED_ALLOW_IPS includes that proxy.
    """
    return counting_network(str(request.META.get("REMOTE_ADDR", "")), bits)


def asked_in_minute(request: HttpRequest, kind: str) -> int:
    """Count this request, and return the number for `kind` from its address in this minute."""
    key = f"{kind}:{address_of(request)}:{minute()}"
    # Kept for longer than the minute: a counter must not end between these lines.
    cache.add(key, 0, 120)
    try:
        return int(cache.incr(key))
    except ValueError:
        # Redis went away in between, and the process's own cache does not know the key.
        return 1


def minute() -> int:
    return int(time.time() // 60)
