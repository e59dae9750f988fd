"""“Was it luck?”: how each player's chance of winning changed during a finished hand, and why.

After each action, a player's chance is estimated from what that player could know
(bots/evaluation.py). Changes caused by the player's own decisions are attributed to play, and all
other changes to luck. The chance starts at an equal share. With all changes added, it is 1 for the
winner and 0 for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot
from random import Random
from typing import NamedTuple

from games.rules.actions.actions import Action
from games.rules.actions.moves import Move, is_catch, is_play
from games.rules.bots.evaluation import (
    HandEvaluator,
    WinEstimate,
    add_call,
    is_decision_hidden,
    list_choices,
    winning_side,
)
from games.rules.chance import RecordedChance
from games.rules.hand import codec
from games.rules.hand.position import Position

# Numbers of simulated deals for a point of the curve, for finding the best move, and for comparing
# that move with the actual one. All moves are tried on the same deals. If a hand would need more
# than MOST deals, these numbers are reduced in proportion, but not below LEAST.
LOOK, CHOOSE, COMPARE = 60, 320, 200
MOST = 60_000
LEAST = 8


class PlayedAction(NamedTuple):
    """One action of a finished hand.

    * ``chance``: the results of shuffles and random choices during the action.
    * ``at``: its time in seconds, if known.
    """

    player: int
    move: Move
    chance: Sequence[list[str] | int] = ()
    at: float | None = None


class Mistake(NamedTuple):
    """A move that was clearly worse than another one.

    * ``step``: the number of actions before the move.
    * ``better``: the better move, or None if the player should not have made a catch.
    * ``cost``: the chance of winning that the move lost.
    """

    player: int
    step: int
    chosen: Move
    better: Move | None
    cost: WinEstimate


@dataclass
class LuckBreakdown:
    """Changes of one player's chance of winning, from an equal share to the result.

    * ``start``: the equal share.
    * ``curve``: the chance after the deal and after each action. The last value is the sum of
      ``start``, ``deal``, ``later`` and ``play``.
    * ``deal``: the change made by the deal.
    * ``later``: the change made by luck after the deal.
    * ``play``: the change made by the player's own decisions.
    * ``variance``: the variance of ``play``. Luck has the same variance, because the sum of both
      is certain.
    """

    start: float
    curve: list[float] = field(default_factory=list)
    deal: float = 0.0
    later: float = 0.0
    play: float = 0.0
    variance: float = 0.0


class _Attribution(NamedTuple):
    """The move to which the effect of a catch is attributed.

    * ``step``: the number of actions before the move.
    * ``chosen``: the move.
    * ``better``: the move that would have been better, or None for no action.
    """

    step: int
    chosen: Move
    better: Move | None


class HandReview:
    """Review of one finished hand. The same seed gives the same result.

    ``deal`` is the position after the deal. The review applies the actions to it.
    """

    def __init__(self, deal: Position, played_actions: Sequence[PlayedAction], seed: str) -> None:
        self.hand = deal
        self.played_actions = played_actions
        self.seed = seed
        self.look, self.choose, self.compare = _choose_sample_sizes(deal.seats, len(played_actions))
        players = range(deal.seats)
        self.accounts = [
            LuckBreakdown(len(winning_side(deal, player)) / deal.seats) for player in players
        ]
        self.decisions: list[Mistake] = []
        self._left: dict[int, WinEstimate] = {}
        self._played: dict[int, _Attribution] = {}
        self._attributions: dict[int, _Attribution] = {}

    def steps(self) -> Iterator[int]:
        """Review the hand one action at a time, yielding the number of actions reviewed.

        Raises IllegalActionError or ChanceError if an action is not possible, and ValueError if the
        actions do not finish the hand.
        """
        for step, played in enumerate(self.played_actions):
            for player, account in enumerate(self.accounts):
                before, after = self._evaluate_action(player, step)
                self._record_change(player, before)
                account.play += after.mean - before.mean
                self._left[player] = after
            self._apply_action(played, step)
            yield step + 1
        if not self.hand.over:
            raise ValueError("the hand is not over")
        for player in range(self.hand.seats):
            won = self.hand.winner in winning_side(self.hand, player)
            self._record_change(player, WinEstimate(float(won), 0.0))

    def _evaluate_action(self, player: int, step: int) -> tuple[WinEstimate, WinEstimate]:
        """Return the player's chance before and after an action.

        If the player could have acted better, the first value is the chance with the best action.
        """
        played = self.played_actions[step]
        if played.player == player and not _is_call_or_catch(played.move):
            return self._evaluate_decision(played, step)
        # A UNO call, or another player's decision about a hidden card, changes no estimate.
        if step and (
            is_decision_hidden(self.hand, player) or "call" in self.played_actions[step - 1].move
        ):
            chance = self._left[player]
        else:
            chance = self._build_evaluator(player, step).chance(self.look)
        return chance, chance

    def _build_evaluator(self, player: int, step: int) -> HandEvaluator:
        rng = Random(f"{self.seed} {step} {player}")  # noqa: S311 - for simulated deals only
        return HandEvaluator(self.hand, player, rng)

    # --- decisions

    def _evaluate_decision(
        self, played: PlayedAction, step: int
    ) -> tuple[WinEstimate, WinEstimate]:
        """Return the chance with the best move, and the chance with the actual move.

        They differ only if the actual move was clearly worse. The best move is found on one set of
        deals, and compared with the actual move on another.
        """
        evaluator = self._build_evaluator(played.player, step)
        codes = list_choices(self.hand)
        code = codec.encode(self.hand, played.player, Action.from_json(played.move))
        code = add_call(code, codes)
        if len(codes) < 2 or code not in codes:
            chance = evaluator.chance(self.look)
            return chance, chance
        tried = evaluator.outcomes(codes, max(LEAST, self.choose // len(codes)))
        best = max(zip(map(sum, tried), codes, strict=True))[1]
        chosen, better = evaluator.outcomes([code, best], self.compare)
        after = WinEstimate.from_values(chosen)
        cost = WinEstimate.from_values([b - c for b, c in zip(better, chosen, strict=True)])
        if not cost.is_beyond_doubt:
            return after, after
        move = codec.decode(self.hand, best).to_json()
        self._add_mistake(Mistake(played.player, step, played.move, move, cost))
        return WinEstimate(after.mean + cost.mean, after.error), after

    def _add_mistake(self, decision: Mistake) -> None:
        self.decisions.append(decision)
        self.accounts[decision.player].variance += decision.cost.error**2

    # --- calls and catches

    def _apply_action(self, played: PlayedAction, step: int) -> None:
        """Apply an action. For a catch, also record the moves that its effect is attributed to."""
        if is_play(played.move):
            self._played[played.player] = _Attribution(
                step, played.move, {**played.move, "uno": True}
            )
        self._attributions = self._attribute_catch(played, step)
        action = Action.from_json(played.move)
        chance = RecordedChance(played.chance, self.hand.rs.pack)
        self.hand.apply(played.player, action, chance, played.at)

    def _attribute_catch(self, played: PlayedAction, step: int) -> dict[int, _Attribution]:
        """Attribute a catch to the catcher and, if it is right, to the player who forgot UNO."""
        if not is_catch(played.move):
            return {}
        attributions = {played.player: _Attribution(step, played.move, None)}
        caught = played.move["catch"]
        if self.hand.uncalled >> caught & 1 and caught in self._played:
            attributions[caught] = self._played[caught]
        return attributions

    # --- changes of the chances

    def _record_change(self, player: int, chance: WinEstimate) -> None:
        """Attribute the change since the last action to luck, or to a catch and the forgotten call.

        The first change is that of the deal.
        """
        account = self.accounts[player]
        account.curve.append(chance.mean)
        if player not in self._left:
            account.deal = chance.mean - account.start
            return
        left = self._left[player]
        gain = chance.mean - left.mean
        if call := self._attributions.get(player):
            account.play += gain
            self._record_call(player, call, WinEstimate(-gain, hypot(chance.error, left.error)))
        else:
            account.later += gain

    def _record_call(self, player: int, call: _Attribution, cost: WinEstimate) -> None:
        if cost.is_beyond_doubt:
            self._add_mistake(Mistake(player, *call, cost))
        else:
            self.accounts[player].variance += cost.error**2


def _is_call_or_catch(move: Move) -> bool:
    return "call" in move or is_catch(move)


def _choose_sample_sizes(seats: int, played_actions: int) -> tuple[int, int, int]:
    """Return the numbers of deals for an estimate, for finding a move and for a comparison."""
    full_size = (played_actions + 1) * seats * LOOK + played_actions * (CHOOSE + 2 * COMPARE)
    part = min(1.0, MOST / full_size)
    look, choose, compare = (max(LEAST, int(n * part)) for n in (LOOK, CHOOSE, COMPARE))
    return look, choose, compare
