"""Public views of seats, tables, rounds and a player's own page, for templates."""

from dataclasses import dataclass, field
from datetime import datetime

from games.models import Match
from tournament.models import Registration, Round, Ruling, Stage, Table
from tournament.results.table_state import TableState
from tournament.standings.rows import QualifyingChance


@dataclass(frozen=True)
class SeatView:
    """Seat at a table.

    `points` and `place` are None until the table has a result. `out` means eliminated at this
    table. `through` means that the player advances from this table, and `why` explains why or why
    not. `substitute` plays in place of the player who gets the result. `forfeited` means that the
    seat has lost the match. `partner` is the name of the player's partner and is set on the first
    seat of a pair. `paired` marks the second seat, because the first one shows the points of both.
    `separated` is the tie-break that separates the player from others with the same points.
    `chance` is the chance of advancing from a bracket table that is still in play.
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

    `match` is the part of the match that viewers may see. `state_text` describes `state`. `link`
    leads to the match and `result_link` to its result. Both are "" if there is no such page. `note`
    says why the match was abandoned.
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
        """Seats sorted by place once the match is over, or by seat number before.

        Readers take numbers in front of names for places.
        """
        return sorted(self.seats, key=lambda seat: seat.place or 0)


@dataclass(frozen=True)
class RoundView:
    """Round with its public tables."""

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
        """Time after which no table deals another hand. Pauses make it later."""
        matches = [view.match for view in self.tables]
        ends = [match.ends_at for match in matches if match and match.ends_at]
        return max(ends, default=self.round.ends_at)


@dataclass(frozen=True)
class QualifierView:
    """Player in the bracket.

    `active` is False after the player has withdrawn.
    """

    seed: int
    name: str
    registration: Registration
    active: bool
    note: str


@dataclass(frozen=True)
class BracketStage:
    """Bracket with its rounds.

    `text` describes its format, and `chances_at` is the time at which the chances were computed.
    """

    stage: Stage
    text: str
    rounds: list[RoundView]
    qualifiers: list[QualifierView]
    chances_at: datetime | None = None

    @property
    def common_note(self) -> str:
        """The note of all qualifiers if they have the same one, otherwise ""."""
        notes = {each.note for each in self.qualifiers}
        return notes.pop() if len(notes) == 1 else ""


@dataclass(frozen=True)
class PlayerPage:
    """Information that a player needs on the day of the event.

    `next_step` is a sentence. `table` is the current or next table, and `seat_number` is the seat
    there, counted from 1. `history` contains the earlier tables, newest first. `waiting_ahead` is
    the number of people ahead of the player on the waitlist. `rulings` are the decisions about the
    player, newest first. `bot` is the ruling by which a bot currently plays for the player. `why`
    explains why the player advanced from the last bracket round, or why not. `away` means that
    someone else plays in the player's seat or that the seat is forfeited.
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
        """Whether the registration's badge only repeats the beginning of `next_step`."""
        registration = self.registration
        if registration.absent_at or registration.checked_in_at:
            return False
        return registration.state in (Registration.State.APPROVED, Registration.State.WAITLIST)

    @property
    def certified(self) -> bool:
        """Whether the player has a valid certificate to print."""
        valid = self.registration.certificates.filter(withdrawn_at__isnull=True)
        event = self.registration.event
        return bool(event.locked_at) and not event.freeze and valid.exists()

    @property
    def to_play(self) -> bool:
        """True if the player has to go to a table on the site."""
        if self.table is None or self.away or self.bot:
            return False
        return bool(self.table.link) and self.table.state != TableState.FINISHED
