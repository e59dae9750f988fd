"""What a table has to do with whoever leads its event: calls for a referee, messages from the desk.

A match without an event has none of it.
"""

from typing import Literal, NamedTuple, TypedDict


class Summons(TypedDict):
    """Somebody at the table has called a referee; `coming`: somebody has taken the call."""

    seat: int
    reason: str
    at: int
    coming: bool


class Announcement(TypedDict):
    """A sentence from the desk, in its own words, and when it was sent."""

    id: int
    text: str
    at: int


class Desk(TypedDict):
    """All that holds now: what is missing is over. Only players may call, react and see calls."""

    type: Literal["desk"]
    may_call: bool
    may_react: bool
    calls: list[Summons]
    messages: list[Announcement]


class DeskLine(NamedTuple):
    """An announcement before it is told: `said` is put into words for whoever reads it."""

    id: int
    said: object
    at: int


class TableNews(NamedTuple):
    """The same for a whole table: what its players and what its viewers are told, and whether
    players may react."""

    calls: list[Summons]
    players: list[DeskLine]
    viewers: list[DeskLine]
    reactions: bool
