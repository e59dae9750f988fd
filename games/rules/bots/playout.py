"""Hands and matches played only by bots, without a clock or a database.

They are used to try out rules, in tests, and to estimate how long an event takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from games.rules import record
from games.rules.actions.actions import Action
from games.rules.bots import bots
from games.rules.chance import RecordingChance
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import (
    NO_BOT,
    SECRET_BYTES,
    DealIngredients,
    DealKey,
    FairChance,
    ShareList,
    deck_of,
    secret_commitment,
)
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import MatchScore, next_dealer

# Bots finish a hand in about 50 actions. The longest of 27,000 hands under various options took
# 2,523. In theory, a hand could go on forever. If a hand exceeds this limit, the rules or the bots
# probably have a bug.
MOST_ACTIONS = 20_000
MOST_HANDS = 2_000


class EndlessHandError(RuntimeError):
    """A hand or a match did not end within the limit."""


def deal_for_bots(
    rs: RuleSet, draw: DealKey, dealer: int | None, seats: Sequence[int], rng: Random
) -> FairDeal:
    """Return a fair deal among bots. It depends only on a secret from ``rng``.

    ``seats`` and ``dealer`` are seat numbers of the match. If ``dealer`` is None, the deal chooses
    one at random.
    """
    secret = rng.randbytes(SECRET_BYTES)
    deck = tuple(rs.pack.notations(rs.cards()))
    entries = tuple((seat, NO_BOT) for seat in seats)
    agreed = ShareList(draw, dealer, deck, secret_commitment(draw, secret), entries)
    return FairDeal(DealIngredients(agreed, secret, {}))


class Playout:
    """One hand from a shuffled deck, with all data needed to write its record.

    A generator in the same state produces the same hand.

    * ``deal``: the deal to use instead of a random one. ``dealer`` must be the dealer of this deal.
    * ``opening``: the events of the deal.
    """

    def __init__(
        self,
        rs: RuleSet,
        strengths: Sequence[str],
        dealer: int,
        rng: Random,
        deal: FairDeal | None = None,
    ) -> None:
        self.rs = rs
        self.strengths = strengths
        self.dealer = dealer
        self.rng = rng
        seats = len(strengths)
        self.fair = deal or deal_for_bots(rs, DealKey("bots", 1, 1), dealer, range(seats), rng)
        self.chance = RecordingChance(FairChance(self.fair.dealt, rs.cards()), rs.pack)
        self.deck = deck_of(self.fair.dealt, rs)
        self.actions: list[dict[str, object]] = []
        self.opening: list[Event] = []
        self.hand = Position.deal(rs, seats, dealer, self.deck, self.chance, self.opening)

    def steps(self) -> Iterator[list[Event]]:
        """Play to the end of the hand, and yield the events of each action.

        Raises EndlessHandError if the hand does not end.
        """
        while not self.hand.over:
            if len(self.actions) > MOST_ACTIONS:
                raise EndlessHandError(f"the hand is not over after {MOST_ACTIONS} actions")
            yield from self._make_calls()
            seat = self.hand.actor
            view = self.hand.view(seat)
            yield self._apply_action(
                seat, bots.choose_action(view, self.rs, self.strengths[seat], self.rng)
            )

    def run(self) -> Position:
        """Play to the end of the hand, and return it."""
        for _ in self.steps():
            pass
        return self.hand

    def record(self, name: str) -> record.HandRecord:
        """Return the record of the hand so far."""
        return record.write(
            name=name,
            rs=self.rs,
            seats=self.hand.seats,
            dealer=self.dealer,
            deck=self.deck,
            actions=self.actions,
            chance=self.chance.results,
            fair=self.fair,
        )

    def _make_calls(self) -> Iterator[list[Event]]:
        """Make the bots' calls and catches in random order, and yield their events."""
        if not self.hand.uncalled:
            return
        seats = list(range(self.hand.seats))
        self.rng.shuffle(seats)
        for seat in seats:
            strength = self.strengths[seat]
            action = bots.choose_call_or_catch(self.hand.view(seat), self.rs, strength, self.rng)
            if action is not None:
                yield self._apply_action(seat, action)

    def _apply_action(self, seat: int, action: Action) -> list[Event]:
        self.actions.append({"seat": seat, **action.to_json()})
        return self.hand.apply(seat, action)


def play_match(
    rs: RuleSet,
    strengths: Sequence[str],
    rng: Random,
    on_hand: Callable[[Playout], None] = lambda played: None,
) -> MatchScore:
    """Play hands until the match is over, and return its score.

    ``on_hand`` is called with each finished hand. Raises EndlessHandError if the match does not
    end.
    """
    score = MatchScore(rs, len(strengths))
    dealer: int | None = None
    for number in range(1, MOST_HANDS + 1):
        playing = score.playing
        deal = deal_for_bots(rs, DealKey("bots", number, 1), dealer, playing, rng)
        player = deal.dealer(rs)
        played = Playout(rs, [strengths[seat] for seat in playing], player, rng, deal)
        hand = played.run()
        on_hand(played)
        points = dict(zip(playing, hand.points, strict=True))
        score.add([points.get(seat, 0) for seat in range(len(strengths))])
        if score.over:
            return score
        winner = None if hand.winner is None else playing[hand.winner]
        dealer = next_dealer(rs, score.playing, playing[player], winner)
    raise EndlessHandError(f"the match is not over after {MOST_HANDS} hands")
