"""Tables that play over real sockets.

python -m bench.live [--tables 40] [--seconds 20] [--bot strong] …

Starts the site in a separate process on a temporary SQLite file, or on REDIS_URL and DATABASE_URL,
to which test data is written. In this process, four players play at each table. With --bot, three
of the four seats are bots of that strength. Prints the players' statistics.
"""

import argparse
import asyncio
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SEATS = 4
# Seconds between two hands.
PAUSE = 1

Measuring = Callable[[str, list[tuple[str, str]], argparse.Namespace], int]


def run_on_site(options: argparse.Namespace, measure: Measuring) -> int:
    """Start a site with tables, and return the result of `measure`.

    `measure` gets the site's URL, the match id and cookie of each seat, and the options.
    """
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["LASTCARD_VAR"] = scratch
        os.environ.setdefault("SECRET_KEY", secrets.token_hex(32))
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
        run_manage_command("migrate", "-v0")
        run_manage_command("collectstatic", "--noinput", "-v0")
        seats = make_tables(options.tables, options.bot)
        port = free_port()
        site = serve(port, options.workers)
        try:
            return measure(f"http://127.0.0.1:{port}", seats, options)
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(timeout=30)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--delay", type=float, default=0.5, help="seconds of thought, about")
    parser.add_argument("--bot", default="", help="a strength: three seats of each table are bots")
    parser.add_argument("--workers", type=int, default=1, help="processes; needs REDIS_URL")
    return parser.parse_args()


def run_manage_command(*command: str) -> None:
    subprocess.run([sys.executable, str(ROOT / "manage.py"), *command], check=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def make_tables(tables: int, bot: str) -> list[tuple[str, str]]:
    """Start `tables` matches, and return the match id and cookie of each player's seat.

    If `bot` names a strength, all seats of a match except one are bots of that strength.
    """
    import django

    django.setup()
    from games import services

    seats = []
    for number in range(tables):
        cookies, people = [], []
        for _ in range(1 if bot else SEATS):
            user, cookie = make_player()
            cookies.append(cookie)
            people.append(services.SeatSpec(str(user), user=user))
        people += [services.SeatSpec("Bot", bot=bot) for _ in range(SEATS - len(people))]
        title = f"Table {number}"
        heading, pace = services.TableHeading(title), services.Pace(between_seconds=PAUSE)
        spec = services.MatchSpec("uno-500", {}, people, about=heading, pace=pace)
        match = services.create_match(spec)
        services.start_match(match)
        seats += [(match.public_id, cookie) for cookie in cookies]
    return seats


def make_player() -> tuple[Any, str]:
    """Create a signed-in user, and return the user and the session cookie."""
    from django.contrib import auth
    from django.contrib.sessions.backends.db import SessionStore

    name = secrets.token_hex(6)
    user = auth.get_user_model().objects.create(username=name, email=f"{name}@bench.invalid")
    session = SessionStore()
    session[auth.SESSION_KEY] = str(user.pk)
    session[auth.BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[auth.HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, f"sessionid={session.session_key}"


def serve(port: int, workers: int, folder: Path = ROOT) -> "subprocess.Popen[bytes]":
    """Start the site of the checkout in `folder`, and wait until it accepts connections.

    Raises TimeoutError if this takes more than 60 seconds.
    """
    command = ["serve", "--port", str(port), "--workers", str(workers)]
    site = subprocess.Popen([sys.executable, str(folder / "manage.py"), *command], cwd=folder)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return site
        time.sleep(0.1)
    raise TimeoutError("the site does not start")


def measure(url: str, seats: list[tuple[str, str]], options: argparse.Namespace) -> int:
    from games.client.player import ClientPlayer, Stats
    from games.management.commands.play_bots import play

    stats = Stats()
    players = [
        ClientPlayer(url, match, cookie, stats, delay=options.delay) for match, cookie in seats
    ]
    start = time.monotonic()
    asyncio.run(play(players, options.seconds))
    seconds = time.monotonic() - start
    print(
        f"{options.tables} tables of {SEATS}: {len(stats.latencies) / seconds:.0f} actions/s, "
        f"acknowledged after p50 {stats.percentile(0.5):.0f} ms, "
        f"p99 {stats.percentile(0.99):.0f} ms, "
        f"overtaken {sum(stats.refused.values())}, reconnects {stats.reconnects}, "
        f"errors {dict(stats.errors)}"
    )
    return int(bool(stats.errors) or not stats.latencies)


if __name__ == "__main__":
    sys.exit(run_on_site(parse_arguments(), measure))
