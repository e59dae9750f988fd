"""Simulated matches, drawn from played hands. A match may already be in progress."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import MatchScore
from tournament.pure.simulation.hands import HandPlayed, Hands
from tournament.pure.simulation.rounds import MOST_HANDS, HumanPace

# Number of matches generated for each number of seats. Simulated rounds draw from these.
POOL_SIZE = 600
# The strongest player wins this many times as often as any other player. The ratio is that of the
# look-ahead bot among simple bots (docs/bots.md).
EDGE = 1.25


@dataclass(frozen=True)
class PlannedLimits:
    """Limits on a match: the number of hands, and the minutes after which no hand is dealt."""

    hands: int | None = None
    minutes: float | None = None


@dataclass(frozen=True)
class SimulatedStart:
    """A match in progress: the points of its finished hands, and the minutes since its start.

    `left` is the number of minutes until no more hands are dealt, or None without a limit.
    """

    hands: tuple[tuple[int, ...], ...] = ()
    minutes: float = 0.0
    left: float | None = None


@dataclass(frozen=True)
class SimulatedEnd:
    """The end of a match: total points by seat, and its duration in minutes.

    For a match in progress, the duration is counted from now.
    """

    totals: tuple[int, ...]
    minutes: float


class MatchSampler:
    """A source of random matches with one rule set at one pace."""

    def __init__(
        self,
        hands: Hands,
        pace: HumanPace,
        limits: PlannedLimits,
        rng: Random,
        *,
        edge: float = EDGE,
    ) -> None:
        self.hands, self.pace, self.limits, self.rng, self.edge = hands, pace, limits, rng, edge
        self._pools: dict[tuple[int, bool], list[SimulatedEnd]] = {}

    @property
    def rules(self) -> RuleSet:
        return self.hands.rs

    def sample_match(self, seats: int, *, strong: bool = False) -> SimulatedEnd:
        """Draw a whole match. If `strong`, the strongest player sits in seat 0."""
        key = seats, strong
        if key not in self._pools:
            begun, first = SimulatedStart(left=self.limits.minutes), 0 if strong else None
            self._pools[key] = [self.play_to_end(seats, begun, first) for _ in range(POOL_SIZE)]
        return self.rng.choice(self._pools[key])

    def play_to_end(
        self, seats: int, begun: SimulatedStart, strong: int | None = None
    ) -> SimulatedEnd:
        """Play a match in progress to its end. Return the totals and the remaining minutes."""
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
        return SimulatedEnd(tuple(score.totals), minutes)

    def _draw_hand(self, playing: list[int], strong: int | None) -> HandPlayed:
        if strong not in playing or strong is None:
            return self.hands.draw(len(playing))
        return self.hands.draw_for(playing.index(strong), len(playing), self.edge)
