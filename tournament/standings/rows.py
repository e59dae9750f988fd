"""Rows of a leaderboard."""

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

    `key` is safe, open or out. `why` gives the reason if it seems to contradict the cut.
    """

    key: str
    text: str
    why: str = ""


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass
class LeaderRow:
    """One row of a leaderboard: a player's place in the event, or in the board's stage.

    `figure` is the figure named by `heading`. `metrics` are values as shown, in the order of the
    board's `columns`, if figures are requested. `through`: still in the running, if that applies.
    `provisional`: a match is still being played. `chance`: the chance to advance, if that is still
    open and known.

    `unplaced`: the player is in a frozen final, which has no places yet.
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
        """The rank as it is published: None for a player without a place."""
        return None if self.unplaced else self.placed.rank

    @property
    def name(self) -> str:
        return self.placed.row.name

    @property
    def points(self) -> int:
        """The points of all rounds."""
        return self.placed.row.points

    @property
    def matches(self) -> int:
        return self.placed.row.played

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
        """Sentence about the reason for the rank, "" for the first row.

        It is computed on demand, since a board of thousands of rows shows it for a few only.
        """
        return self.placed.why()


@dataclass(frozen=True)
class Leaderboard:
    """A leaderboard, `provisional` while a match is being played (finished hands count already).

    `columns` are the titles of the metrics, headline first.
    `hidden`: the number of the best places that are not revealed yet.
    `cut`: the number of rows above the cut. `line` describes what decides the stage in progress.
    `finished_round`: the title of the latest round, if its matches are over and others follow.
    `chances_at`: the time of the rows' chances. These are 0, "" and None if they are not shown.
    `results` and their `standing` are the source of the board.
    `heading` names the figure of each row. `by_bracket`: rows are ranked by progress rather than
    by the figure.
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
