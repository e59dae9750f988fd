"""Load test of halls of tables.

python -m bench.scale [SCENE…] [--tables 100] [--seconds 10] [--site FOLDER …]

Starts the site in a separate process on a scratch SQLite file, or on DATABASE_URL (whose
tables are filled with test data) and REDIS_URL. A third process watches the site with many
screens (bench/screens.py).

Latencies are meaningful only on an otherwise idle machine. The processor time that the site's
processes use for an action and for each view that arrives is meaningful on any machine.

With --site, other checkouts are measured instead, one after the other for each scene. With
--by-table, all sockets of a table connect to one of the processes, as with the proxy of
docs/deploy.md. With --core, each process is limited to a part of a core.
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
from bench.held import held
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
    # name: screens of viewers for each table, phases as (name, share of the seconds, period)
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
            for found in measured(folder, scene, options):
                print(f"{scene:9} {folder.name:8} {describe_scale(found)}", flush=True)
    return 0


def measured(folder: Path, scene: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure a scene on the site of the checkout in `folder`.

    Returns the figures for opening the sockets and then for each phase, without the settling
    phase.
    """
    with ExitStack() as stack:
        seats = stack.enter_context(filled(folder, 1 if scene == "final" else options.tables))
        doors = [stack.enter_context(_door(folder, each)) for each in _processes(options)]
        for pid in [pid for _url, pids in doors for pid in pids]:
            stack.enter_context(held(pid, options.core))
        return _looked_at(doors, _screens(seats, SCENES[scene][0]), scene, options)


@contextmanager
def filled(folder: Path, tables: int) -> Iterator[list[tuple[str, str]]]:
    """Set up `tables` started matches and yield the match id and a cookie for each seat."""
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(prepared(folder), scratch, dirs_exist_ok=True)
        os.environ["LASTCARD_VAR"] = scratch
        if "DATABASE_URL" in os.environ:
            run_in(folder, "manage.py", "migrate", "-v0")
        yield json.loads(run_in(folder, "-c", MAKE, str(tables)))


def _processes(options: argparse.Namespace) -> list[int]:
    """Return the number of processes behind each address of the site.

    With --by-table every process has its own address.
    """
    return [1] * options.workers if options.by_table else [options.workers]


@contextmanager
def _door(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """Run a site with `workers` processes, and yield its URL and the ids of serving processes."""
    port = free_port()
    site = serve(port, workers, folder)
    try:
        yield f"http://127.0.0.1:{port}", serving(site.pid, workers)
    finally:
        site.send_signal(signal.SIGINT)
        site.wait(timeout=60)


@cache
def prepared(folder: Path) -> str:
    """Return a folder with the initial data of a site from this checkout.

    The database is migrated and the static files are collected once for each checkout.
    """
    scratch = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, scratch)
    os.environ |= {"LASTCARD_VAR": scratch, "ANONYMOUS_SOCKETS": "1000000"}
    os.environ.setdefault("SECRET_KEY", secrets.token_hex(32))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    run_in(folder, "manage.py", "migrate", "-v0")
    run_in(folder, "manage.py", "collectstatic", "--noinput", "-v0")
    return scratch


def run_in(folder: Path, *command: str) -> str:
    """Run Python with the given arguments in a checkout and return its output."""
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, check=True, stdout=subprocess.PIPE
    )
    return done.stdout.decode()


def _screens(seats: list[tuple[str, str]], viewers: int) -> list[tuple[str, list[str]]]:
    tables: dict[str, list[str]] = {}
    for match, cookie in seats:
        tables.setdefault(match, []).append(cookie)
    return [(match, [*cookies, *[""] * viewers]) for match, cookies in tables.items()]


def _looked_at(
    doors: list[tuple[str, list[int]]],
    tables: list[tuple[str, list[str]]],
    scene: str,
    options: argparse.Namespace,
) -> list[dict[str, Any]]:
    plan = {
        "urls": [url for url, _ in doors],
        "tables": tables,
        "opening": 10_000 if scene == "restart" else 20,
        "pids": [pid for _, pids in doors for pid in pids],
        "phases": [
            {"name": name, "seconds": share * options.seconds, "period": period}
            for name, share, period in SCENES[scene][1]
        ],
    }
    done = subprocess.run(
        [sys.executable, "-m", "bench.screens"],
        input=json.dumps(plan).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    return [one for one in found if one["name"] != "settling"]


def serving(pid: int, workers: int) -> list[int]:
    """Return the ids of the serving processes.

    With one worker this is the site's own process, otherwise the workers that it has started.
    """
    if workers == 1:
        return [pid]
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(one): Path(f"/proc/{one}/cmdline").read_bytes() for one in children}
    return [one for one, command in commands.items() if b"spawn_main" in command]


def describe_scale(one: dict[str, Any]) -> str:
    """Summarize one phase in a line."""
    if one["name"] == "open":
        each = f"{one['bytes_each'] / 1000:.0f} kB of memory each"
        return f"opened {one['sockets']} sockets in {one['seconds']:.1f} s, {each}"
    acks, views, took = len(one["acks"]), len(one["arrivals"]), one["took"]
    each = f"{1000 * one['used'] / max(1, acks):.2f} ms an action"
    return (
        f"{one['name']}: {acks / took:.0f} actions/s, {views / took:.0f} views/s, "
        f"arrive p50 {at(one['arrivals'], 0.5):.0f} p99 {at(one['arrivals'], 0.99):.0f} ms "
        f"(players p99 {at(one['players'], 0.99):.0f}), "
        f"acknowledged p50 {at(one['acks'], 0.5):.0f} p99 {at(one['acks'], 0.99):.0f} ms; "
        f"site {100 * one['used'] / took:.0f} % of a core, "
        f"{each}, {1e6 * one['used'] / max(1, views):.0f} µs and "
        f"{one['bytes'] / max(1, one['views']):.0f} bytes a view; "
        f"driver {100 * one['driver'] / took:.0f} %; lost {one['lost']}, gone {one['gone']}, "
        f"acted for {one['acted_for']}, closed {one['closed']}, refused {one['refused']}"
    )


def at(times: list[float], share: float) -> float:
    """Return a percentile of `times`, or 0 if there are none.

    `share` is the percentile as a fraction, such as 0.99.
    """
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def arguments() -> argparse.Namespace:
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
    sys.exit(main(arguments()))
