"""`make mutants`: try a sample of changes, and fail if too many of them survive."""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

from tests.mutants import changes, measuring, trying
from tests.mutants.changes import Mutant
from tests.mutants.trying import Job, TriedMutant

ROOT = Path(__file__).resolve().parent.parent.parent
SURVIVORS = ROOT / "var" / "mutants.txt"
REQUIRED_SHARE = 0.9
# Tests kill most mutants within the first second. The survivors get this multiple of the budget.
MAX_TIME_FACTOR = 8
SOURCES = [
    "games/rules/**/*.py",
    "games/clocks/races.py",
    "games/deals/*.py",
    "games/json_values/*.py",
    "tournament/pure/arrangement/*.py",
    "tournament/pure/qualifying/*.py",
    "tournament/pure/ranking/*.py",
]
# The tests of these sources. Tests of their callers check other things.
TESTS = [
    "tests/rules",
    "tests/games/sockets/test_late_calls.py",
    "tests/games/clocks/test_races.py",
    "tests/games/deals/test_readiness.py",
    "tests/games/deals/test_receipts.py",
    "tests/games/deals/test_shares.py",
    "tests/games/matches/test_absence.py",
    "tests/games/matches/test_bot_pace.py",
    "tests/games/matches/test_lag.py",
    "tests/games/matches/test_late_calls.py",
    "tests/games/matches/test_lifecycle.py",
    "tests/games/matches/test_reactions.py",
    "tests/games/matches/test_redo.py",
    "tests/games/matches/test_seat_holders.py",
    "tests/games/matches/test_ticks.py",
    "tests/games/play/test_commit.py",
    "tests/games/play/test_deadlines.py",
    "tests/games/play/test_deadlines_clock.py",
    "tests/games/play/test_dealing.py",
    "tests/games/play/test_dealing_held_up.py",
    "tests/games/play/test_dealing_late.py",
    "tests/games/play/test_hands.py",
    "tests/games/play/test_notes.py",
    "tests/games/play/test_outages.py",
    "tests/games/play/test_outages_dealing.py",
    "tests/games/play/test_site_key.py",
    "tests/games/store/test_store.py",
    "tests/games/json_values/test_stored.py",
    "tests/tournament/pure/simulation/test_rounds.py",
    "tests/tournament/pure/test_qualifying.py",
    "tests/tournament/pure/arrangement/test_seating.py",
    "tests/tournament/seating/test_services_kept.py",
    "tests/tournament/seating/test_services_partners.py",
    "tests/tournament/seating/test_services_repairs.py",
    "tests/tournament/pure/arrangement/test_quality.py",
    "tests/tournament/standings/test_queries.py",
]

Result = TypeVar("Result")


def main() -> int:
    asked = _parse_arguments()
    with tempfile.TemporaryDirectory(prefix="lastcard-mutants-") as scratch:
        os.environ["TMPDIR"] = scratch  # also deletes the leftovers of killed child processes
        tempfile.tempdir = None
        return try_sample(asked)


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=600, help="number of changes to try")
    parser.add_argument("--seed", type=int, default=8, help="seed of the random sample")
    parser.add_argument("--budget", type=float, default=10, help="test seconds per change")
    parser.add_argument("--only", default="", help="try only files whose path contains this")
    parser.add_argument("--again", action="store_true", help="try only the last survivors")
    parser.add_argument("--max-workers", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def try_sample(namespace: argparse.Namespace) -> int:
    start = time.monotonic()
    paths = sorted(str(path.relative_to(ROOT)) for each in SOURCES for path in ROOT.glob(each))
    paths = [path for path in paths if namespace.only in path]
    mutants = changes.draw_sample(
        {path: changes.find_mutants(ROOT, path) for path in paths}, namespace.sample, namespace.seed
    )
    if namespace.again:
        last = SURVIVORS.read_text().splitlines()
        mutants = [mutant for mutant in mutants if str(mutant) in last]
    measured = _run_in_process(measuring.measure_tests, ROOT, paths, TESTS)
    print(f"{len(measured.seconds)} tests measured after {time.monotonic() - start:.0f} s")
    tried = _try_mutants(mutants, measured, namespace.budget, namespace.max_workers)
    print("Trying the survivors with more tests:", flush=True)
    survivors = [mutant for mutant, killed in tried if not killed]
    more = dict(
        _try_mutants(survivors, measured, MAX_TIME_FACTOR * namespace.budget, namespace.max_workers)
    )
    tried = [(mutant, killed or more[mutant]) for mutant, killed in tried]
    _write_survivors(tried)
    return print_report(tried)


def _try_mutants(
    mutants: list[Mutant], measured: measuring.Measurements, budget: float, max_workers: int
) -> list[TriedMutant]:
    import_time: list[Job] = []
    run_time: list[Job] = []
    for mutant in mutants:
        tests = measured.select_tests(mutant, budget)
        job = mutant, tests, sum(measured.seconds[test] for test in tests)
        (import_time if measured.runs_on_import(mutant) else run_time).append(job)
    return [
        *_drop_control_job(
            _run_in_process(
                trying.try_run_time_mutants, _add_control_job(run_time), TESTS, max_workers
            )
        ),
        *_drop_control_job(
            trying.try_import_time_mutants(_add_control_job(import_time), max_workers)
        ),
    ]


def _add_control_job(jobs: list[Job]) -> list[Job]:
    """Add a control job that changes nothing. If it is killed, the run is invalid."""
    if not jobs:
        return []
    mutant, tests, seconds = jobs[0]
    same = replace(mutant, after=mutant.before, source=(ROOT / mutant.path).read_text())
    return [(same, tests, seconds), *jobs]


def _drop_control_job(tried: list[TriedMutant]) -> list[TriedMutant]:
    for mutant, killed in tried:
        if killed and mutant.after == mutant.before:
            raise SystemExit(f"{mutant.path} is killed without any change: nothing is measured.")
    return [(mutant, killed) for mutant, killed in tried if mutant.after != mutant.before]


def _run_in_process(do: Callable[..., Result], *args: Any) -> Result:
    """Run `do` in a child process, so that this process does not import the project."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    child = fork.Process(target=_send_result, args=(sender, do, args))
    child.start()
    sender.close()
    result: Result = receiver.recv()
    child.join()
    return result


def _send_result(sender: Connection, do: Callable[..., object], args: Iterable[object]) -> None:
    sender.send(do(*args))


def _write_survivors(tried: list[TriedMutant]) -> None:
    SURVIVORS.parent.mkdir(exist_ok=True)
    SURVIVORS.write_text("".join(f"{mutant}\n" for mutant, killed in tried if not killed))


def print_report(tried: list[TriedMutant]) -> int:
    """Print the figures of each file and the total.

    Returns 1 if too many mutants have survived, otherwise 0.
    """
    tries, kills = Counter[str](), Counter[str]()
    for mutant, killed in tried:
        for row in (mutant.path, "all"):
            tries[row] += 1
            kills[row] += killed
    print(f"\n{'':36}mutants  killed  survived   share")
    for row in sorted(tries, key=lambda row: (row == "all", row)):
        print(
            f"{row:36}{tries[row]:7}{kills[row]:8}{tries[row] - kills[row]:10}"
            f"{kills[row] / tries[row]:8.1%}"
        )
    return int(kills["all"] < REQUIRED_SHARE * tries["all"])


if __name__ == "__main__":
    sys.exit(main())
