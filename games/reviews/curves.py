"""Line chart (SVG) of the players' chances in a hand, with the actions on the x-axis.

This module is pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.json_values.reviewed import ReviewedHand
from games.protocol.faces import Person
from games.seats import SeatNumber

# Size of the plot area, without its labels.
WIDTH, HEIGHT = 600.0, 240.0
# Maximum number of intervals between labels on the x-axis, and their possible lengths.
MAX_INTERVALS = 6
LABEL_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Curve:
    """A player's curve.

    * `tone`: the number of the colour, as in the player's face.
    * `dash`: the number of the line pattern.
    * `points`: the value of an SVG `points` attribute.
    """

    seat: SeatNumber
    name: str
    user: int | None
    tone: int
    dash: int
    points: str


@dataclass(frozen=True)
class Mark:
    """Position of a suboptimal move on its player's curve."""

    number: int
    tone: int
    x: float
    y: float


@dataclass(frozen=True)
class Curves:
    """Chart of the chances in a hand.

    * `marks`: the costliest moves.
    * `steps`: positions and labels on the x-axis.
    * `levels`: positions and labels on the y-axis.
    """

    lines: list[Curve]
    marks: list[Mark]
    steps: list[tuple[float, int]]
    levels: ClassVar = [(HEIGHT * (1 - share / 100), share) for share in (0, 50, 100)]


def draw_curves(hand: ReviewedHand, people: Sequence[Person], tones: Sequence[int]) -> Curves:
    """Draw the chances in a hand.

    `people` contains the hand's players in order, and `tones` their colours at the table.
    """
    last = len(hand.accounts[0].curve) - 1
    lines = [
        Curve(
            hand.players[player],
            person.name,
            person.account,
            tones[player],
            player,
            _format_points(account.curve),
        )
        for player, (person, account) in enumerate(zip(people, hand.accounts, strict=True))
    ]
    marks = [
        Mark(
            number,
            tones[move.player],
            _to_x(move.step, last),
            _to_y(hand.accounts[move.player].curve[move.step]),
        )
        for number, move in enumerate(hand.worst, 1)
    ]
    interval = next(
        step for step in LABEL_STEPS if last / step <= MAX_INTERVALS or step == LABEL_STEPS[-1]
    )
    labels = [(_to_x(step, last), step) for step in range(0, last + 1, interval)]
    return Curves(lines, marks, labels)


def _format_points(curve: Sequence[float]) -> str:
    last = len(curve) - 1
    return " ".join(f"{_to_x(step, last)},{_to_y(chance)}" for step, chance in enumerate(curve))


def _to_x(step: int, last: int) -> float:
    return round(WIDTH * step / max(1, last), 1)


def _to_y(chance: float) -> float:
    return round(HEIGHT * (1 - chance), 1)
