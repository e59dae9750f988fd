"""Messages of an event's socket. Some are also messages of a table's socket."""

from typing import Literal, NotRequired, TypedDict

from games.protocol.messages import Notice, Ping, Pong, RefusedMessage, Sync


class LeaderboardMessage(TypedDict):
    """Message with the leaderboard's rows as `html`.

    `version` counts the messages of this process.
    """

    type: Literal["leaderboard"]
    html: str
    hash: str
    version: int


class StandingsMessage(TypedDict):
    """Changes that turn the leaderboard with the hash `base` into the one with `hash`.

    * `rows`: the HTML of changed rows, by the number in their ids.
    * `order`: pairs of a row to move and its new position. The top row has position 0.
    * `ranks`: pairs of a position and the new rank there.
    * `state`, `legend`: the HTML above the rows, if it has changed.
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
    """Message that the event has changed."""

    type: Literal["changed"]
    shape: str
    count: int
    version: int


EventClientMessage = Ping | Sync
EventMessage = LeaderboardMessage | StandingsMessage | Changed | Pong | RefusedMessage | Notice

NAMED = {"EventClientMessage": EventClientMessage, "EventMessage": EventMessage}
