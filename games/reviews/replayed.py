"""Chart of the chances in a hand, shown below its replay, with suboptimal moves marked.

Until the match has been reviewed, people can request a review instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.json_values.reviewed import ReviewedHand
from games.models import Hand, Review
from games.protocol.faces import faces_at
from games.protocol.replay import StepLuck
from games.reviews.curves import Curves, draw_curves
from games.reviews.figures import PERCENT
from games.reviews.page import results_of
from games.reviews.steps import describe_better_at, list_step_luck
from games.seats import SeatNumber, seat_of
from games.store import Snapshot
from games.tables.replay import may_review


@dataclass(frozen=True)
class StepMark:
    """A suboptimal move, marked in the chart.

    * `step`: the step of the replay that shows the move.
    * `x`, `y`: the position in the chart, in percent from the left and the top.
    * `own`: true if the reader made the move.
    """

    step: int
    tone: int
    x: float
    y: float
    own: bool
    text: str


@dataclass(frozen=True)
class HandLuck:
    """Luck in a hand, for its replay.

    * `may`: true if the reader may request the review or see it.
    * `asked`: the requested review, or None.
    * `steps`: the luck at each step of the replay, in order.
    * `curves`: None until the review is complete.
    """

    may: bool = False
    asked: Review | None = None
    steps: list[StepLuck] = field(default_factory=list)
    curves: Curves | None = None
    marks: list[StepMark] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """True if the reader may request the review, or is waiting for it."""
        return self.may and (self.asked is None or self.asked.answer is None)


def hand_luck(snapshot: Snapshot, hand: Hand, seat: SeatNumber | None) -> HandLuck:
    """Return the chances in a hand, if this seat may see them. `seat` is None for a viewer."""
    if not may_review(snapshot):
        return HandLuck()
    pending = Review.objects.filter(match=snapshot.match).first()
    for reviewed in results_of(pending).hands:
        if reviewed.number == hand.number:
            steps = list_step_luck(snapshot, hand, reviewed)
            people = snapshot.people(hand)
            faces = faces_at(people)
            tones = [faces[number]["tone"] for number in reviewed.players]
            drawn = draw_curves(reviewed, [people[number] for number in reviewed.players], tones)
            marks = _list_marks(snapshot, hand, reviewed, tones, seat)
            return HandLuck(True, pending, steps, drawn, marks)
    return HandLuck(True, pending)


def _list_marks(
    snapshot: Snapshot,
    hand: Hand,
    reviewed: ReviewedHand,
    tones: Sequence[int],
    seat: SeatNumber | None,
) -> list[StepMark]:
    """Return the marks in order of steps."""
    last = len(reviewed.accounts[0].curve) - 1
    return [
        StepMark(
            step=step,
            tone=tones[move.player],
            x=round(PERCENT * step / last, 2),
            y=round(PERCENT * (1 - reviewed.accounts[move.player].curve[step]), 2),
            own=seat_of(reviewed.players, move.player) == seat,
            text=_("Step {step}, {name}. {better}").format(
                step=step, name=snapshot.names(hand, move.step)[move.player], better=better
            ),
        )
        for move in sorted(reviewed.moves, key=lambda move: move.step)
        for step, better in [(move.step + 1, describe_better_at(move, snapshot, hand))]
    ]
