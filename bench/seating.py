"""Repeat meetings and computing time for whole events, seated one round at a time.

.venv/bin/python -m bench.seating [number of keys]
"""

import sys
import time

from tournament.pure.arrangement import (
    PastRound,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
    seat_round,
)

# players, rounds, seats: the cases of docs/seating.md
CASES = [(20, 4, 4), (47, 4, 4), (64, 5, 4), (120, 4, 4), (60, 5, 6), (100, 3, 10)]
BIG = (1000, 5, 4)


def play(players: int, rounds: int, seats: int, key: str) -> tuple[int, list[float]]:
    """Seat all rounds and return the repeat meetings and the seconds for each round."""
    people = tuple(SeatingPlayer(n) for n in range(players))
    history: tuple[PastRound, ...] = ()
    repeats, seconds = 0, list[float]()
    for number in range(rounds):
        began = time.perf_counter()
        problem = SeatingProblem(
            people, history, SeatingRules(seats, rounds_to_come=rounds - number - 1)
        )
        seating = seat_round(problem, f"{key}/{number}")
        repeats += seating.costs["repeats"]
        history += (PastRound(seating.tables, seating.byes),)
        seconds.append(time.perf_counter() - began)
    return repeats, seconds


def main(keys: int) -> None:
    print("players × rounds (seats): repeat meetings under each key, seconds each")
    for players, rounds, seats in CASES:
        found = [play(players, rounds, seats, f"key {n}") for n in range(keys)]
        took = sum(sum(seconds) for _repeats, seconds in found) / keys
        print(f"{players:4} × {rounds} ({seats:2}): {[each[0] for each in found]}  {took:.2f} s")
    repeats, each = play(*BIG, "key 0")
    told = ", ".join(f"{took:.1f}" for took in each)
    print("{} × {} ({}): ".format(*BIG) + f"{repeats} repeat meetings, seconds a round: {told}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
