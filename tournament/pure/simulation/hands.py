"""Hands that simple bots play, from which simulated matches are made."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from games.rules.bots.rollout import plain_policy
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet

# Number of hands for each number of seats. With this number, the average number of actions is
# accurate to about two percent.
HANDS_PER_SIZE = 400


@dataclass(frozen=True)
class SimulatedHand:
    """The outcome of one hand.

    * `winner`: the seat of the winner, or None if the hand was blocked.
    * `points`: the points of each seat.
    * `actions`: the number of actions.
    """

    winner: int | None
    points: tuple[int, ...]
    actions: int

    def rotate_seats(self, offset: int) -> SimulatedHand:
        """Return the outcome with every player moved on by a number of seats."""
        seats = len(self.points)
        points = tuple(self.points[(seat - offset) % seats] for seat in range(seats))
        winner = None if self.winner is None else (self.winner + offset) % seats
        return SimulatedHand(winner, points, self.actions)


def play_hand(rs: RuleSet, seats: int, dealer: int, rng: Random) -> SimulatedHand:
    """Deal and play one hand. Raises OptionError for an invalid number of seats."""
    chance = QuickChance(rng.random)
    deck = rs.cards()
    chance.shuffle(deck)
    hand = Position.deal(rs, seats, dealer, deck, chance)
    code, actions = plain_policy(rs).choose_code, 0
    while not hand.over:
        hand.apply_code(code(hand))
        actions += 1
    return SimulatedHand(hand.winner, tuple(hand.points), actions)


class HandPool:
    """Hands of one rule set for each number of seats. They are played when first needed."""

    def __init__(self, rs: RuleSet, rng: Random, count: int = HANDS_PER_SIZE) -> None:
        self.rs, self.rng, self.count = rs, rng, count
        self._played: dict[int, list[SimulatedHand]] = {}

    def list_hands(self, seats: int) -> list[SimulatedHand]:
        if seats not in self._played:
            dealers = (n % seats for n in range(self.count))
            self._played[seats] = [
                play_hand(self.rs, seats, dealer, self.rng) for dealer in dealers
            ]
        return self._played[seats]

    def average_actions(self, seats: int) -> float:
        """Return the average number of actions in a hand."""
        return sum(hand.actions for hand in self.list_hands(seats)) / self.count

    def draw_hand(self, seats: int) -> SimulatedHand:
        """Return a random hand, with all players moved on by a random number of seats."""
        return self.rng.choice(self.list_hands(seats)).rotate_seats(self.rng.randrange(seats))

    def draw_biased_hand(self, strong: int, seats: int, edge: float) -> SimulatedHand:
        """Return a random hand that seat `strong` wins `edge` times as often as any other seat."""
        hand = self.draw_hand(seats)
        if hand.winner is None or self.rng.random() >= edge / (edge + seats - 1):
            return (
                hand if hand.winner != strong else hand.rotate_seats(self.rng.randrange(1, seats))
            )
        return hand.rotate_seats((strong - hand.winner) % seats)
