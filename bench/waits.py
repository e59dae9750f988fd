"""Waiting time of an action in a process with a busy event loop.

    python -m bench.waits [--rate 160]

Threads act at tables, like the site's database threads. For each action, the main thread runs
Python code for 2.5 ms, like an event loop that sends views. The run is repeated for each switch
interval. This is the time in seconds after which a thread yields to other threads that wait for the
interpreter. Python's
default is 0.005. The data is in a temporary SQLite file, or on DATABASE_URL. Prints the time from
the request for an action until its commit.
"""

import argparse
import os
import random
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.live import make_tables

THREADS, SLICES, SLICE = 6, 10, 0.00025


class Hall:
    """Tables at which threads act on request."""

    def __init__(self, tables: int) -> None:
        ids = dict.fromkeys(match for match, _cookie in make_tables(tables, ""))
        from games.models import Match  # `make_tables` loads the settings.

        self._free = [Match.objects.get(public_id=public_id).pk for public_id in ids]
        self._threads, self._lock = ThreadPoolExecutor(THREADS), threading.Lock()
        self.waits: list[float] = []
        self.requests = 0

    def act(self) -> None:
        """Request an action of the seat to act at a random table without a pending action."""
        from games import store

        with self._lock:
            match = self._free.pop(random.randrange(len(self._free)))
        snapshot, self.requests = store.current(match), self.requests + 1
        self._threads.submit(
            self._try_action, match, snapshot, time.monotonic(), f"a{self.requests}"
        )

    def _try_action(self, match: int, snapshot: Any, requested_at: float, client_id: str) -> None:
        from games import services

        try:
            if snapshot.match.phase == "playing":
                hand, position = snapshot.in_play
                action = random.choice(position.view(position.turn)["actions"])
                seat, version = hand.players[position.turn], snapshot.version
                services.act(match, seat, action, version=version, client_id=client_id)
                self.waits.append(time.monotonic() - requested_at)
        finally:
            with self._lock:
                self._free.append(match)

    def close(self) -> None:
        self._threads.shutdown()


def request_actions(tables: int, rate: float, seconds: float) -> list[float]:
    """Request `rate` actions per second at random times, and return the sorted waiting times."""
    hall = Hall(tables)
    next_action = time.monotonic()
    end = next_action + seconds
    while (now := time.monotonic()) < end:
        if now < next_action:
            time.sleep(min(0.0005, next_action - now))
            continue
        next_action += random.expovariate(rate)
        hall.act()
        for _ in range(SLICES):
            _keep_busy(SLICE)
    hall.close()
    return sorted(hall.waits)


def _keep_busy(seconds: float) -> None:
    """Keep the interpreter busy for `seconds` seconds, then make a system call."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(50))
    os.stat(".")


def measure(options: argparse.Namespace) -> None:
    """Measure one switch interval in this process, and print the result."""
    sys.setswitchinterval(options.switch[0])
    random.seed(1)
    waits = request_actions(options.tables, options.rate, options.seconds)
    p50, p90, p99 = (1000 * waits[int(len(waits) * part)] for part in (0.5, 0.9, 0.99))
    text = f"{len(waits)} actions, committed after p50 {p50:.1f} p90 {p90:.1f} p99 {p99:.1f} ms"
    print(f"switch {1000 * options.switch[0]:g} ms: {text}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rate", type=float, default=160.0, help="actions a second")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--switch", type=float, nargs="+", default=[0.005, 0.0003], help="seconds")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        measure(options)
        return
    for switch in options.switch:
        with tempfile.TemporaryDirectory() as scratch:
            measure_in_new_process(options, switch, scratch)


def measure_in_new_process(options: argparse.Namespace, switch: float, scratch: str) -> None:
    """Measure one switch interval in a separate process with a separate database."""
    environment = {**os.environ, "LASTCARD_VAR": scratch, "SECRET_KEY": secrets.token_hex(32)}
    environment["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"], check=True, env=environment
    )
    arguments = [f"--{name}={getattr(options, name)}" for name in ("tables", "rate", "seconds")]
    command = [sys.executable, "-m", "bench.waits", "--here", *arguments, "--switch", str(switch)]
    subprocess.run(command, check=True, env=environment)


if __name__ == "__main__":
    main()
