"""Test that compares the review's estimated chances with actual outcomes."""

import sys
from random import Random

import pytest

from games.rules.bots.evaluation import HandEvaluator, is_decision_hidden, winning_side
from games.rules.bots.luck import LOOK
from games.rules.bots.playout import Playout
from games.rules.ruleset import rulesets

pytestmark = [pytest.mark.slow, pytest.mark.patient]
RULES = ("uno-500", "uno-400", "ocho", "crazy-eights")
# Numbers of simulated deals for an estimate, and of actions between two estimates.
DEALS, INTERVAL = LOOK, 7


def estimate_chances_and_outcomes(rules: str, seats: int, rng: Random) -> list[tuple[float, bool]]:
    """Play a hand, and return pairs of an estimated chance and whether the seat's side won.

    The chances of all seats are estimated after every `INTERVAL` actions.
    """
    played = Playout(rulesets.make(rules), ["plain"] * seats, rng.randrange(seats), rng)
    hand, estimates = played.hand, []
    for number, _events in enumerate(played.steps()):
        for seat in range(seats) if number % INTERVAL == 0 and not hand.over else ():
            if not is_decision_hidden(hand, seat):
                estimates.append((seat, HandEvaluator(hand, seat, rng).chance(DEALS).mean))
    return [(chance, hand.winner in winning_side(hand, seat)) for seat, chance in estimates]


def summarize_chances_by_tenth(hands: int) -> list[tuple[int, float, float]]:
    """Play this number of hands, and compare estimated chances with outcomes by tenth.

    Returns (number of chances, mean chance, share of winners) for each tenth from 0 to 1 that
    contains estimated chances.
    """
    rng = Random(20)
    found: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for number in range(hands):
        rules, seats = RULES[number % len(RULES)], 2 + number // len(RULES) % 4
        for chance, won in estimate_chances_and_outcomes(rules, seats, rng):
            found[min(9, int(chance * 10))].append((chance, won))
    return [
        (len(part), *(sum(each) / len(part) for each in zip(*part, strict=True)))
        for part in found
        if part
    ]


def test_predicted_chances_match_observed_frequencies(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    long = request.config.getoption("--long")
    found = summarize_chances_by_tenth(1000 if long else 24)
    with capsys.disabled():
        for count, mean, share in found:
            sys.stdout.write(f"{count:6} {mean:6.1%} {share:6.1%}\n")
    off = [abs(mean - share) for count, mean, share in found if count >= 50]
    assert max(off) < (0.05 if long else 0.3)
