"""Repeat meetings and computing time of seatings, for all rounds of an event.

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

# Numbers of players, rounds and seats per table in the cases of docs/seating.md.
CASES = [(20, 4, 4), (47, 4, 4), (64, 5, 4), (120, 4, 4), (60, 5, 6), (100, 3, 10)]
BIG = (1000, 5, 4)


def seat_all_rounds(players: int, rounds: int, seats: int, key: str) -> tuple[int, list[float]]:
    """Seat all rounds, and return the number of repeat meetings and the seconds for each round."""
    people = tuple(SeatingPlayer(n) for n in range(players))
    history: tuple[PastRound, ...] = ()
    repeats, seconds = 0, list[float]()
    for number in range(rounds):
        start = time.perf_counter()
        problem = SeatingProblem(
            people, history, SeatingRules(seats, rounds_to_come=rounds - number - 1)
        )
        seating = seat_round(problem, f"{key}/{number}")
        repeats += seating.costs["repeats"]
        history += (PastRound(seating.tables, seating.byes),)
        seconds.append(time.perf_counter() - start)
    return repeats, seconds


def main(keys: int) -> None:
    print("players × rounds (seats): repeat meetings under each key, seconds each")
    for players, rounds, seats in CASES:
        results = [seat_all_rounds(players, rounds, seats, f"key {n}") for n in range(keys)]
        took = sum(sum(seconds) for _repeats, seconds in results) / keys
        print(
            f"{players:4} × {rounds} ({seats:2}): {[result[0] for result in results]}  {took:.2f} s"
        )
    repeats, durations = seat_all_rounds(*BIG, "key 0")
    text = ", ".join(f"{took:.1f}" for took in durations)
    print("{} × {} ({}): ".format(*BIG) + f"{repeats} repeat meetings, seconds a round: {text}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
