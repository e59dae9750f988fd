"""Hands played by simple bots, as the basis of simulated matches."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from games.rules.bots.rollout import plain_policy
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet

# With this many hands for each number of seats, the average number of actions is accurate to about
# two percent.
HANDS_PER_SIZE = 400


@dataclass(frozen=True)
class HandPlayed:
    """The outcome of one hand: its winner (None if blocked), points by seat, and action count."""

    winner: int | None
    points: tuple[int, ...]
    actions: int

    def rotate_seats(self, offset: int) -> HandPlayed:
        """Return the same outcome with every player moved on by `offset` seats."""
        seats = len(self.points)
        points = tuple(self.points[(seat - offset) % seats] for seat in range(seats))
        winner = None if self.winner is None else (self.winner + offset) % seats
        return HandPlayed(winner, points, self.actions)


def play_hand(rs: RuleSet, seats: int, dealer: int, rng: Random) -> HandPlayed:
    """Deal and play one hand. Raises OptionError for an invalid number of seats."""
    chance = QuickChance(rng.random)
    deck = rs.cards()
    chance.shuffle(deck)
    hand = Position.deal(rs, seats, dealer, deck, chance)
    code, actions = plain_policy(rs).choose_code, 0
    while not hand.over:
        hand.apply_code(code(hand))
        actions += 1
    return HandPlayed(hand.winner, tuple(hand.points), actions)


class Hands:
    """A rule set's hands for each number of seats, played when they are first needed."""

    def __init__(self, rs: RuleSet, rng: Random, count: int = HANDS_PER_SIZE) -> None:
        self.rs, self.rng, self.count = rs, rng, count
        self._played: dict[int, list[HandPlayed]] = {}

    def with_seats(self, seats: int) -> list[HandPlayed]:
        if seats not in self._played:
            dealers = (n % seats for n in range(self.count))
            self._played[seats] = [
                play_hand(self.rs, seats, dealer, self.rng) for dealer in dealers
            ]
        return self._played[seats]

    def actions(self, seats: int) -> float:
        """Return the average number of actions in a hand."""
        return sum(hand.actions for hand in self.with_seats(seats)) / self.count

    def draw(self, seats: int) -> HandPlayed:
        """Return a random hand, with players moved on by a random number of seats."""
        return self.rng.choice(self.with_seats(seats)).rotate_seats(self.rng.randrange(seats))

    def draw_for(self, strong: int, seats: int, edge: float) -> HandPlayed:
        """Return a random hand in which seat `strong` wins `edge` times as often as any other."""
        hand = self.draw(seats)
        if hand.winner is None or self.rng.random() >= edge / (edge + seats - 1):
            return (
                hand if hand.winner != strong else hand.rotate_seats(self.rng.randrange(1, seats))
            )
        return hand.rotate_seats((strong - hand.winner) % seats)
