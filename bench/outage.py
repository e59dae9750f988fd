"""Recovery of a hall after all processes of its site are killed.

python -m bench.outage [--tables 2000] [--away 10] [--services]

All tables are in play when the processes are killed. Prints the seconds until the site
responds again and until every table has its lost time back, and the number of outages recorded
for this single one. The site runs on a scratch SQLite file with one process. With --services
it runs on a separate PostgreSQL and Redis with two processes.
"""

import argparse
import os
import signal
import sys
import time

from bench import machine, scale
from bench.growth import database
from bench.live import ROOT, free_port, serve

STATE = """
import django
django.setup()
from games.models import Match, Outage
print(Outage.objects.count(), int(Outage.objects.filter(settled=False).exists()))
"""
GIVEN_UP = 300.0


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    workers = 2 if options.services else 1
    with database(workers), scale.filled(ROOT, options.tables):
        site = serve(free_port(), workers)
        time.sleep(3)
        for pid in {site.pid, *scale.serving(site.pid, workers)}:
            os.kill(pid, signal.SIGKILL)
        site.wait()
        time.sleep(options.away)
        print(f"{options.tables} tables, {workers} processes: {_reconnects(workers)}", flush=True)
    return 0


def _reconnects(workers: int) -> str:
    began = time.monotonic()
    site = serve(free_port(), workers)
    answers, noted, owing = time.monotonic() - began, 0, 1
    try:
        while (owing or not noted) and time.monotonic() - began < GIVEN_UP:
            noted, owing = map(int, scale.run_in(ROOT, "-c", STATE).split())
        settled = "never" if owing else f"after {time.monotonic() - began:.1f} s"
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(timeout=60)
    return f"answers after {answers:.1f} s, all have their time {settled}, {noted} outages noted"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=2000)
    parser.add_argument("--away", type=float, default=10, help="seconds")
    parser.add_argument("--services", action="store_true", help="PostgreSQL, Redis, two processes")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(arguments()))
