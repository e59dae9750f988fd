"""How often one strength wins against another: the same deals, from every seat in turn.

.venv/bin/python -m bench.bots [--hands 4000] [--one plain] [--other random]

In each deal one seat is played by --one and all the others by --other; every deal is played once
from each seat. The interval is 95 %, over deals. Against equals it would be 50 % of two-seat and
25 % of four-seat hands.
"""

import statistics
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from random import Random

from games.rules import rulesets
from games.rules.playout import Playout
from games.rules.rulesets import RuleSet


def share(rs: RuleSet, seats: int, deal: int, one: str, other: str) -> float:
    """Of the hands of one deal, the share that ``one`` wins."""
    wins = 0
    for seat in range(seats):
        strengths = [one if place == seat else other for place in range(seats)]
        hand = Playout(rs, strengths, deal % seats, Random(deal)).run()
        wins += hand.winner == seat
    return wins / seats


def measure(rs: RuleSet, seats: int, options: Namespace) -> str:
    deals = range(options.hands // seats)
    shares = [share(rs, seats, deal, options.one, options.other) for deal in deals]
    error = statistics.stdev(shares) / len(shares) ** 0.5
    return f"{seats} seats {100 * statistics.mean(shares):5.1f} % ± {196 * error:.1f}"


def cases() -> Iterator[tuple[str, RuleSet]]:
    """Each rule set, and again without the UNO call, so that only the play is compared."""
    for key, rs in rulesets.RULE_SETS.items():
        yield key, rs
        if rs.uno_penalty:
            yield f"{key}, no UNO call", rulesets.make(key, {"uno_penalty": 0})


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--one", default="plain")
    parser.add_argument("--other", default="random")
    options = parser.parse_args()
    print(f"{options.one} against {options.other}, {options.hands} hands each")
    for label, rs in cases():
        began = time.perf_counter()
        found = "   ".join(measure(rs, seats, options) for seats in (2, 4))
        print(f"{label:28} {found}   ({time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
