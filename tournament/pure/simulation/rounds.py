"""Forecasts of the duration of a round, based on matches that bots play.

The same rule set, number of seats and key give the same forecast.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.chance import QuickChance
from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import MatchScore, first_dealer, next_dealer
from tournament.pure.simulation.hands import play_hand

# With blocked hands, a match could go on forever. It ends after this number of hands.
MOST_HANDS = 200


@dataclass(frozen=True)
class SimulatedMatch:
    """A match played by bots.

    * `hands`: the number of hands.
    * `actions`: the number of actions in all hands.
    * `totals`: the total points of each seat.
    """

    hands: int
    actions: int
    totals: tuple[int, ...]


@dataclass(frozen=True)
class HumanPace:
    """The pace of human players.

    * `action`: seconds per action.
    * `between`: seconds between two hands.
    """

    action: float = 5.0
    between: float = 12.0

    def minutes(self, match: SimulatedMatch) -> float:
        """Return the duration of a match in minutes."""
        return (match.actions * self.action + (match.hands - 1) * self.between) / 60


@dataclass(frozen=True)
class RoundForecast:
    """The forecast for a round.

    * `seats`: the number of seats at each table.
    * `tables`: the number of tables.
    * `hands`, `minutes`: the 5th, 50th and 95th percentiles for one table.
    * `slowest`: the median number of minutes until all tables have finished.
    * `pointless`: the share of players who finish without points.
    """

    seats: int
    tables: int
    hands: tuple[float, float, float]
    minutes: tuple[float, float, float]
    slowest: float
    pointless: float


def play_match(
    rs: RuleSet, seats: int, key: str, *, hand_limit: int | None = None
) -> SimulatedMatch:
    """Let bots play one match to the target or the hand limit.

    `rs` is the rule set, and `key` the key of the random draw. Raises OptionError for an invalid
    number of seats.
    """
    seed = int(hashlib.sha256(key.encode()).hexdigest(), 16)
    rng = random.Random(seed)  # noqa: S311  a forecast must be repeatable, not secret
    chance = QuickChance(rng.random)
    score = MatchScore(rs, seats)
    dealer, _ = first_dealer(rs, seats, chance)
    hands = actions = 0
    while not score.over and hands < (hand_limit or MOST_HANDS):
        playing = score.playing
        hand = play_hand(rs, len(playing), playing.index(dealer), rng)
        totals = [0] * seats
        for seat, points in zip(playing, hand.points, strict=True):
            totals[seat] = points
        score.add(totals)
        hands, actions = hands + 1, actions + hand.actions
        if not score.over:
            winner = None if hand.winner is None else playing[hand.winner]
            dealer = next_dealer(rs, score.playing, dealer, winner)
    return SimulatedMatch(hands, actions, tuple(score.totals))


def forecast_round(
    rs: RuleSet,
    seats: int,
    tables: int,
    *,
    key: str = "plan",
    matches: int = 40,
    pace: HumanPace | None = None,
    hand_limit: int | None = None,
) -> RoundForecast:
    """Forecast a round from a number of matches that bots play.

    Raises OptionError for an invalid number of seats.
    """
    human_pace = pace or HumanPace()
    played = [play_match(rs, seats, f"{key}/{n}", hand_limit=hand_limit) for n in range(matches)]
    minutes = sorted(human_pace.minutes(match) for match in played)
    hands = sorted(float(match.hands) for match in played)
    pointless = sum(match.totals.count(0) for match in played)
    return RoundForecast(
        seats=seats,
        tables=tables,
        hands=_compute_percentiles(hands),
        minutes=_compute_percentiles(minutes),
        # The time within which all tables finish in half of the rounds: p ** tables = 1/2.
        slowest=percentile(minutes, 0.5 ** (1 / tables)),
        pointless=pointless / (matches * seats),
    )


def _compute_percentiles(ordered: Sequence[float]) -> tuple[float, float, float]:
    return percentile(ordered, 0.05), percentile(ordered, 0.5), percentile(ordered, 0.95)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the interpolated value below which a share of the ordered values lies."""
    position = share * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)
