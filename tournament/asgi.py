"""ASGI entry point: pages, sockets, and what every process runs beside them."""

import asyncio
import contextlib
import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
pages = get_asgi_application()

# These need the settings and the models that the line above has loaded.
from channels.routing import URLRouter  # noqa: E402
from django.urls import re_path  # noqa: E402

from games.language import Languages  # noqa: E402
from games.live import background, origin  # noqa: E402
from games.live.identity import SessionAuth  # noqa: E402
from games.live.routing import websocket_urlpatterns as table_sockets  # noqa: E402
from tournament.live.routing import websocket_urlpatterns as event_sockets  # noqa: E402
from tournament.plumbing import mail  # noqa: E402

refuse: Any = origin.refuse
unknown = re_path("", refuse)
routes = URLRouter([*table_sockets, *event_sockets, unknown])
sockets = origin.SameOrigin(Languages(SessionAuth(routes)))


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Hand each connection to pages or sockets; start and stop with the server."""
    match scope["type"]:
        case "http":
            await pages(scope, receive, send)
        case "websocket":
            await sockets(scope, receive, send)
        case "lifespan":
            await lifespan(receive, send)


async def lifespan(receive: Any, send: Any) -> None:
    """Run relay, sweep and ticker from the server's start to its end, and send the last mail."""
    async with contextlib.AsyncExitStack() as stack:
        assert (await receive())["type"] == "lifespan.startup"
        stack.push_async_callback(asyncio.to_thread, mail.flush)
        await stack.enter_async_context(background.running())
        await send({"type": "lifespan.startup.complete"})
        assert (await receive())["type"] == "lifespan.shutdown"
    await send({"type": "lifespan.shutdown.complete"})
