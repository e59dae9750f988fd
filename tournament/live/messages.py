"""The messages of an event's socket: its own two, besides some of a table's socket."""

from typing import Literal, TypedDict

from games.protocol.messages import Notice, Ping, Pong, Refused, Sync


class Leaderboard(TypedDict):
    """`html` has the rows of the board; `version` counts what this process has made."""

    type: Literal["leaderboard"]
    html: str
    version: int


class Changed(TypedDict):
    type: Literal["changed"]
    shape: str
    count: int
    version: int


EventClientMessage = Ping | Sync
EventMessage = Leaderboard | Changed | Pong | Refused | Notice

NAMED = {"EventClientMessage": EventClientMessage, "EventMessage": EventMessage}
