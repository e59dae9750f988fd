"""Growth of the site's cost with the number of tables.

    python -m bench.growth [--tables 1 10 …] [--services [1 10 …]]

Measures halls of different sizes with `bench.scale`, on SQLite with one process. With --services,
also measures halls on PostgreSQL and Redis with two processes, by default with the same numbers of
tables. Each hall starts with an empty database. Draws docs/img/growth.svg
from all measurements of the run. Needs an otherwise idle machine.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import machine, peer_venv, scale
from bench.live import ROOT
from tests.check import running_services

PICTURE = ROOT / "docs" / "img" / "growth.svg"
NAMES = {1: "SQLite, one process", 2: "PostgreSQL and Redis, two processes"}


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    halls_by_site = {NAMES[1]: _measure_halls(options.tables, 1, options.seconds)}
    if options.services is not None:
        halls_by_site[NAMES[2]] = _measure_halls(
            options.services or options.tables, 2, options.seconds
        )
    data = Path(scale.prepare_site(ROOT)) / "growth.json"
    data.write_text(json.dumps(halls_by_site))
    print(peer_venv.run("plots.py", str(data), str(PICTURE)))
    return 0


def _measure_halls(sizes: Iterable[int], workers: int, seconds: float) -> list[dict[str, Any]]:
    halls = []
    for tables in sizes:
        options = argparse.Namespace(
            tables=tables, seconds=seconds, workers=workers, by_table=True, core=None
        )
        with run_services(workers):
            hall = scale.measure(ROOT, "hall", options)[-1]
        print(f"{NAMES[workers]}, {tables} tables: {scale.describe_scale(hall)}", flush=True)
        halls.append(_collect_figures(tables, hall))
    return halls


@contextmanager
def run_services(workers: int) -> Iterator[None]:
    """Run a new PostgreSQL and Redis during the `with` block, unless there is only one process.

    A reused database would contain the tables of the previous hall, whose clocks would keep
    running.
    """
    if workers == 1:
        yield
        return
    with running_services() as services:
        os.environ |= services
        yield


def _collect_figures(tables: int, hall: dict[str, Any]) -> dict[str, Any]:
    return {
        "tables": tables,
        "p50": scale.percentile(hall["arrivals"], 0.5),
        "p99": scale.percentile(hall["arrivals"], 0.99),
        "core": 100 * hall["used"] / hall["took"],
        "actions": len(hall["acks"]) / hall["took"],
        "views": len(hall["arrivals"]) / hall["took"],
    }


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 10, 100, 300, 500])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument(
        "--services", type=int, nargs="*", help="on PostgreSQL and Redis too, so many tables"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
