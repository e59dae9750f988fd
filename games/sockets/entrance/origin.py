"""Checks that sockets open only from the site's own pages.

Browsers send cookies along with sockets that any site opens. Forms that visitors may send without
a cookie are distinguished from foreign ones in the same way.
"""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest

from games.process.asgi import Scope

logger = logging.getLogger(__name__)


def foreign(scope: Scope) -> bool:
    """Return whether a socket is opened from outside this site, and log it.

    This site means its scheme, host and port. Entries of CSRF_TRUSTED_ORIGINS also belong to it,
    for a proxy that changes the Host header.
    """
    if is_allowed(scope):
        return False
    origin = [value for name, value in scope["headers"] if name == b"origin"]
    logger.warning("Socket refused, its Origin is %.200s at %.200s", origin, scope["path"])
    return True


async def refuse(receive: Any, send: Any) -> None:
    """Close before accepting, which a client sees as HTTP 403."""
    await receive()
    await send({"type": "websocket.close"})


def is_allowed(scope: Scope) -> bool:
    origins = [value for name, value in scope["headers"] if name == b"origin"]
    return len(origins) == 1 and _is_own_origin(origins[0].decode("latin-1"), own_origin(scope))


def posted_here(request: HttpRequest) -> bool:
    """Return whether a page of this site has sent the form.

    Browsers name the origin of everything they post, so a visitor without a cookie needs none
    here.
    """
    return _is_own_origin(
        request.headers.get("origin", ""), f"{request.scheme}://{request.get_host()}"
    )


def _is_own_origin(origin: str, own: str | None) -> bool:
    return origin.lower() in (*settings.CSRF_TRUSTED_ORIGINS, own and own.lower())


def own_origin(scope: Scope) -> str | None:
    """`https://cards.example.edu` as the client sees us; None for a Host that is not ours."""
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
    # uvicorn has made it of a proxy's header, if it may believe that proxy.
    secure = scope.get("scheme") == "wss"
    return f"{'https' if secure else 'http'}://{host}"
