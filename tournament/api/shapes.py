"""What the API answers with. A field once given stays, with its meaning, for as long as v1 does."""

from datetime import datetime
from typing import Annotated

from ninja import Field, Schema

Slug = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=50)]


class Problem(Schema):
    """Why there is no answer, in a sentence."""

    detail: str


class Invalid(Schema):
    """What of the request cannot be read: each part with where it stands and what is wrong."""

    detail: list[dict[str, object]]


class EventOut(Schema):
    """An event. `state`: open, running or finished; `ruleset` is the key of its rules."""

    slug: str
    title: str
    state: str
    place: str
    starts_at: datetime | None
    ruleset: str
    url: str


class StageOut(Schema):
    """A part of an event with one format; `text` says how it is played and who goes on."""

    number: int
    title: str
    text: str


class HistoryOut(Schema):
    """Where the public history of an event ends: so many rows, and the digest of the last one.

    Whoever writes it down can tell later that nothing before it was changed; `url` has all rows.
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
    """A line of the standings. `rank` is the place in the event: in a bracket its winner is first,
    then counts how far somebody came. `points`, `metrics` and `wins` are of all rounds; `metrics`
    run along `columns`, as they are shown. `separated_by` says why this player stands there;
    `through`: still in while others are out, false for everybody once the event is over."""

    rank: int
    player: int
    name: str
    points: int
    matches: int
    wins: int
    metrics: list[str]
    separated_by: str
    tied: bool
    through: bool
    provisional: bool


class Standings(Schema):
    """`count` is the number of all lines; `provisional` while a match is still being played."""

    event: str
    stage: int | None
    columns: list[str]
    provisional: bool
    updated_at: datetime | None
    count: int
    items: list[StandingOut]


class SeatOut(Schema):
    """A seat at a table. `player` is null where a bot sits; points are null until there are any."""

    number: int
    player: int | None
    name: str
    points: int | None
    place: int | None
    through: bool
    why: str


class TableOut(Schema):
    """A table. `state`: waiting, playing, paused, finished, abandoned or paper. `link` leads to
    watching or to the result, "" where there is neither."""

    number: int
    state: str
    hand: int | None
    link: str
    note: str
    seats: list[SeatOut]


class RoundOut(Schema):
    """A published round. `state`: published, running or closed."""

    stage: int
    number: int
    title: str
    state: str
    started_at: datetime | None
    ends_at: datetime | None
    tables: list[TableOut]


class QualifierOut(Schema):
    """Somebody in the stage after the cut; `active` is false after withdrawing."""

    seed: int
    player: int
    name: str
    active: bool
    note: str


class BracketOut(Schema):
    """The stage after the cut, from its qualifiers to its final."""

    stage: int
    title: str
    text: str
    qualifiers: list[QualifierOut]
    rounds: list[RoundOut]


class ResultOut(Schema):
    """The result of one seat of a table that has finished."""

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
    """A hand whose cards lie open; `url` has its record (docs/hand-record.md)."""

    stage: int
    round: int
    table: int
    hand: int
    url: str
