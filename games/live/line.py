"""The socket's own pings, which a browser's network code answers and no script of a page can delay.

Uvicorn measures them and tells nobody; `MeasuredProtocol` hands each round trip to the socket that
asked for it through the connection's scope, as ASGI's extensions are.
"""

from collections.abc import Callable

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from games.process.asgi import Scope

EXTENSION = "lastcard.pings"
# `ws=` of a server that measures.
PROTOCOL = f"{__name__}:MeasuredProtocol"
MEASURE_SECONDS = 2.0


class MeasuredProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's socket with an extension: `scope["extensions"][EXTENSION](told)` begins to measure.

    From then on a ping goes out every MEASURE_SECONDS, and `told(seconds)` is called on the loop
    after each answer.
    """

    _told: Callable[[float], None] | None = None

    def handle_connect(self, event: object) -> None:
        super().handle_connect(event)  # type: ignore[arg-type]
        if hasattr(self, "scope"):
            extensions: Scope = self.scope["extensions"]
            extensions[EXTENSION] = self._measure

    def handle_pong(self, event: Frame) -> None:
        awaited = self.pending_ping_payload
        super().handle_pong(event)
        if self._told is not None and awaited is not None and self.pending_ping_payload is None:
            self._told(self.last_ping_rtt)

    def _measure(self, told: Callable[[float], None]) -> None:
        self._told, self.ping_interval = told, MEASURE_SECONDS
        if self.ping_timer is not None:
            self.ping_timer.cancel()
            self.send_keepalive_ping()


def measure(scope: Scope, told: Callable[[float], None]) -> None:
    """Have `told` hear each round trip of this connection's pings; never where no server can."""
    begin = scope.get("extensions", {}).get(EXTENSION)
    if begin is not None:
        begin(told)
