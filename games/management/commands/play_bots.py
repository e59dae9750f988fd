"""``manage.py play_bots``: sign bots in to a running site and let them play over its sockets."""

import asyncio
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.client.player import ClientPlayer, SignInError, Stats, Visitor
from games.rules.bots.bots import LEVELS


class Command(BaseCommand):
    help = (
        "Play on a running site over its sockets. Each login plays at its own practice table or, "
        "with --match, in its seat of that match. Exits with status 1 if anything goes wrong."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="address of the site, such as http://127.0.0.1:8000")
        parser.add_argument(
            "--logins", type=Path, help="file with one email address and password per line"
        )
        parser.add_argument("--user", help="email address of a single login")
        parser.add_argument("--password", help="password of that login")
        parser.add_argument(
            "--tables", type=int, help="number of practice tables (default: one per login)"
        )
        parser.add_argument("--match", help="ID of a match in which the logins have seats")
        parser.add_argument("--ruleset", default="uno-500")
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument(
            "--strength",
            default="plain",
            choices=list(LEVELS),
            help="strength of the bots at practice tables",
        )
        parser.add_argument(
            "--delay",
            type=float,
            default=0.3,
            help="approximate thinking time per move, in seconds",
        )
        parser.add_argument(
            "--seconds",
            type=float,
            help="stop after this long (default: when all matches are over)",
        )

    def handle(self, *, url: str, **options: Any) -> None:
        logins = read_logins(options)
        tables = options["tables"] or len(logins)
        if tables > len(logins):
            raise CommandError(
                f"{tables} tables need {tables} logins, one each; there are {len(logins)}."
            )
        stats = Stats()
        try:
            players = [
                self._build_player(url, login, stats, options)
                for login in (logins if options["match"] else logins[:tables])
            ]
        except (OSError, ValueError, SignInError) as error:
            raise CommandError(str(error)) from error
        start = time.monotonic()
        asyncio.run(play(players, options["seconds"]))
        self._report(stats, len(players), time.monotonic() - start, options["seconds"])

    def _build_player(
        self, url: str, login: tuple[str, str], stats: Stats, options: dict[str, Any]
    ) -> ClientPlayer:
        visitor = Visitor(url)
        visitor.sign_in(*login)
        match = options["match"] or visitor.practice(
            options["ruleset"], options["seats"], options["strength"]
        )
        return ClientPlayer(visitor.url, match, visitor.cookies, stats, delay=options["delay"])

    def _report(self, stats: Stats, players: int, seconds: float, limit: float | None) -> None:
        actions = len(stats.latencies)
        print(f"{players} players, {actions} actions in {seconds:.1f} s: {actions / seconds:.1f}/s")
        print(
            f"latency ms: p50 {stats.percentile(0.5):.1f}, p99 {stats.percentile(0.99):.1f}, "
            f"max {stats.percentile(1):.1f}"
        )
        print(f"matches played to the end: {stats.finished}, reconnects: {stats.reconnects}")
        for label, counted in (("overtaken", stats.refused), ("ERROR", stats.errors)):
            for reason, times in counted.most_common():
                print(f"{label}: {reason}: {times}")
        if stats.errors or not actions or (limit is None and stats.finished < players):
            raise CommandError("Something went wrong.")


def read_logins(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Read the logins from the options, as pairs of email address and password.

    Raises CommandError if there are no logins, or if a line of the file is invalid.
    """
    if options["user"] and options["password"]:
        return [(options["user"], options["password"])]
    if not options["logins"]:
        raise CommandError("Say who plays: --logins FILE, or --user and --password.")
    logins = []
    for number, line in enumerate(options["logins"].read_text().splitlines(), 1):
        parts = line.split()
        if len(parts) not in (0, 2):
            raise CommandError(f"Line {number} must be an address and a password.")
        if parts:
            logins.append((parts[0], parts[1]))
    return logins


async def play(players: list[ClientPlayer], seconds: float | None) -> None:
    """Let all players play until their matches are over, but no longer than `seconds`."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    _, unfinished = await asyncio.wait(tasks, timeout=seconds)
    for task in unfinished:
        task.cancel()
    await asyncio.gather(*unfinished, return_exceptions=True)
    for task in set(tasks) - unfinished:
        task.result()
