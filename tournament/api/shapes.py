"""Response schemas of the API.

As long as v1 exists, published fields keep their names and meanings.
"""

from datetime import datetime
from typing import Annotated

from ninja import Field, Schema

Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=50)]


class Problem(Schema):
    """Error response. `detail` is the reason, in a sentence."""

    detail: str


class Invalid(Schema):
    """Response to an invalid request. `detail` has the location and problem of each error."""

    detail: list[dict[str, object]]


class EventOut(Schema):
    """An event.

    `state` is open, running or finished. `ruleset` is the key of its rule set.
    """

    slug: str
    title: str
    state: str
    place: str
    starts_at: datetime | None
    ruleset: str
    url: str


class StageOut(Schema):
    """A part of an event with one format. `text` describes the format and who advances."""

    number: int
    title: str
    text: str


class HistoryOut(Schema):
    """The number of rows in the event history, and the digest of the last row.

    With a stored copy of the digest, anyone can later prove that the rows are unchanged. All rows
    are at `url`.
    """

    rows: int
    head: str
    url: str


class EventDetail(EventOut):
    """An event with its stages. `winners` is empty until the winner is announced."""

    description: str
    stages: list[StageOut]
    players: int
    winners: list[str]
    history: HistoryOut


class StandingOut(Schema):
    """A row of the standings.

    * `rank`: the place in the event. In a bracket, it depends on how far the player advanced. Null
      for disqualified players, who are last, and for the finalists of a frozen leaderboard.
    * `points`, `metrics`, `wins`: totals of all rounds. `metrics` are in the order of `columns`.
    * `separated_by`: an explanation of the rank.
    * `through`: true if others have been eliminated and this player has not. False for everyone
      once the event is over.
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
    """A page of the standings.

    `count` is the number of rows on all pages. `provisional` is true while a match is running.
    """

    event: str
    stage: int | None
    columns: list[str]
    provisional: bool
    updated_at: datetime | None
    count: int
    items: list[StandingOut]


class SeatOut(Schema):
    """A seat at a table.

    `player` is null for a bot. `points` is null before the first points are scored.
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

    `state` is waiting, playing, paused, finished, abandoned or paper. `link` is the page to watch
    the table or see its result, or "" if there is none.
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
    """A player in the knockout bracket. `active` is false after a withdrawal."""

    seed: int
    player: int
    name: str
    active: bool
    note: str


class BracketOut(Schema):
    """The knockout bracket, from its qualifiers to its final."""

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
    """A hand whose cards are public. `url` has its record (docs/hand-record.md)."""

    stage: int
    round: int
    table: int
    hand: int
    url: str
