"""Check that sockets are opened only from the site's own pages.

Browsers send the site's cookies even if a page of another site opens a socket. The same check
protects forms that visitors may send without a cookie.
"""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from games.process.asgi import Scope

logger = logging.getLogger(__name__)


def is_foreign(scope: Scope) -> bool:
    """Return whether a socket was opened by a page of another site, and log it if so.

    The scheme, host and port of the origin must be those of this site. Entries of
    CSRF_TRUSTED_ORIGINS are accepted as well, for a proxy that changes the Host header.
    """
    if is_allowed(scope):
        return False
    origin = [value for name, value in scope["headers"] if name == b"origin"]
    logger.warning("Socket refused, its Origin is %.200s at %.200s", origin, scope["path"])
    return True


async def refuse(receive: Any, send: Any) -> None:
    """Close the socket before accepting it. The client sees HTTP 403."""
    await receive()
    await send({"type": "websocket.close"})


def is_allowed(scope: Scope) -> bool:
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    return len(origins) == 1 and _is_own_origin(origins[0].decode("latin-1"), own_origin(scope))


def is_same_site_post(request: HttpRequest) -> bool:
    """Return whether the form was sent by a page of this site.

    Browsers send the origin with every POST request, so this check needs no cookie.
    """
    return _is_own_origin(
        request.headers.get("origin", ""), f"{request.scheme}://{request.get_host()}"
    )


def _is_own_origin(origin: str, own_origin: str | None) -> bool:
    return origin.lower() in (*settings.CSRF_TRUSTED_ORIGINS, own_origin and own_origin.lower())


def own_origin(scope: Scope) -> str | None:
    """Return this site's origin as the client sees it, such as `https://cards.example.edu`.

    Returns None if the Host header is not allowed.
    """
    request = HttpRequest()
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper().replace("-", "_")
        request.META[f"HTTP_{key}"] = value.decode("latin-1")
    if scope.get("server"):
        request.META["SERVER_NAME"], request.META["SERVER_PORT"] = map(str, scope["server"])
    try:
        host = request.get_host().lower()
    except DisallowedHost:
        return None
    # uvicorn sets the scheme from a proxy's header if it trusts that proxy.
    secure = scope.get("scheme") == "wss"
    return f"{'https' if secure else 'http'}://{host}"
