"""What the pages read. Standings come from finished matches and confirmed results, every time."""

from dataclasses import dataclass, field
from datetime import datetime

from tournament.models import Event, Registration, Round, Stage, Table, User


@dataclass(frozen=True)
class LeaderRow:
    """One line of a leaderboard. `metrics` are (title, value as shown) in the event's order;
    `separated_by` names the first metric that ranks this player below the one above."""

    rank: int
    registration: Registration
    name: str
    points: int
    matches: int
    wins: int
    metrics: list[tuple[str, str]]
    separated_by: str
    tied: bool
    through: bool


@dataclass(frozen=True)
class Leaderboard:
    """`provisional` while a match of the stage is still being played (its finished hands count)."""

    event: Event
    stage: Stage | None
    columns: list[str]
    rows: list[LeaderRow]
    provisional: bool
    updated_at: datetime | None


@dataclass(frozen=True)
class SeatView:
    """A chair: `points` and `place` are None until the table has any."""

    number: int
    name: str
    registration: Registration | None
    points: int | None
    place: int | None
    through: bool


@dataclass(frozen=True)
class TableView:
    """A table as the public may see it. `state`: waiting, playing, paused, finished, abandoned,
    paper. `link` leads to the match (watching), "" where there is none."""

    table: Table
    number: int
    title: str
    state: str
    state_text: str
    hand: int | None
    seats: list[SeatView]
    link: str
    result_link: str


@dataclass(frozen=True)
class RoundView:
    round: Round
    title: str
    state: str
    tables: list[TableView]


@dataclass(frozen=True)
class BracketStage:
    stage: Stage
    rounds: list[RoundView]
    qualifiers: list["QualifierView"]


@dataclass(frozen=True)
class QualifierView:
    seed: int
    name: str
    registration: Registration
    active: bool
    note: str


@dataclass(frozen=True)
class Winner:
    registration: Registration
    name: str
    points: int
    table: Table


@dataclass(frozen=True)
class PlayerPage:
    """What one person needs on the day. `next_step` is a sentence; `table` where to sit now."""

    registration: Registration
    next_step: str
    table: TableView | None
    history: list[TableView] = field(default_factory=list)
    row: LeaderRow | None = None
    waiting_ahead: int | None = None


def leaderboard(event: Event, stage: Stage | None = None) -> Leaderboard:
    """The standings of `stage`, without one those of the whole event."""
    raise NotImplementedError


def tables(event: Event) -> list[RoundView]:
    """Published, running and closed rounds with their tables, the newest first."""
    raise NotImplementedError


def bracket(event: Event) -> BracketStage | None:
    """The second stage with its rounds up to now, None before it has been made."""
    raise NotImplementedError


def winner(event: Event) -> Winner | None:
    """Who won the final, once the organizers have announced it."""
    raise NotImplementedError


def player_page(event: Event, user: User) -> PlayerPage | None:
    """The person's own page in the event, None for somebody without a registration."""
    raise NotImplementedError


def control_room(event: Event) -> RoundView | None:
    """The round that is being played, for the organizers."""
    raise NotImplementedError
