"""`Review.answer`: the role of luck in a match, computed by games.rules.bots.luck.

Players of a hand have the same numbers as there, and `players` maps them to seats of the match.
This module is pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import AfterValidator

from games.json_values.codec import AsItIs, JsonValue
from games.rules.actions.moves import Move
from games.rules.bots.luck import HandReview, LuckBreakdown, Mistake
from games.seats import PlayerIndex, SeatNumber

# Only the points of a curve are rounded. Values that must add up are stored in full precision.
DIGITS = 4
# Number of decisions shown for a hand or a match.
SHOWN = 3
# Smallest cost worth showing, as a share of a hand. Less would appear as "+0 points of a hundred".
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was worse than `better`.

    `cost` is the loss, as a share of a hand, and `error` its standard error. If `better` is None,
    the player should have said nothing.
    """

    player: PlayerIndex
    step: int
    chosen: AsItIs[Move]
    better: AsItIs[Move | None]
    cost: float
    error: float

    @classmethod
    def from_decision(cls, decision: Mistake) -> Self:
        player, step, chosen, better, cost = decision
        return cls(PlayerIndex(player), step, chosen, better, cost.mean, cost.error)


def _select_costly(moves: list[ReviewedMove]) -> list[ReviewedMove]:
    return [move for move in moves if move.cost >= LEAST]


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """How a player's chance to win changed in the course of a hand.

    The chance begins at `start`, a fair share. `deal`, `later` and `play` are its changes by the
    deal, by later luck and by the player's decisions. `curve` contains the chance at each step.
    """

    start: float
    deal: float
    later: float
    play: float
    variance: float
    curve: list[float]

    @classmethod
    def from_account(cls, account: LuckBreakdown) -> Self:
        return cls(
            start=account.start,
            deal=account.deal,
            later=account.later,
            play=account.play,
            variance=account.variance,
            curve=[round(chance, DIGITS) for chance in account.curve],
        )

    @property
    def won(self) -> float:
        """1 for a winner of the hand, otherwise 0."""
        return self.curve[-1]


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """Review of a hand: its players, their accounts in the same order, and their mistakes."""

    number: int
    players: list[SeatNumber]
    accounts: list[ReviewedPlayer]
    moves: Annotated[list[ReviewedMove], AfterValidator(_select_costly)]

    @property
    def worst(self) -> list[ReviewedMove]:
        """The costliest moves, at most SHOWN, worst first."""
        return sorted(self.moves, key=lambda move: -move.cost)[:SHOWN]

    @classmethod
    def from_review(cls, number: int, players: Sequence[SeatNumber], review: HandReview) -> Self:
        return cls(
            number,
            list(players),
            [ReviewedPlayer.from_account(account) for account in review.accounts],
            [ReviewedMove.from_decision(decision) for decision in review.decisions],
        )


@dataclass(frozen=True, slots=True)
class MatchReview(JsonValue):
    """Reviews of all hands of a match that count, in order."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    hands: list[ReviewedHand]
