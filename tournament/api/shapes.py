"""Response schemas of the API.

A published field keeps its name and meaning for as long as v1 exists.
"""

from datetime import datetime
from typing import Annotated

from ninja import Field, Schema

Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=50)]


class Problem(Schema):
    """Error response with the reason in a sentence."""

    detail: str


class Invalid(Schema):
    """Invalid parts of the request, each with its location and the problem."""

    detail: list[dict[str, object]]


class EventOut(Schema):
    """An event.

    `state` is open, running or finished. `ruleset` is the key of its rules.
    """

    slug: str
    title: str
    state: str
    place: str
    starts_at: datetime | None
    ruleset: str
    url: str


class StageOut(Schema):
    """Part of an event with one format; `text` describes the format and who advances."""

    number: int
    title: str
    text: str


class HistoryOut(Schema):
    """Current end of the event history: the number of rows and the digest of the last row.

    A copy of the digest makes it possible to detect later changes to earlier rows. All rows
    are at `url`.
    """

    rows: int
    head: str
    url: str


class EventDetail(EventOut):
    """An event with its stages; `winners` is empty until the winner is announced."""

    description: str
    stages: list[StageOut]
    players: int
    winners: list[str]
    history: HistoryOut


class StandingOut(Schema):
    """A line of the standings.

    `rank` is the place in the event; in a bracket, it depends on how far the player advanced.
    Disqualified players come last, with `disqualified` set and no rank. Players in the final of a
    frozen leaderboard have no rank either. `points`, `metrics` and `wins` cover all rounds.
    `metrics` are in the order of `columns`. `separated_by` explains the place. `through` is true if
    the player is still in while others have been eliminated, and false for everyone once the event
    is over.
    """

    rank: int | None
    player: int
    name: str
    disqualified: bool
    points: int
    matches: int
    wins: int
    metrics: list[str]
    separated_by: str
    tied: bool
    through: bool
    provisional: bool


class Standings(Schema):
    """Standings; `count` covers all lines, `provisional` is true while a match is in progress."""

    event: str
    stage: int | None
    columns: list[str]
    provisional: bool
    updated_at: datetime | None
    count: int
    items: list[StandingOut]


class SeatOut(Schema):
    """A seat at a table.

    `player` is null for a bot. `points` are null until the seat has any.
    """

    number: int
    player: int | None
    name: str
    points: int | None
    place: int | None
    through: bool
    why: str


class TableOut(Schema):
    """A table of a round.

    `state` is waiting, playing, paused, finished, abandoned or paper. `link` is the page on
    which to watch the table or see its result, or "" if there is none.
    """

    number: int
    state: str
    hand: int | None
    link: str
    note: str
    seats: list[SeatOut]


class RoundOut(Schema):
    """A published round.

    `state` is published, running or closed.
    """

    stage: int
    number: int
    title: str
    state: str
    started_at: datetime | None
    ends_at: datetime | None
    tables: list[TableOut]


class QualifierOut(Schema):
    """A player in the knockout; `active` is false after a withdrawal."""

    seed: int
    player: int
    name: str
    active: bool
    note: str


class BracketOut(Schema):
    """The knockout, from its qualifiers to its final."""

    stage: int
    title: str
    text: str
    qualifiers: list[QualifierOut]
    rounds: list[RoundOut]


class ResultOut(Schema):
    """The result of one seat at a finished table."""

    stage: int
    round: int
    round_title: str
    table: int
    seat: int
    player: int | None
    name: str
    points: int
    place: int | None


class RecordOut(Schema):
    """A hand whose cards are public; `url` has its record (docs/hand-record.md)."""

    stage: int
    round: int
    table: int
    hand: int
    url: str
