"""`manage.py serve`: run the site on uvicorn, with the limits that sockets rely on."""

import resource
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.sockets.line.line import PROTOCOL
from games.sockets.messages import MAX_BYTES
from tournament.serving.connections import HeaderTimeoutProtocol

OPTIONS: dict[str, Any] = {
    "http": HeaderTimeoutProtocol,
    "ws": PROTOCOL,
    "ws_max_size": MAX_BYTES,
    # Compression would take 50 to 120 MB per 1,000 sockets, and let a small frame expand to a
    # large one.
    "ws_per_message_deflate": False,
    # Silent clients are disconnected after at most 20 seconds. Pages send a ping every 10 seconds.
    "ws_ping_interval": 11.0,
    "ws_ping_timeout": 8.0,
    "timeout_graceful_shutdown": 5,
    "server_header": False,
    # The server uses Django's logging settings. Otherwise, it would log a line for each socket.
    "log_config": None,
    "log_level": "warning",
    "lifespan": "on",
}


def raise_file_limit() -> None:
    """Raise the limit of open files to the maximum, because each connection needs a file.

    The usual limit of 1,024 is too low for the number of phones at a large event.
    """
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def parse_port(text: str) -> int:
    """Parse a port number, because uvicorn would hang with an invalid one.

    Raises ArgumentTypeError if the number is invalid.
    """
    if text.isdecimal() and 1 <= int(text) <= 65535:
        return int(text)
    raise ArgumentTypeError(f"{text!r}: write a number from 1 to 65535")


class Command(BaseCommand):
    help = "Serve pages and sockets, with clocks and bots."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=parse_port, default=8000)
        parser.add_argument(
            "--workers",
            type=int,
            default=1,
            help="number of processes; more than one requires REDIS_URL",
        )
        parser.add_argument("--access-log", action="store_true", help="log every request")

    def handle(
        self, *, host: str, port: int, workers: int, access_log: bool, **options: Any
    ) -> None:
        if workers > 1 and not settings.REDIS_URL:
            raise CommandError(
                "Several workers require REDIS_URL to share news between their sockets."
            )
        raise_file_limit()
        self.stdout.write(f"Serving on http://{host}:{port}/ – press Ctrl+C to stop.")
        self.stdout.flush()
        uvicorn.run(
            "tournament.asgi:application",
            host=host,
            port=port,
            workers=workers,
            access_log=access_log,
            **OPTIONS,
        )
