"""Fit of the weights in games/rules/bots/win_chance.py.

    python -m bench.weights [HANDS]

Plain bots play hands under several rule sets. Some positions of each hand are recorded with the
winner of the hand. The weights maximize the likelihood of these results (a conditional logit,
fitted by Newton's method). The fit needs numpy, so it runs in the benchmarks' own virtual
environment.
"""

import json
import sys
from random import Random
from typing import Any

from games.rules.actions.codes import TURN
from games.rules.bots import rollout, win_chance
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets

HANDS = 6_000
SAMPLED_SHARE = 0.1
GROUPS = {
    "TWO_SEATS": [("uno-500", 2), ("ocho", 2), ("ocho-cards", 2)],
    "MORE_SEATS": [
        ("uno-500", 3),
        ("uno-500", 4),
        ("ocho", 4),
        ("ocho-cards", 4),
        ("uno-assignment", 6),
    ],
}


def sample_positions(key: str, seats: int, hands: int) -> list[tuple[list[list[float]], int]]:
    """Return sampled positions, each with the features of every seat and the winner.

    About a tenth of the positions with a normal turn are sampled. Hands without a winner are left
    out.
    """
    rs, rng = rulesets.RULE_SETS[key], Random(5)
    player, chance, deck = rollout.plain_policy(rs), QuickChance(rng.random), rs.cards()
    samples = []
    for number in range(hands):
        chance.shuffle(deck)
        hand, recorded = Position.deal(rs, seats, number % seats, deck, chance), []
        while not hand.over:
            if hand.stage == TURN and rng.random() < SAMPLED_SHARE:
                signs = [win_chance.features(hand, player, seat) for seat in range(seats)]
                recorded.append([[float(sign) for sign in values] for values in signs])
            hand.apply_code(player.choose_code(hand))
        if hand.winner is not None:
            samples += [(values, hand.winner) for values in recorded]
    return samples


def fit_weights(samples: list[list[tuple[list[list[float]], int]]]) -> list[float]:
    """Return the weights that best explain the results of all samples.

    Samples count equally, regardless of their size.
    """
    import numpy

    data = [
        (numpy.array([x for x, _ in sample]), numpy.array([w for _, w in sample]))
        for sample in samples
    ]
    size = data[0][0].shape[2]
    weights: Any = numpy.zeros(size)
    for _ in range(30):
        slope, curve = 1e-4 * weights, 1e-4 * numpy.eye(size)
        for features, winners in data:
            chances = numpy.exp(features @ weights)
            chances /= chances.sum(1, keepdims=True)
            error = chances - numpy.eye(features.shape[1])[winners]
            mean = (chances[:, :, None] * features).sum(1)
            slope = slope + numpy.einsum("ns,nsf->f", error, features) / len(features)
            square = numpy.einsum("ns,nsf,nsg->fg", chances, features, features)
            curve = curve + (square - mean.T @ mean) / len(features)
        weights = weights - numpy.linalg.solve(curve, slope)
    return [round(float(weight), 3) for weight in weights]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:
        hands = int(sys.argv[2])
        samples = {
            n: [sample_positions(*one, hands) for one in group] for n, group in GROUPS.items()
        }
        print(json.dumps({name: fit_weights(some) for name, some in samples.items()}))
    else:
        from bench import peer_venv

        found = peer_venv.run("weights.py", "--here", sys.argv[1] if sys.argv[1:] else str(HANDS))
        for name, weights in found.items():
            print(name, weights)
