"""Comparison of Lastcard with boardgame.io, measured with tables of players.

    python -m bench.boardgame [--tables 250] [--flat 100]

Both servers are measured alternately in one run: first with an action of each table every 3 s, then
flat out. Lastcard is started as in `bench.scale`, with durable storage and all its rules.
boardgame.io is started as its documentation describes, with a game of matching cards. It stores
matches in memory, or with npm's package bgio-postgres if DATABASE_URL names a PostgreSQL database.
Lastcard uses the same database. boardgame.io is installed into a folder used only by the benchmark.
Needs Node.js.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from bench import machine, scale
from bench.live import ROOT, free_port

SOURCE_FOLDER = Path(__file__).resolve().parent / "boardgame_io"
INSTALL_FOLDER = SOURCE_FOLDER.with_name(".boardgame_io")


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    _install_boardgame()
    options.scenes, options.site, options.by_table, options.core = [], None, False, None
    for scene, tables in (("players", options.tables), ("flat", options.flat)):
        options.tables = tables
        for _round in range(options.turns):
            _print_figures(tables, "Lastcard", scale.measure(ROOT, scene, options)[-1])
            _print_figures(tables, "boardgame.io", _measure_boardgame(scene, options))
    return 0


def _print_figures(tables: int, server: str, figures: dict[str, Any]) -> None:
    print(f"{tables:4} tables, {server:12} {scale.describe_scale(figures)}", flush=True)


def _install_boardgame() -> None:
    INSTALL_FOLDER.mkdir(exist_ok=True)
    for name in ("package.json", "server.cjs", "screens.cjs"):
        shutil.copy(SOURCE_FOLDER / name, INSTALL_FOLDER)
    if not (INSTALL_FOLDER / "node_modules" / "bgio-postgres").exists():
        print(f"installing boardgame.io into {INSTALL_FOLDER.relative_to(ROOT)} …")
        subprocess.run(["npm", "install", "--silent", "--no-audit"], cwd=INSTALL_FOLDER, check=True)


def _measure_boardgame(scene: str, options: argparse.Namespace) -> dict[str, Any]:
    """Run the scene on boardgame.io's server, and return the measured figures."""
    port = free_port()
    server = subprocess.Popen(  # the server reads DATABASE_URL from the environment
        ["node", "server.cjs", str(port)], cwd=INSTALL_FOLDER, stdout=subprocess.DEVNULL
    )
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_until_ready(url)
        plan = {
            "url": url,
            "tables": options.tables,
            "pid": server.pid,
            "ticks": os.sysconf("SC_CLK_TCK"),
            "phases": [
                {"name": name, "seconds": share * options.seconds, "period": period}
                for name, share, period in scale.SCENES[scene][1]
            ],
        }
        result = subprocess.run(
            ["node", "screens.cjs"],
            cwd=INSTALL_FOLDER,
            input=json.dumps(plan).encode(),
            stdout=subprocess.PIPE,
            check=True,
        )
        figures: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
        return figures
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait_until_ready(url: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(f"{url}/games")
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
    raise TimeoutError("boardgame.io does not start")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=250, help="with an action every 3 s")
    parser.add_argument("--flat", type=int, default=100, help="tables flat out")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="the site's; needs REDIS_URL")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
