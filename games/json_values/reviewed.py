"""`Review.answer`: the role of luck in a match, computed by games.rules.bots.luck.

Players of a hand are numbered as in that module, and `players` lists their seats in the match. This
module is pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

from pydantic import AfterValidator

from games.json_values.codec import AsIs, JsonValue
from games.rules.actions.moves import Move
from games.rules.bots.luck import HandReview, LuckBreakdown, Mistake
from games.seats import PlayerIndex, SeatNumber

# Only the points of a curve are rounded. Values that must add up are stored in full precision.
DIGITS = 4
# Maximum number of decisions shown for a hand or a match.
MAX_SHOWN = 3
# Smallest cost shown. A lower cost would be rounded to 0 percentage points.
MIN_COST = 0.005


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A player's move for which there was a better one.

    * `better`: the better move. None means to say nothing.
    * `cost`: how much the move lowered the player's chance to win the hand.
    * `error`: the standard error of `cost`.
    """

    player: PlayerIndex
    step: int
    chosen: AsIs[Move]
    better: AsIs[Move | None]
    cost: float
    error: float

    @classmethod
    def from_mistake(cls, mistake: Mistake) -> Self:
        player, step, chosen, better, cost = mistake
        return cls(PlayerIndex(player), step, chosen, better, cost.mean, cost.error)


def _select_costly(moves: list[ReviewedMove]) -> list[ReviewedMove]:
    return [move for move in moves if move.cost >= MIN_COST]


@dataclass(frozen=True, slots=True)
class ReviewedPlayer:
    """How a player's chance to win changed in the course of a hand.

    * `start`: the chance before the deal, the same for all players.
    * `deal`: the change caused by the deal.
    * `later`: the change caused by later luck.
    * `play`: the change caused by the player's decisions.
    * `curve`: the chance at each step.
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
    """Review of a hand. `accounts` is in the order of `players`. `moves` has only costly moves."""

    number: int
    players: list[SeatNumber]
    accounts: list[ReviewedPlayer]
    moves: Annotated[list[ReviewedMove], AfterValidator(_select_costly)]

    @property
    def worst(self) -> list[ReviewedMove]:
        """The costliest moves, at most MAX_SHOWN, worst first."""
        return sorted(self.moves, key=lambda move: -move.cost)[:MAX_SHOWN]

    @classmethod
    def from_review(cls, number: int, players: Sequence[SeatNumber], review: HandReview) -> Self:
        return cls(
            number,
            list(players),
            [ReviewedPlayer.from_account(account) for account in review.accounts],
            [ReviewedMove.from_mistake(mistake) for mistake in review.decisions],
        )


@dataclass(frozen=True, slots=True)
class MatchReview(JsonValue):
    """Reviews of all hands of a match that count, in order."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    hands: list[ReviewedHand]
