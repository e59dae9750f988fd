"""Types of ASGI scopes and messages, as in the ASGI specification."""

from collections.abc import Awaitable, Callable
from typing import Any

# An ASGI scope, including the keys added by our middleware.
Scope = dict[str, Any]
# A message that is sent or received on a connection.
AsgiEvent = dict[str, Any]
App = Callable[[Scope, Any, Any], Awaitable[None]]

# Key in the extensions of an HTTP scope. Its value is a function that is called when the server
# begins to shut down.
SHUTDOWN = "lastcard.shutdown"
