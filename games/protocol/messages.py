"""Messages on a table's socket. `version` is always a version of the match."""

from typing import Literal, NotRequired, TypedDict

from games.protocol.deals import Receipt
from games.protocol.desk import Desk
from games.protocol.events import Event
from games.protocol.partial import Some
from games.protocol.reactions import React, Reacted
from games.protocol.table import LogLine, Presence, SeatAtTable, TableView, WindowView
from games.rules.actions.moves import Move

NoticeCode = Literal["restarting", "other_tab", "unavailable"]


# From the client


class Act(TypedDict):
    type: Literal["action"]
    id: str
    version: int
    action: Move


class Ping(TypedDict):
    type: Literal["ping"]
    version: int


class Echo(TypedDict):
    type: Literal["echo"]
    n: int


class Sync(TypedDict):
    type: Literal["sync"]


class TakeOver(TypedDict):
    type: Literal["take_over"]


class Commit(TypedDict):
    type: Literal["commit"]
    id: str
    hand: int
    attempt: int
    commitment: str
    key: NotRequired[str]
    signature: NotRequired[str]


class Open(TypedDict):
    """A player's share, opened for the list with this digest."""

    type: Literal["open"]
    id: str
    hand: int
    attempt: int
    list: str
    share: str


class CallReferee(TypedDict):
    """A call for a referee. `reason` is "" or one of the event's codes."""

    type: Literal["call_referee"]
    id: str
    reason: str


class Ready(TypedDict):
    """Notice that this player is ready for this hand."""

    type: Literal["ready"]
    id: str
    hand: int


class TakeCallBack(TypedDict):
    type: Literal["take_call_back"]
    id: str


ClientMessage = (
    Act | Ping | Echo | Sync | TakeOver | Commit | Open | Ready | CallReferee | TakeCallBack | React
)


# From the server. `Changes` are sent only to clients that requested version 2.


class View(TypedDict):
    type: Literal["view"]
    version: int
    view: WindowView
    events: list[Event]


class Changes(TypedDict):
    """Changes that turn the view of version `since` into the view of this version."""

    type: Literal["changes"]
    version: int
    since: int
    view: Some[TableView]
    seats: dict[str, Some[SeatAtTable]]
    log: list[LogLine]
    own_lines: dict[str, str]
    events: list[Event]


class Here(TypedDict):
    """Presence of all players, sent when one has arrived or left. It updates the last view."""

    type: Literal["here"]
    seats: list[Presence]


class AckMessage(TypedDict):
    """Acknowledgement of a request. `receipt` is present for a commitment and for a share."""

    type: Literal["ack"]
    id: str
    version: int
    receipt: NotRequired[Receipt]


class RefusedMessage(TypedDict):
    type: Literal["refused"]
    id: str | None
    code: str
    message: str
    version: int


class Pong(TypedDict):
    type: Literal["pong"]
    version: int
    now: int


class Probe(TypedDict):
    type: Literal["probe"]
    n: int


class Notice(TypedDict):
    type: Literal["notice"]
    code: NoticeCode
    message: str


ServerMessage = (
    View | Changes | Here | AckMessage | RefusedMessage | Pong | Probe | Notice | Desk | Reacted
)
