"""The messages of an event's socket: its own two, besides some of a table's socket."""

from typing import Literal, NotRequired, TypedDict

from games.protocol.messages import Notice, Ping, Pong, RefusedMessage, Sync


class LeaderboardMessage(TypedDict):
    """`html` has the rows of the board; `version` counts what this process has made."""

    type: Literal["leaderboard"]
    html: str
    hash: str
    version: int


class StandingsMessage(TypedDict):
    """Changes that turn the leaderboard of hash `base` into that of `hash`.

    `rows`: the HTML of the rows that have changed, by the number in their ids. `order`: rows to
    take out and then put in, and at which place, from 0 and from the top. `ranks`: place from 0,
    and its new rank. `state` and `legend`: HTML above.
    """

    type: Literal["standings"]
    base: str
    hash: str
    version: int
    rows: dict[str, str]
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
