"""Recovery of a hall after all processes of its site were killed.

    python -m bench.outage [--tables 2000] [--away 10] [--services]

All tables are in play when the processes are killed. Prints the seconds from the restart until the
site responds and until the lost time of all tables is restored, and the number of recorded outages,
which should be one. The site runs on a temporary SQLite file with one process, or with --services
on PostgreSQL and Redis with two processes.
"""

import argparse
import os
import signal
import sys
import time

from bench import machine, scale
from bench.growth import run_services
from bench.live import ROOT, free_port, serve

STATE = """
import django
django.setup()
from games.models import Match, Outage
print(Outage.objects.count(), int(Outage.objects.filter(settled=False).exists()))
"""
MAX_SECONDS = 300.0


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    workers = 2 if options.services else 1
    with run_services(workers), scale.running_matches(ROOT, options.tables):
        site = serve(free_port(), workers)
        time.sleep(3)
        for pid in {site.pid, *scale.find_serving_pids(site.pid, workers)}:
            os.kill(pid, signal.SIGKILL)
        site.wait()
        time.sleep(options.away)
        print(
            f"{options.tables} tables, {workers} processes: {_measure_recovery(workers)}",
            flush=True,
        )
    return 0


def _measure_recovery(workers: int) -> str:
    start = time.monotonic()
    site = serve(free_port(), workers)
    response_time, recorded, unsettled = time.monotonic() - start, 0, 1
    try:
        while (unsettled or not recorded) and time.monotonic() - start < MAX_SECONDS:
            recorded, unsettled = map(int, scale.run_python_in(ROOT, "-c", STATE).split())
        settled = "never" if unsettled else f"after {time.monotonic() - start:.1f} s"
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(timeout=60)
    return (
        f"answers after {response_time:.1f} s, all have their time {settled}, "
        f"{recorded} outages noted"
    )


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--away", type=float, default=10, help="seconds")
    parser.add_argument("--services", action="store_true", help="PostgreSQL, Redis, two processes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
