"""Types of ASGI scopes and messages, as in the specification."""

from collections.abc import Awaitable, Callable
from typing import Any

# A connection, and what our middleware adds to it.
Scope = dict[str, Any]
# A message received or sent on a connection.
AsgiEvent = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

# Key in the extensions of an HTTP scope for a function to call when the server begins to stop.
SHUTDOWN = "lastcard.shutdown"
