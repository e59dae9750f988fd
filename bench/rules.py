"""Actions per second in random playouts of each rule set, compared with two other engines.

python -m bench.rules [SECONDS per measurement]

Four players choose uniformly among their legal actions, on one core. Hands use the engine of live
play, but without JSON and logs. Processor time is measured, so other work on the machine matters
little. The other engines are installed into the benchmarks' own virtual environment.
"""

import sys
import time
from random import Random

from bench import peer_venv
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets

SEATS = 4


def play_hand(rs: rulesets.RuleSet, dealer: int, deck: list[int], chance: QuickChance) -> int:
    """Play a random hand, and return the number of actions."""
    random = chance.random
    chance.shuffle(deck)
    hand = Position.deal(rs, SEATS, dealer, deck, chance)
    actions = 0
    while not hand.over:
        codes = hand.legal_codes()
        hand.apply_code(codes[int(random() * len(codes))])
        actions += 1
    return actions


def measure_rate(rs: rulesets.RuleSet, seconds: float) -> tuple[float, float]:
    """Return the actions per second and the actions per hand."""
    chance = QuickChance(Random(1).random)
    deck = rs.cards()
    play_hand(rs, 0, deck, chance)
    start = time.process_time()
    hands = actions = 0
    while (elapsed := time.process_time() - start) < seconds:
        actions += play_hand(rs, hands % SEATS, deck, chance)
        hands += 1
    return actions / elapsed, actions / hands


def main(seconds: float) -> None:
    print(f"Random playouts, {SEATS} players, full rules, one core")
    rates = {}
    for key, rs in rulesets.RULE_SETS.items():
        rates[key], length = measure_rate(rs, seconds)
        print(f"  {key:34} {rates[key]:>10,.0f} actions/s   {length:6,.0f} actions a hand")
    print("Others in the same run, and how many times as fast uno-500 is")
    for name, theirs in peer_venv.run("peers.py", str(seconds)).items():
        print(f"  {name:34} {theirs:>10,.0f} actions/s   {rates['uno-500'] / theirs:6.1f} times")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
