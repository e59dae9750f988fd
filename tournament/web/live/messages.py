"""The messages of an event's socket: two of its own, and some of a table's socket."""

from typing import Literal, NotRequired, TypedDict

from games.protocol.messages import Notice, Ping, Pong, RefusedMessage, Sync


class LeaderboardMessage(TypedDict):
    """Message with the board's rows in `html`; `version` counts this process's messages."""

    type: Literal["leaderboard"]
    html: str
    hash: str
    version: int


class StandingsMessage(TypedDict):
    """Changes that turn the leaderboard of hash `base` into that of `hash`.

    `rows`: the HTML of the changed rows, by the number in their ids. `order`: rows to remove and
    reinsert, each with its position from the top, counted from 0. `ranks`: positions from 0, with
    their new ranks. `state` and `legend`: the HTML above.
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
