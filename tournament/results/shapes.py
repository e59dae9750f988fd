"""Results of the queries: plain values that a template can show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import ngettext

from games.models import Match
from tournament.models import Event, Registration, Round, Ruling, Stage, Table
from tournament.pure.ranking import StandingsRow
from tournament.results.stages import StageResults


@dataclass(frozen=True)
class QualifyingChance:
    """A player's chance to advance.

    `key` is safe, open or out. `why` gives the reason if it seems to contradict the cut.
    """

    key: str
    text: str
    why: str = ""


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass
class LeaderRow:
    """One line of a leaderboard.

    `metrics` are values as shown, in the order of the board's `columns`, if figures are
    requested.
    `rank` is the place in the event, or in the stage of the board. `points` are those of all
    its rounds. `figure` is what its `heading` names.
    `why` puts into words why the player has this rank; if `told`, it is shown whatever the
    figures say. `through`: still in the running, where that applies.
    `provisional`: a match is still being played. `out`: disqualified.
    `chance`: of advancing, if that is still open and known.
    """

    rank: int
    registration: Registration
    name: str
    points: int
    matches: int
    wins: int
    metrics: list[str]
    why: Callable[[], str]
    tied: bool
    through: bool
    provisional: bool
    out: bool = False
    chance: QualifyingChance | None = None
    heading: str = ""
    figure: str = ""
    told: bool = False

    @property
    def separated_by(self) -> str:
        """The sentence, "" for the first: a board of thousands shows it of a few."""
        return self.why()


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard, `provisional` while a match is being played (finished hands count already).

    `columns` are the titles of the metrics, the headline first.
    `hidden`: how many of the best places are not revealed yet.
    `cut`: the number of rows above the cut, which `line` puts into words.
    `chances_at`: the time of the rows' chances. These are 0, "" and None if they are not shown.
    `results` and their `standing` are the source of the board.
    `heading` names the figure of each row. `by_bracket`: rows are ranked by how far players
    came, and not by the figure.
    """

    event: Event
    stage: Stage | None
    columns: list[str]
    rows: list[LeaderRow]
    provisional: bool
    updated_at: datetime | None
    hidden: int = 0
    cut: int = 0
    line: str = ""
    chances_at: datetime | None = None
    results: StageResults | None = field(default=None, repr=False, compare=False)
    standing: Sequence[StandingsRow] = field(default=(), repr=False, compare=False)
    heading: str = ""
    by_bracket: bool = False


@dataclass(frozen=True)
class SeatView:
    """A chair: `points` and `place` are None until the table has any; `out`: eliminated there.

    `through`: goes on from here; `why` says in a sentence why, or why not. `substitute` sits there
    in the place of whose result it is; `forfeited`: it has lost the match. `partner`: the name of
    who plays together with this one, at the first seat of the two; `paired` is the other, whose
    points stand there. `chance`: of going on from a table of a bracket, while that is open.
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
    chance: QualifyingChance | None = None


@dataclass(frozen=True)
class PublicTable:
    """A table as the public may see it.

    `match`: as far as viewers may know it. `state`: waiting, playing, paused, finished, abandoned
    or paper; `state_text` says it in words. `link` leads to the match (to play or watch), "" where
    there is none; `result_link` likewise.
    `note`: why the match was abandoned.
    """

    table: Table
    match: Match | None
    number: int
    title: str
    state: str
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
        return sum(table.state == "finished" for table in self.tables)

    @property
    def ends_at(self) -> datetime | None:
        """From when on no table deals another hand: where play was paused, that is later."""
        matches = [view.match for view in self.tables]
        ends = [match.ends_at for match in matches if match and match.ends_at]
        return max(ends, default=self.round.ends_at)


@dataclass(frozen=True)
class StageView:
    """A stage with its published rounds. `progress` is "now", "done" or "" (to come, between).

    `text` says how it is played and who goes on.
    """

    stage: Stage
    rounds: list[Round]
    progress: str
    text: str


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
class Winner:
    """The winner of the event.

    If a win is shared, `shared` lists all winners and `name` names them all.
    `table` is the final's, None if the standings decided.
    """

    registration: Registration
    name: str
    points: int
    table: Table | None
    shared: list[Registration]

    @property
    def sentence(self) -> str:
        """Such as `Asha has won` or `Asha and Ben share the win`, without a full stop."""
        text = ngettext("{names} won", "{names} share the win", len(self.shared))
        return text.format(names=self.name)


@dataclass(frozen=True)
class SeatNow:
    """A seat to take: table and seat as people call them, and whether its match is on."""

    table: int
    seat: int
    playing: bool


@dataclass(frozen=True)
class PlayerPage:
    """Information that a player needs on the day.

    `next_step` is a sentence. `table` is where to sit now or next, `seat_number` the seat
    there, from 1. `history`: the earlier tables, newest first.
    `waiting_ahead`: how many people are ahead of this player on the waitlist.
    `rulings`: decisions about this player, newest first.
    `bot`: the ruling by which a bot plays for the player now.
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
        return bool(self.registration.event.locked_at) and held.exists()

    @property
    def to_play(self) -> bool:
        """True if there is a table on the site to go to."""
        if self.table is None or self.away or self.bot:
            return False
        return bool(self.table.link) and self.table.state != "finished"
