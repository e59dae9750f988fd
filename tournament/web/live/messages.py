"""The messages of an event's socket: its own two, besides some of a table's socket."""

from typing import Literal, NotRequired, TypedDict

from games.protocol.messages import Notice, Ping, Pong, RefusedMessage, Sync


class LeaderboardMessage(TypedDict):
    """`html` has the rows of the board; `version` counts what this process has made."""

    type: Literal["leaderboard"]
    html: str
    hash: str
    version: int


class RowNews(TypedDict, total=False):
    """Changes of a row.

    `points`: the figure that ranks it, as shown. `parts`: HTML by the number of the element with
    `data-part`. `kind`: its classes. `ranked`: whether its rank is shown.
    """

    points: str
    kind: str
    ranked: bool
    parts: dict[str, str]


class StandingsMessage(TypedDict):
    """Changes that turn the leaderboard of hash `base` into that of `hash`.

    `rows`: by the number in their ids. `order`: rows to take out and then put in, and at which
    place, from 0 and from the top. `ranks`: place from 0, and its new rank. `state` and `legend`:
    HTML above.
    """

    type: Literal["standings"]
    base: str
    hash: str
    version: int
    rows: dict[str, RowNews]
    order: list[list[int]]
    ranks: list[list[int]]
    state: NotRequired[str]
    legend: NotRequired[str]


class Changed(TypedDict):
    type: Literal["changed"]
    shape: str
    count: int
    version: int


EventClientMessage = Ping | Sync
EventMessage = LeaderboardMessage | StandingsMessage | Changed | Pong | RefusedMessage | Notice

NAMED = {"EventClientMessage": EventClientMessage, "EventMessage": EventMessage}
