"""Load test of halls of tables.

python -m bench.scale [SCENE…] [--tables 100] [--seconds 10] [--site FOLDER …]

Starts the site in a separate process on a temporary SQLite file, or on REDIS_URL and DATABASE_URL,
to which test data is written. A third process simulates the screens of players and viewers
(bench/screens.py).

Latencies are meaningful only on an otherwise idle machine. The site's processor time for each
action and view is meaningful on any machine.

With --site, other checkouts are measured instead, one after the other for each scene. With
--by-table, all sockets of a table connect to the same process, as with the proxy in docs/deploy.md.
With --core, each process is limited to a part of a core.
"""

import argparse
import atexit
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from bench import machine
from bench.core_limit import limit_core
from bench.live import ROOT, free_port, serve

MAKE = """
import json, sys
from django.db import transaction
import bench.live as live
live.PAUSE = 3
import django
django.setup()
with transaction.atomic():
    print(json.dumps(live.make_tables(int(sys.argv[1]), "")))
"""
SCENES = {
    # name: (viewers at each table, phases as (name, share of --seconds, period in seconds))
    "hall": (5, [("settling", 0.8, 3.0), ("hall", 1.0, 3.0)]),
    "players": (0, [("settling", 0.8, 3.0), ("players", 1.0, 3.0)]),
    "flat": (0, [("settling", 0.8, 1.0), ("flat out", 1.0, 0.0)]),
    "overload": (
        5,
        [
            ("settling", 0.8, 3.0),
            ("before", 1.0, 3.0),
            ("threefold", 1.5, 1.0),
            ("recovering", 1.0, 3.0),
            ("after", 1.0, 3.0),
        ],
    ),
    "final": (2000, [("settling", 0.8, 3.0), ("final", 1.0, 3.0)]),
    "restart": (5, [("restart", 0.2, 3.0)]),
}


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    for scene in options.scenes or SCENES:
        for folder in options.site or [ROOT]:
            for figures in measure(folder, scene, options):
                print(f"{scene:9} {folder.name:8} {describe_scale(figures)}", flush=True)
    return 0


