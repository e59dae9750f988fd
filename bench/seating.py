"""Repeat meetings and seconds for whole events, seated one round at a time.

.venv/bin/python -m bench.seating [number of keys]
"""

import sys
import time

from tournament.seating import PastRound, Player, Problem, SeatingRules, seat_round

# players, rounds, seats: the cases of docs/seating.md
CASES = [(20, 4, 4), (47, 4, 4), (64, 5, 4), (120, 4, 4), (60, 5, 6), (100, 3, 10)]


def play(players: int, rounds: int, seats: int, key: str) -> int:
    """Seat all rounds; returns the repeat meetings."""
    people = tuple(Player(n) for n in range(players))
    history: tuple[PastRound, ...] = ()
    repeats = 0
    for number in range(rounds):
        problem = Problem(people, history, SeatingRules(seats, rounds_to_come=rounds - number - 1))
        seating = seat_round(problem, f"{key}/{number}")
        repeats += seating.costs["repeats"]
        history += (PastRound(seating.tables, seating.byes),)
    return repeats


def main(keys: int) -> None:
    print("players × rounds (seats): repeat meetings under each key, seconds each")
    for players, rounds, seats in CASES:
        began = time.perf_counter()
        found = [play(players, rounds, seats, f"key {n}") for n in range(keys)]
        took = (time.perf_counter() - began) / keys
        print(f"{players:4} × {rounds} ({seats:2}): {found}  {took:.2f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
