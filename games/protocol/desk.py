"""Messages between a table and the desk of its event, such as calls for a referee.

A match without an event has no such messages.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, NotRequired, TypedDict


class Summons(TypedDict):
    """A call for a referee from the table. `coming` is true if a referee has accepted it."""

    seat: int
    reason: str
    at: int
    coming: bool


class Announcement(TypedDict):
    """A message from the desk, and the time at which it was sent."""

    id: int
    text: str
    at: int


class NextMatch(TypedDict):
    """The player's next match, which has started.

    `text` says where it is played. `here` is true if the player already has its table open.
    """

    address: str
    text: str
    here: bool


class Desk(TypedDict):
    """All current news from the desk. It replaces all earlier news.

    Only players may call a referee, react, and see calls. `next` is present only at the table of a
    finished match.
    """

    type: Literal["desk"]
    may_call: bool
    may_react: bool
    calls: list[Summons]
    messages: list[Announcement]
    next: NotRequired[NextMatch]


class DeskLine(NamedTuple):
    """An announcement before translation. `said` is translated for each reader."""

    id: int
    said: object
    at: int


class StartedMatch(NamedTuple):
    """A `NextMatch` before translation. `describe` returns its text in the reader's language."""

    address: str
    describe: Callable[[], str]
    here: bool


class CountedResult(NamedTuple):
    """Result of a finished table as it counts in the event: places and points by seat.

    Tie-breaks of the event may give different places to equal points. `corrected` is true if the
    points were entered by hand.
    """

    places: list[int]
    points: list[int]
    corrected: bool


class TableNews(NamedTuple):
    """News from the desk for all windows of a table.

    * `players`, `viewers`: the announcements for players, and those for viewers.
    * `reactions`: true if players may react.
    * `next`: after a finished match, the next match of each player, by seat.
    """

    calls: list[Summons]
    players: list[DeskLine]
    viewers: list[DeskLine]
    reactions: bool
    next: Mapping[int, StartedMatch] = MappingProxyType({})
