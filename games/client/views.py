"""Reconstruction of a window's view from the server's messages.

See docs/protocol.md, "Changes".
"""

from typing import cast

from games.protocol import WindowView
from games.protocol.messages import Changes, View
from games.protocol.table import LogLine

LINES = 30


class Views:
    """The newest view received over one socket. `version` is -1 before the first view."""

    def __init__(self) -> None:
        self.version = -1
        self.view: WindowView | None = None

    def apply(self, message: View | Changes) -> bool:
        """Apply a message to the view, and return whether that was possible.

        Changes to a version other than the current one are rejected. The caller then has to request
        a full view.
        """
        if message["type"] == "changes":
            if self.view is None or message["since"] != self.version:
                return False
            self.view = apply_patch(self.view, message)
        else:
            self.view = message["view"]
        self.version = message["version"]
        return True


def apply_patch(view: WindowView, message: Changes) -> WindowView:
    """Return a copy of the view with these changes. The old view is not modified."""
    replaced = message["view"]
    log = cast(list[LogLine], replaced.get("log", [*view["log"], *message["log"]][-LINES:]))
    seats = [{**seat, **message["seats"].get(str(seat["seat"]), {})} for seat in view["seats"]]
    first = log[0]["n"] if log else float("inf")
    kept_lines = {n: text for n, text in view["own_lines"].items() if int(n) >= first}
    lines = kept_lines | message["own_lines"]
    return cast(WindowView, {**view, "seats": seats, "own_lines": lines, **replaced, "log": log})
