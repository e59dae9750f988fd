"""Public views of seats, tables, rounds and a player's own page, as values for templates."""

from dataclasses import dataclass, field
from datetime import datetime

from games.models import Match
from tournament.models import Registration, Round, Ruling, Stage, Table
from tournament.results.table_state import TableState
from tournament.standings.rows import QualifyingChance


@dataclass(frozen=True)
class SeatView:
    """Seat of a table.

    `points` and `place` are None until the table has any. `out` means eliminated there.
    `through` means that the player advances from here; `why` explains in a sentence why, or
    why not. `substitute` sits there in place of the player who gets the result. `forfeited`
    means that the seat has lost the match. `partner` is the name of the player's partner, at
    the first seat of the two; `paired` marks the other seat, whose points are shown there.
    `separated` is the tie-break that separates the place from others with the same points.
    `chance` is the chance of advancing from a table of a bracket, while that is open.
    """

    number: int
    name: str
    registration: Registration | None
    points: int | None
    place: int | None
    through: bool
    why: str = ""
    bot: bool = False
    present: bool | None = None
    out: bool = False
    partner: str = ""
    paired: bool = False
    substitute: Registration | None = None
    forfeited: bool = False
    separated: str = ""
    chance: QualifyingChance | None = None


@dataclass(frozen=True)
class PublicTable:
    """Table as the public may see it.

    `match` is the match as far as viewers may see it. `state_text` is the `state` in words.
    `link` leads to the match (to play or watch), or is "" if there is none; likewise
    `result_link`. `note` says why the match was abandoned.
    """

    table: Table
    match: Match | None
    number: int
    title: str
    state: TableState
    state_text: str
    hand: int | None
    turn: str
    seats: list[SeatView]
    link: str
    result_link: str
    note: str = ""

    @property
    def standing(self) -> list[SeatView]:
        """Seats by place once the match is over, since numbers before names are read as places."""
        return sorted(self.seats, key=lambda seat: seat.place or 0)


@dataclass(frozen=True)
class RoundView:
    round: Round
    title: str
    state: str
    state_text: str
    tables: list[PublicTable]

    @property
    def finished(self) -> int:
        """Number of tables with a result that counts."""
        return sum(table.state == TableState.FINISHED for table in self.tables)

    @property
    def ends_at(self) -> datetime | None:
        """Time after which no table deals another hand; it is later if play was paused."""
        matches = [view.match for view in self.tables]
        ends = [match.ends_at for match in matches if match and match.ends_at]
        return max(ends, default=self.round.ends_at)


@dataclass(frozen=True)
class QualifierView:
    """Player in the second stage; `active` is False after withdrawing."""

    seed: int
    name: str
    registration: Registration
    active: bool
    note: str


@dataclass(frozen=True)
class BracketStage:
    """Second stage; `text` describes its format, `chances_at` is when its chances were computed."""

    stage: Stage
    text: str
    rounds: list[RoundView]
    qualifiers: list[QualifierView]
    chances_at: datetime | None = None


@dataclass(frozen=True)
class PlayerPage:
    """Information that a player needs on the day.

    `next_step` is a sentence. `table` is the current or next table, and `seat_number` the
    seat there, from 1. `history` has the earlier tables, newest first. `waiting_ahead` is the
    number of people ahead of this player on the waitlist. `rulings` are decisions about this
    player, newest first. `bot` is the ruling by which a bot currently plays for the player.
    `why` is the reason why the player advanced from the last bracket round, or did not.
    `away` means that another person sits in the player's seat.
    """

    registration: Registration
    next_step: str
    table: PublicTable | None
    seat_number: int | None
    history: list[PublicTable] = field(default_factory=list)
    waiting_ahead: int | None = None
    rulings: list[Ruling] = field(default_factory=list)
    bot: Ruling | None = None
    why: str = ""
    away: bool = False

    @property
    def badge_repeats(self) -> bool:
        """True if the registration's badge only repeats the beginning of `next_step`."""
        mine = self.registration
        if mine.absent_at or mine.checked_in_at:
            return False
        return mine.state in (Registration.State.APPROVED, Registration.State.WAITLIST)

    @property
    def certified(self) -> bool:
        """True if there is a certificate to print."""
        held = self.registration.certificates.filter(withdrawn_at__isnull=True)
        event = self.registration.event
        return bool(event.locked_at) and not event.freeze and held.exists()

    @property
    def to_play(self) -> bool:
        """True if there is a table on the site for the player to go to."""
        if self.table is None or self.away or self.bot:
            return False
        return bool(self.table.link) and self.table.state != TableState.FINISHED
