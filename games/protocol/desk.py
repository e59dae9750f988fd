"""Messages between a table and its event's desk, such as calls for a referee.

The desk sends messages to the table. A match without an event has no such messages.
"""

from typing import Literal, NamedTuple, TypedDict


class Summons(TypedDict):
    """A call for a referee from the table; `coming`: a referee has accepted it."""

    seat: int
    reason: str
    at: int
    coming: bool


class Announcement(TypedDict):
    """A message from the desk in the desk's own words, and when it was sent."""

    id: int
    text: str
    at: int


class Desk(TypedDict):
    """Complete current state of the desk; missing entries are over.

    Only players may call, react and see calls.
    """

    type: Literal["desk"]
    may_call: bool
    may_react: bool
    calls: list[Summons]
    messages: list[Announcement]


class DeskLine(NamedTuple):
    """An announcement before it is shown; `said` is translated for each reader."""

    id: int
    said: object
    at: int


class CountedResult(NamedTuple):
    """What counts in the event of a finished table, by seat.

    The event may separate equal points by tie-breaks. `corrected`: points were entered by hand.
    """

    places: list[int]
    points: list[int]
    corrected: bool


class TableNews(NamedTuple):
    """Desk news for a whole table, in one version for its players and one for its viewers.

    `reactions`: players may react.
    """

    calls: list[Summons]
    players: list[DeskLine]
    viewers: list[DeskLine]
    reactions: bool
