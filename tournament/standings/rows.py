"""Leaderboards and their rows."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Stage
from tournament.pure.ranking import StandingsRow
from tournament.results.stages import StageResults
from tournament.stages.places import PlayerPlace


@dataclass(frozen=True)
class QualifyingChance:
    """A player's chance to advance.

    `key` is "safe", "open" or "out". `why` is a reason, if the chance seems to contradict the cut.
    """

    key: str
    text: str
    why: str = ""


# Not frozen: thousands are created, and a frozen instance takes five times as long to create.
@dataclass
class LeaderRow:
    """A row of a leaderboard: a player's place in the event or in the board's stage.

    * `heading`: the title of `figure`.
    * `figure`: the value of the most important metric, as text.
    * `metrics`: formatted values in the order of the board's `columns`, if requested.
    * `through`: whether the player has advanced or is still in the event.
    * `provisional`: whether the player's match is still in progress.
    * `chance`: the player's chance to advance, if it is open and known.
    * `unplaced`: whether the player is in a frozen final, which has no places yet.
    """

    placed: PlayerPlace
    registration: Registration
    wins: int
    heading: str
    figure: str
    metrics: list[str]
    tied: bool
    through: bool
    provisional: bool
    chance: QualifyingChance | None = None
    unplaced: bool = False

    @property
    def rank(self) -> int:
        return self.placed.place

    @property
    def shown_rank(self) -> int | None:
        """The rank to show, or None for a player without a place."""
        return None if self.unplaced else self.placed.rank

    @property
    def name(self) -> str:
        return self.placed.row.name

    @property
    def points(self) -> int:
        """The points from all rounds."""
        return self.placed.row.points

    @property
    def matches(self) -> int:
        return self.placed.row.played

    @property
    def counts(self) -> bool:
        """True if the player has a finished match, or a bye that counts as one."""
        return self.placed.row.counts

    @property
    def out(self) -> bool:
        """True for a disqualified player."""
        return self.placed.out

    @property
    def always_explained(self) -> bool:
        """True if the reason for the rank is shown regardless of the figures."""
        return self.placed.always_explained

    @property
    def separated_by(self) -> str:
        """The reason for the rank, or "" for the first row.

        It is computed on demand, because few rows show it.
        """
        return self.placed.why()

    @property
    def reason_in_list(self) -> str:
        """The reason for the rank, without a tie that equal ranks already show."""
        return self.placed.why_in_list()


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard. Optional fields are 0, "" or None if they are not shown.

    * `columns`: the titles of the metrics, the most important metric first.
    * `provisional`: whether a match is in progress. Its finished hands already count.
    * `hidden`: the number of places at the top that are not revealed yet.
    * `cut`: the number of rows above the cut line.
    * `line`: sentences about what decides the stage in progress.
    * `finished_round`: the title of the latest round, if its matches are over and more rounds
      follow.
    * `chances_at`: the time at which the rows' chances were computed.
    * `results`, `standing`: the results and standings behind the board.
    * `heading`: the title of each row's figure.
    * `by_bracket`: whether rows are ranked by progress rather than by the figure.
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
    finished_round: str = ""
    chances_at: datetime | None = None
    results: StageResults | None = field(default=None, repr=False, compare=False)
    standing: Sequence[StandingsRow] = field(default=(), repr=False, compare=False)
    heading: str = ""
    by_bracket: bool = False

    @property
    def through_text(self) -> str:
        """The badge of rows with `through`."""
        rounds = self.stage is not None and self.stage.format == Stage.Format.ROUNDS
        return _("advances") if rounds else _("still in")
