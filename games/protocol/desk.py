"""Messages between a table and its event's desk, such as calls for a referee.

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
    """A message from the desk, in the desk's own words, with the time at which it was sent."""

    id: int
    text: str
    at: int


class NextMatch(TypedDict):
    """The player's next match, which has started. `text` says where it is played.

    `here` is true if the player already has its table open.
    """

    address: str
    text: str
    here: bool


class Desk(TypedDict):
    """Complete current state of the desk. Entries that are missing have ended.

    Only players may call, react and see calls. `next` is present only at the table of a finished
    match.
    """

    type: Literal["desk"]
    may_call: bool
    may_react: bool
    calls: list[Summons]
    messages: list[Announcement]
    next: NotRequired[NextMatch]


class DeskLine(NamedTuple):
    """An announcement before it is shown. `said` is translated for each reader."""

    id: int
    said: object
    at: int


class StartedMatch(NamedTuple):
    """A `NextMatch` before translation. `describe` returns its text in the reader's language."""

    address: str
    describe: Callable[[], str]
    here: bool


class CountedResult(NamedTuple):
    """How a finished table counts in its event: places and points by seat.

    The event may separate equal points by tie-breaks. `corrected` is true if points were entered by
    hand.
    """

    places: list[int]
    points: list[int]
    corrected: bool


class TableNews(NamedTuple):
    """News from the desk for a whole table, with announcements for players and for viewers.

    `reactions` is true if players may react. `next` contains the next matches of a finished match's
    players, by seat.
    """

    calls: list[Summons]
    players: list[DeskLine]
    viewers: list[DeskLine]
    reactions: bool
    next: Mapping[int, StartedMatch] = MappingProxyType({})
