"""Public views of seats, tables, rounds and a player's own page, for templates."""

from dataclasses import dataclass, field
from datetime import datetime

from games.models import Match
from tournament.models import Registration, Round, Ruling, Stage, Table
from tournament.results.table_state import TableState
from tournament.standings.rows import QualifyingChance


@dataclass(frozen=True)
class SeatView:
    """A seat at a table.

    * `points`, `place`: None until the table has a result.
    * `out`: whether the player is eliminated at this table.
    * `through`: whether the player advances from this table.
    * `why`: why the player advances, or why not.
    * `present`: whether the player is there, or None if no one has to be there.
    * `substitute`: the person who plays in place of `registration`.
    * `forfeited`: whether the seat has forfeited the match.
    * `partner`: the name of the partner. Only the first seat of a pair has it.
    * `paired`: whether this is the second seat of a pair. The first seat shows the points of both.
    * `separated`: a description of the tie-break that separated players with the same points.
    * `chance`: the chance of advancing from a bracket table in play.
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
    """A table as the public may see it.

    * `match`: the part of the match that viewers may see.
    * `state_text`: a description of `state`.
    * `link`, `result_link`: links to the match and its result, or "".
    * `note`: why the match was abandoned.
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
        """The seats, sorted by seat number during the match and by place after it."""
        return sorted(self.seats, key=lambda seat: seat.place or 0)


@dataclass(frozen=True)
class RoundView:
    """A round with its public tables."""

    round: Round
    title: str
    state: str
    state_text: str
    tables: list[PublicTable]

    @property
    def finished(self) -> int:
        """The number of tables with a result that counts."""
        return sum(table.state == TableState.FINISHED for table in self.tables)

    @property
    def ends_at(self) -> datetime | None:
        """The time after which no table deals another hand. Pauses of tables extend it."""
        matches = [view.match for view in self.tables]
        ends = [match.ends_at for match in matches if match and match.ends_at]
        return max(ends, default=self.round.ends_at)


@dataclass(frozen=True)
class QualifierView:
    """A player in the bracket.

    `active` is false after a withdrawal.
    """

    seed: int
    name: str
    registration: Registration
    active: bool
    note: str


@dataclass(frozen=True)
class BracketStage:
    """A bracket with its rounds.

    `text` describes the format. `chances_at` is the time at which the chances were computed.
    """

    stage: Stage
    text: str
    rounds: list[RoundView]
    qualifiers: list[QualifierView]
    chances_at: datetime | None = None

    @property
    def common_note(self) -> str:
        """The note that all qualifiers share, or "" if their notes differ."""
        notes = {each.note for each in self.qualifiers}
        return notes.pop() if len(notes) == 1 else ""


@dataclass(frozen=True)
class PlayerPage:
    """The information that a player needs during the event.

    * `next_step`: a sentence about what the player should do next.
    * `table`: the current or next table.
    * `seat_number`: the number of the seat at `table`, from 1.
    * `history`: earlier tables, newest first.
    * `waiting_ahead`: the number of people ahead of the player on the waitlist.
    * `rulings`: decisions about the player, newest first.
    * `bot`: the ruling by which a bot now plays for the player.
    * `why`: why the player advanced from the last bracket round, or why not.
    * `is_replaced`: whether another person plays in the player's seat, or the seat is forfeited.
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
    is_replaced: bool = False

    @property
    def badge_repeats(self) -> bool:
        """True if the registration's badge only repeats the beginning of `next_step`."""
        registration = self.registration
        if registration.absent_at or registration.checked_in_at:
            return False
        return registration.state in (Registration.State.APPROVED, Registration.State.WAITLIST)

    @property
    def has_certificate(self) -> bool:
        """True if the player has a valid certificate to print."""
        valid = self.registration.certificates.filter(withdrawn_at__isnull=True)
        event = self.registration.event
        return bool(event.locked_at) and not event.freeze and valid.exists()

    @property
    def has_to_play(self) -> bool:
        """True if the player has to go to a table on the site."""
        if self.table is None or self.is_replaced or self.bot:
            return False
        return bool(self.table.link) and self.table.state != TableState.FINISHED