def measure(folder: Path, scene: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure a scene on the site of the checkout in `folder`.

    Return the figures for opening the sockets, and those of each phase except settling.
    """
    with ExitStack() as stack:
        seats = stack.enter_context(
            running_matches(folder, 1 if scene == "final" else options.tables)
        )
        sites = [
            stack.enter_context(_run_site(folder, workers))
            for workers in _list_process_counts(options)
        ]
        for pid in [pid for _url, pids in sites for pid in pids]:
            stack.enter_context(limit_core(pid, options.core))
        return _watch_site(sites, _list_screens(seats, SCENES[scene][0]), scene, options)


@contextmanager
def running_matches(folder: Path, tables: int) -> Iterator[list[tuple[str, str]]]:
    """Start `tables` matches, and provide the match id and cookie of each seat."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(prepare_site(folder), scratch, dirs_exist_ok=True)
        os.environ["LASTCARD_VAR"] = scratch
        if "DATABASE_URL" in os.environ:
            run_python_in(folder, "manage.py", "migrate", "-v0")
        yield json.loads(run_python_in(folder, "-c", MAKE, str(tables)))


def _list_process_counts(options: argparse.Namespace) -> list[int]:
    """Return the number of processes behind each of the site's addresses."""
    return [1] * options.workers if options.by_table else [options.workers]


@contextmanager
def _run_site(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """Run a site with `workers` processes, and provide its URL and their ids."""
    port = free_port()
    site = serve(port, workers, folder)
    try:
        yield f"http://127.0.0.1:{port}", find_serving_pids(site.pid, workers)
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(timeout=60)


@cache
def prepare_site(folder: Path) -> str:
    """Return a folder with a migrated database and collected static files of this checkout."""
    scratch = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, scratch)
    os.environ |= {"LASTCARD_VAR": scratch, "ANONYMOUS_SOCKETS": "1000000"}
    os.environ.setdefault("SECRET_KEY", secrets.token_hex(32))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    run_python_in(folder, "manage.py", "migrate", "-v0")
    run_python_in(folder, "manage.py", "collectstatic", "--noinput", "-v0")
    return scratch


def run_python_in(folder: Path, *command: str) -> str:
    """Run Python with these arguments in a checkout, and return its output."""
    result = subprocess.run(
        [sys.executable, *command], cwd=folder, check=True, stdout=subprocess.PIPE
    )
    return result.stdout.decode()


def _list_screens(seats: list[tuple[str, str]], viewers: int) -> list[tuple[str, list[str]]]:
    tables: dict[str, list[str]] = {}
    for match, cookie in seats:
        tables.setdefault(match, []).append(cookie)
    return [(match, [*cookies, *[""] * viewers]) for match, cookies in tables.items()]


def _watch_site(
    sites: list[tuple[str, list[int]]],
    tables: list[tuple[str, list[str]]],
    scene: str,
    options: argparse.Namespace,
) -> list[dict[str, Any]]:
    plan = {
        "urls": [url for url, _ in sites],
        "tables": tables,
        "opening": 10_000 if scene == "restart" else 20,
        "pids": [pid for _, pids in sites for pid in pids],
        "phases": [
            {"name": name, "seconds": share * options.seconds, "period": period}
            for name, share, period in SCENES[scene][1]
        ],
    }
    result = subprocess.run(
        [sys.executable, "-m", "bench.screens"],
        input=json.dumps(plan).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    phases = [json.loads(line) for line in result.stdout.splitlines()]
    return [phase for phase in phases if phase["name"] != "settling"]


def find_serving_pids(pid: int, workers: int) -> list[int]:
    """Return the ids of the site's serving processes.

    With one worker, the site's main process serves requests. Otherwise, its children do.
    """
    if workers == 1:
        return [pid]
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(child): Path(f"/proc/{child}/cmdline").read_bytes() for child in children}
    return [child for child, command in commands.items() if b"spawn_main" in command]


def describe_scale(phase: dict[str, Any]) -> str:
    """Return the figures of one phase in one line."""
    if phase["name"] == "open":
        cost = f"{phase['bytes_each'] / 1000:.0f} kB of memory each"
        return f"opened {phase['sockets']} sockets in {phase['seconds']:.1f} s, {cost}"
    acks, views, took = len(phase["acks"]), len(phase["arrivals"]), phase["took"]
    cost = f"{1000 * phase['used'] / max(1, acks):.2f} ms an action"
    return (
        f"{phase['name']}: {acks / took:.0f} actions/s, {views / took:.0f} views/s, "
        f"arrive p50 {percentile(phase['arrivals'], 0.5):.0f} "
        f"p99 {percentile(phase['arrivals'], 0.99):.0f} ms "
        f"(players p99 {percentile(phase['players'], 0.99):.0f}), "
        f"acknowledged p50 {percentile(phase['acks'], 0.5):.0f} "
        f"p99 {percentile(phase['acks'], 0.99):.0f} ms; "
        f"site {100 * phase['used'] / took:.0f} % of a core, "
        f"{cost}, {1e6 * phase['used'] / max(1, views):.0f} µs and "
        f"{phase['bytes'] / max(1, phase['views']):.0f} bytes a view; "
        f"driver {100 * phase['driver'] / took:.0f} %; lost {phase['lost']}, gone {phase['gone']}, "
        f"acted for {phase['acted_for']}, closed {phase['closed']}, refused {phase['refused']}"
    )


def percentile(times: list[float], share: float) -> float:
    """Return the time that a `share` of `times` does not exceed, or 0 without times."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", choices=[*SCENES, []])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1, help="processes; needs REDIS_URL")
    parser.add_argument("--by-table", action="store_true", help="each table at one process")
    parser.add_argument("--core", type=int, help="percent of a core for each process; needs root")
    parser.add_argument("--site", type=Path, action="append", help="a checkout to measure")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
