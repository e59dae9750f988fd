"""Chances in a hand, shown below its replay, and the option to request a review.

The chances are drawn along the steps, with the suboptimal moves marked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.json_values.reviewed import ReviewedHand
from games.models import Hand, Review
from games.protocol.faces import faces_at
from games.protocol.replay import StepLuck
from games.reviews.curves import Curves, curves
from games.reviews.figures import HUNDRED
from games.reviews.page import results_of
from games.reviews.steps import describe_better_at, list_step_luck
from games.seats import SeatNumber, seat_of
from games.store import Snapshot
from games.tables.replay import may_review


@dataclass(frozen=True)
class StepMark:
    """A suboptimal move, at the step where the replay shows it.

    `x` and `y` are its position in the drawing, in percent from the left and the top. `own` is true
    if the reader made the move.
    """

    step: int
    tone: int
    x: float
    y: float
    own: bool
    text: str


@dataclass(frozen=True)
class HandLuck:
    """Luck in a hand, for its replay. `curves` is None until the review is complete.

    `may` is true if a review can be requested, or has been. `steps` are in the order of the
    replay's steps.
    """

    may: bool = False
    asked: Review | None = None
    steps: list[StepLuck] = field(default_factory=list)
    curves: Curves | None = None
    marks: list[StepMark] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """True until the review is complete, if the reader may see it."""
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
            drawn = curves(reviewed, [people[number] for number in reviewed.players], tones)
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
    """Return the marks in order of steps. Two marks at one step overlap and have the same text."""
    last = len(reviewed.accounts[0].curve) - 1
    return [
        StepMark(
            step=step,
            tone=tones[move.player],
            x=round(HUNDRED * step / last, 2),
            y=round(HUNDRED * (1 - reviewed.accounts[move.player].curve[step]), 2),
            own=seat_of(reviewed.players, move.player) == seat,
            text=_("Step {step}, {name}. {better}").format(
                step=step, name=snapshot.names(hand, move.step)[move.player], better=better
            ),
        )
        for move in sorted(reviewed.moves, key=lambda move: move.step)
        for step, better in [(move.step + 1, describe_better_at(move, snapshot, hand))]
    ]
