"""Sending to a client without waiting for it."""

from collections.abc import Awaitable, Callable
from typing import Any

from games.process.asgi import AsgiEvent

Send = Callable[[AsgiEvent], Awaitable[None]]
# What a server raises when the connection has ended, and when it is ending it by itself.
CLOSED = (OSError, RuntimeError)


def send_now(send: Send, event: AsgiEvent) -> bool:
    """Send if the client has taken what was sent before, and return whether that was done.

    uvicorn's `send` waits only before it writes, so that nothing has been sent where it would wait.
    """
    sending: Any = send(event)
    try:
        sending.send(None)
    except StopIteration:
        return True
    except CLOSED:
        return False
    sending.close()
    return False
