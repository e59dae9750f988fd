"""Evaluation of an unfinished hand for one seat, based only on what that seat knows.

The strong bot uses the same method. The hidden cards are dealt at random many times, and plain
players continue each deal for a round or two. Each seat's chance of winning is estimated from the
resulting positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.rules.actions.codes import (
    ACCUSE,
    CALL,
    CATCH,
    CHALLENGE,
    DRAWN,
    KEEP,
    OWED,
    PLAYS,
    SWAP,
    UNO_BIT,
)
from games.rules.bots import rollout, win_chance
from games.rules.bots.determinization import HiddenCards, reset_hand
from games.rules.chance import QuickChance
from games.rules.hand.position import Position

# Standard errors in the margin of an estimate. A margin of two covers 95 % of all cases.
MARGIN_FACTOR = 2.0


class WinEstimate(NamedTuple):
    """A chance from 0 to 1, or the difference of two chances, with its standard error."""

    mean: float
    error: float

    @classmethod
    def from_values(cls, values: Sequence[float]) -> WinEstimate:
        """Return the mean of at least two values, with its standard error."""
        n = len(values)
        mean = sum(values) / n
        spread = sum((value - mean) ** 2 for value in values) / (n - 1)
        return cls(mean, (spread / n) ** 0.5)

    @property
    def is_beyond_doubt(self) -> bool:
        """True if the mean is above zero by more than its margin of error."""
        return self.mean > MARGIN_FACTOR * self.error


class HandEvaluator:
    """Evaluator of an unfinished hand for a seat and its partner. The hand is not changed."""

    def __init__(self, hand: Position, seat: int, rng: Random) -> None:
        self.start = hand.copy()
        self.start.chance = QuickChance(rng.random)
        # No player can see whether a Wild Draw Four was a bluff, so the simulation omits
        # challenges.
        if self.start.stage == ACCUSE:
            self.start.stage = OWED
        self.hidden = HiddenCards(hand.view(seat), self.start, rng)
        self.hand = Position(hand.rs, hand.seats, hand.dealer, self.start.chance)
        self.player = rollout.plain_policy(hand.rs)
        self.side = winning_side(hand, seat)
        self.depth = 4 + 2 * hand.seats

    def chance(self, deals: int) -> WinEstimate:
        """Return the chance that the seat or its partner wins, averaged over ``deals`` deals."""
        return WinEstimate.from_values([self._evaluate_deal([None])[0] for _ in range(deals)])

    def outcomes(self, codes: Sequence[int], deals: int) -> list[list[float]]:
        """Return, for each code, the side's chance after that action in each deal.

        The codes are actions of the seat whose turn it is. All are tried on the same deals.
        """
        values_by_deal = [self._evaluate_deal(codes) for _ in range(deals)]
        return [list(values) for values in zip(*values_by_deal, strict=True)]

    def _evaluate_deal(self, codes: Sequence[int | None]) -> list[float]:
        self.hidden.deal(self.start)
        return [self._play_out_move(code) for code in codes]

    def _play_out_move(self, code: int | None) -> float:
        hand = self.hand
        reset_hand(hand, self.start)
        if code is not None:
            hand.apply_code(code)
        rollout.play_on(hand, self.player, self.depth)
        shares = win_chance.win_chances(hand, self.player)
        return sum(shares[seat] for seat in self.side)


def winning_side(hand: Position, seat: int) -> list[int]:
    """Return the seats that win together: this seat and its partner, if it has one."""
    return [s for s in range(hand.seats) if s == seat or hand.are_partners(s, seat)]


def is_decision_hidden(hand: Position, seat: int) -> bool:
    """Return whether the next decision is about a drawn card that this seat cannot see."""
    return hand.actor != seat and hand.stage in (DRAWN, KEEP)


def list_choices(hand: Position) -> list[int]:
    """Return the codes of the moves to compare for the seat whose turn it is.

    Plays include a UNO call wherever possible. Separate calls and catches are omitted, and so are
    challenges, because their result depends on a hidden hand.
    """
    codes = [code for code in hand.legal_codes() if not _is_call_catch_or_challenge(code)]
    return [code for code in codes if add_call(code, codes) == code]


def add_call(code: int, codes: Sequence[int]) -> int:
    """Return the code with a UNO call added if that is one of ``codes``, otherwise unchanged."""
    return code | UNO_BIT if _is_play(code) and code | UNO_BIT in codes else code


def _is_play(code: int) -> bool:
    return code % SWAP < PLAYS


def _is_call_catch_or_challenge(code: int) -> bool:
    return code in (CALL, CHALLENGE) or CATCH <= code < SWAP
