"""`Review.answer`: the role of luck in a match, found by games.rules.bots.luck. Pure.

Players of a hand are numbered as in that module; `players` maps them to seats of the
match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import AfterValidator

from games.json_values.codec import AsItIs, JsonValue
from games.rules.actions.moves import Move
from games.rules.bots.luck import Account, HandReview, Mistake
from games.seats import PlayerIndex, SeatNumber

# Only the points of a curve are rounded; values that must add up are not.
DIGITS = 4
# Decisions shown for a hand or a match.
SHOWN = 3
# A smaller cost, in hands, would be shown as "+0 points of a hundred".
LEAST = 0.005


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move that was worse than `better`, by `cost` of a hand.

    If `better` is None, saying nothing would have been better.
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
    """Changes of a player's chance from `start`, a fair share, to the last point of `curve`."""

    start: float
    deal: float
    later: float
    play: float
    variance: float
    curve: list[float]

    @classmethod
    def from_account(cls, account: Account) -> Self:
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
        """1 for the side that won the hand, else 0."""
        return self.curve[-1]


@dataclass(frozen=True, slots=True)
class ReviewedHand:
    """A hand's reviewed players, parallel to `players`, and their suboptimal moves."""

    number: int
    players: list[SeatNumber]
    accounts: list[ReviewedPlayer]
    moves: Annotated[list[ReviewedMove], AfterValidator(_select_costly)]

    @property
    def worst(self) -> list[ReviewedMove]:
        """The costliest moves, worst first, at most SHOWN."""
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
    """Reviews of a match's counting hands, in order."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    hands: list[ReviewedHand]
