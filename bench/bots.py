"""Strength of the bots, compared on the same deals from every seat in turn.

python -m bench.bots [--hands 4000] [--matches 300] [--strong 800] [--seats 2 4] [PART...]

In each deal, a bot of one strength plays against bots of another strength. It plays the deal once
from each seat. Intervals are 95 % confidence intervals over deals. A bot that is as strong as the
others would win 50 % with two seats and 25 % with four.

Strong bots use a fixed number of playouts here, so that results can be reproduced. Times are
processor time for one decision. The parts are plain, matches, strong, levels and rlcard, by default
all of them.
"""

import statistics
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bench import peer_venv
from games.rules.bots import lookahead
from games.rules.bots.playout import Playout, play_match
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet

CLASSIC = rulesets.RULE_SETS["uno-500"]


def hand_share(rs: RuleSet, seats: int, deal: int, bot: str, opponent: str) -> float:
    """Return the share of hands that `bot` wins if it plays the deal once from each seat."""
    wins = 0
    for seat in range(seats):
        strengths = [bot if place == seat else opponent for place in range(seats)]
        hand = Playout(rs, strengths, deal % seats, Random(deal)).run()
        wins += hand.winner == seat
    return wins / seats


def match_share(rs: RuleSet, seats: int, number: int, bot: str, opponent: str) -> float:
    """Return the share of matches that `bot` wins if it plays one from each seat.

    `number` is the seed of each match.
    """
    wins = 0
    for seat in range(seats):
        strengths = [bot if place == seat else opponent for place in range(seats)]
        wins += play_match(rs, strengths, Random(number)).winners == [seat]
    return wins / seats


def format_interval(shares: list[float]) -> str:
    error = statistics.stdev(shares) / len(shares) ** 0.5
    return f"{100 * statistics.mean(shares):5.1f} % ± {196 * error:.1f}"


def format_comparison(
    rs: RuleSet,
    seats: int,
    count: int,
    bot: str,
    opponent: str,
    play: Callable[[RuleSet, int, int, str, str], float] = hand_share,
) -> str:
    shares = [play(rs, seats, deal, bot, opponent) for deal in range(max(2, count // seats))]
    return f"{seats} seats {format_interval(shares)}"


def print_line(label: str, parts: Iterator[str]) -> None:
    start = time.perf_counter()
    text = "   ".join(parts)
    print(f"  {label:34} {text}   ({time.perf_counter() - start:.0f} s)", flush=True)


def iter_rule_sets() -> Iterator[tuple[str, RuleSet]]:
    """Yield each rule set with a label, and those with UNO calls also without the calls."""
    for key, rs in rulesets.RULE_SETS.items():
        yield key, rs
        if rs.uno_penalty:
            yield f"{key}, no UNO call", rulesets.make(key, {"uno_penalty": 0})


def print_plain_hands(options: Namespace) -> None:
    print(f"plain against random, {options.hands} hands each (reference: 60.6 % and 31.7 %)")
    for label, rs in iter_rule_sets():
        print_line(
            label,
            (format_comparison(rs, n, options.hands, "plain", "random") for n in options.seats),
        )


def print_plain_matches(options: Namespace) -> None:
    print(f"plain against random, {options.matches} matches to 500 (reference: 91 % and 47 %)")
    for uno in (CLASSIC.uno_penalty, 0):
        rs = rulesets.make("uno-500", {"uno_penalty": uno})
        args = options.matches, "plain", "random", match_share
        print_line(
            "uno-500" + ", no UNO call" * (not uno),
            (format_comparison(rs, n, *args) for n in options.seats),
        )


def print_strong_hands(options: Namespace) -> None:
    print(f"strong against plain, {options.strong} hands each")
    times = Stopwatch()
    for key, rs in rulesets.RULE_SETS.items():
        if key in options.ruleset:
            count = options.strong
            print_line(
                key, (format_comparison(rs, n, count, "strong", "plain") for n in options.seats)
            )
    times.stop()
    print(f"  processor time of a decision, with more than one move to choose from: {times}")


def print_easy_hands(options: Namespace) -> None:
    print(f"easy against the others, uno-500, {options.hands} hands each")
    for opponent in ("random", "plain"):
        print_line(
            opponent,
            (format_comparison(CLASSIC, n, options.hands, "easy", opponent) for n in options.seats),
        )


class Stopwatch:
    """Stopwatch that times all decisions with lookahead from its creation until `stop`."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self._original_choose = lookahead.choose_move
        lookahead.choose_move = self._choose_and_time

    def _choose_and_time(self, *args: Any, **kwargs: Any) -> Any:
        start = time.process_time()
        move = self._original_choose(*args, **kwargs)
        self.times.append(time.process_time() - start)
        return move

    def stop(self) -> None:
        lookahead.choose_move = self._original_choose

    def __str__(self) -> str:
        times = [1000 * seconds for seconds in sorted(self.times)]
        p99 = times[int(0.99 * len(times))]
        return f"median {statistics.median(times):.1f} ms, p99 {p99:.1f}, max {times[-1]:.1f}"


def print_rlcard_hands(options: Namespace) -> None:
    print(f"in RLCard's own environment, two seats, {options.rlcard} hands each")
    for label, text in peer_venv.run("rlcard_bots.py", str(options.rlcard)):
        print(f"  {label:34} {text}", flush=True)


PARTS = {
    "plain": print_plain_hands,
    "matches": print_plain_matches,
    "strong": print_strong_hands,
    "levels": print_easy_hands,
    "rlcard": print_rlcard_hands,
}


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--strong", type=int, default=800)
    parser.add_argument("--rlcard", type=int, default=2000)
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--ruleset", nargs="+", default=["uno-500"])
    options = parser.parse_args()
    for part in options.parts or PARTS:
        PARTS[part](options)


if __name__ == "__main__":
    main()
