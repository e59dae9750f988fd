"""Public views of seats, tables, rounds and a player's own page: values for templates."""

from dataclasses import dataclass, field
from datetime import datetime

from games.models import Match
from tournament.models import Registration, Round, Ruling, Stage, Table
from tournament.results.table_state import TableState
from tournament.standings.rows import QualifyingChance


@dataclass(frozen=True)
class SeatView:
    """A chair: `points` and `place` are None until the table has any; `out`: eliminated there.

    `through`: goes on from here; `why` says in a sentence why, or why not. `substitute` sits there
    in the place of whose result it is; `forfeited`: it has lost the match. `partner`: the name of
    who plays together with this one, at the first seat of the two; `paired` is the other, whose
    points stand there. `separated`: by what the place differs from those with the same points.
    `chance`: of going on from a table of a bracket, while that is open.
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

    `match`: as far as viewers may know it. `state_text` says the `state` in words. `link` leads to
    the match (to play or watch), "" where there is none; `result_link` likewise.
    `note`: why the match was abandoned.
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
        """The seats by place once the match is over: numbers before names are read as places."""
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
        """From when on no table deals another hand: where play was paused, that is later."""
        matches = [view.match for view in self.tables]
        ends = [match.ends_at for match in matches if match and match.ends_at]
        return max(ends, default=self.round.ends_at)


@dataclass(frozen=True)
class QualifierView:
    """A player in the second stage; `active` is False after withdrawing."""

    seed: int
    name: str
    registration: Registration
    active: bool
    note: str


@dataclass(frozen=True)
class BracketStage:
    """The second stage; `text` says how it is played, `chances_at` of when its chances are."""

    stage: Stage
    text: str
    rounds: list[RoundView]
    qualifiers: list[QualifierView]
    chances_at: datetime | None = None


@dataclass(frozen=True)
class PlayerPage:
    """Information that a player needs on the day.

    `next_step` is a sentence. `table` is where to sit now or next, `seat_number` the seat
    there, from 1. `history`: the earlier tables, newest first.
    `waiting_ahead`: how many people are ahead of this player on the waitlist.
    `rulings`: decisions about this player, newest first.
    `bot`: the ruling by which a bot plays for the player now.
    `why`: the reason why the player advanced from the last bracket round, or did not.
    `away`: another person sits in the player's seat.
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
        """True if there is a table on the site to go to."""
        if self.table is None or self.away or self.bot:
            return False
        return bool(self.table.link) and self.table.state != TableState.FINISHED
