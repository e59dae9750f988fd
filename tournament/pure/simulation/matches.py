"""Simulated matches, made up of hands that bots have played."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import MatchScore
from tournament.pure.simulation.hands import HandPool, SimulatedHand
from tournament.pure.simulation.rounds import MOST_HANDS, HumanPace

# Number of matches that are simulated for each number of seats. Simulated rounds choose from them.
POOL_SIZE = 600
# The strongest player wins this many times as often as any other player, like the look-ahead bot
# against simple bots (docs/bots.md).
EDGE = 1.25


@dataclass(frozen=True)
class PlannedLimits:
    """The limits of a match: the number of hands, and the minutes after which no hand is dealt."""

    hands: int | None = None
    minutes: float | None = None


@dataclass(frozen=True)
class MatchProgress:
    """The progress of a match.

    * `hands`: the points of each seat in each finished hand.
    * `minutes`: the minutes since the start.
    * `left`: the minutes until no more hands are dealt, or None without a limit.
    """

    hands: tuple[tuple[int, ...], ...] = ()
    minutes: float = 0.0
    left: float | None = None


@dataclass(frozen=True)
class SimulatedResult:
    """The result of a simulated match.

    * `totals`: the total points of each seat.
    * `minutes`: the duration. For a match that was in progress, the remaining duration.
    """

    totals: tuple[int, ...]
    minutes: float


class MatchSampler:
    """A sampler of random matches with the same rule set, pace and limits."""

    def __init__(
        self,
        hands: HandPool,
        pace: HumanPace,
        limits: PlannedLimits,
        rng: Random,
        *,
        edge: float = EDGE,
    ) -> None:
        self.hands, self.pace, self.limits, self.rng, self.edge = hands, pace, limits, rng, edge
        self._pools: dict[tuple[int, bool], list[SimulatedResult]] = {}

    @property
    def rules(self) -> RuleSet:
        return self.hands.rs

    def sample_match(self, seats: int, *, strong: bool = False) -> SimulatedResult:
        """Return a random match. If `strong`, the strongest player has seat 0."""
        key = seats, strong
        if key not in self._pools:
            begun, first = MatchProgress(left=self.limits.minutes), 0 if strong else None
            self._pools[key] = [self.play_to_end(seats, begun, first) for _ in range(POOL_SIZE)]
        return self.rng.choice(self._pools[key])

    def play_to_end(
        self, seats: int, begun: MatchProgress, strong: int | None = None
    ) -> SimulatedResult:
        """Play a match in progress to its end.

        `strong` is the seat of the strongest player, if any.
        """
        score, minutes = MatchScore(self.rules, seats, begun.hands), 0.0
        most_hands = self.limits.hands or MOST_HANDS
        for number in range(len(begun.hands), most_hands):
            if score.over or (begun.left is not None and minutes >= begun.left):
                break
            hand = self._draw_hand(score.playing, strong)
            points = [0] * seats
            for seat, seat_points in zip(score.playing, hand.points, strict=True):
                points[seat] = seat_points
            score.add(points)
            pause = self.pace.between if number else 0
            minutes += (hand.actions * self.pace.action + pause) / 60
        return SimulatedResult(tuple(score.totals), minutes)

    def _draw_hand(self, playing: list[int], strong: int | None) -> SimulatedHand:
        if strong not in playing or strong is None:
            return self.hands.draw_hand(len(playing))
        return self.hands.draw_biased_hand(playing.index(strong), len(playing), self.edge)
