"""`manage.py work`: run the worker, which sends emails and performs slow tasks."""

import os
import signal
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournament.serving import worker

NICENESS = 10
# Seconds that the current task has to finish when the worker stops.
GRACE_SECONDS = 8.0


class Command(BaseCommand):
    help = "Run the tasks in the queues. `serve` starts one of these automatically."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--slot", default="", help="name of this worker; must be unique")
        parser.add_argument(
            "--beside",
            action="store_true",
            help="exit when standard input closes, together with the site",
        )

    def handle(self, *, slot: str, beside: bool, **options: Any) -> None:
        ended = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_signal: ended.set())
        if beside:
            threading.Thread(target=_stop_with_site, args=(ended,), daemon=True).start()
        os.nice(NICENESS)
        worker.work(slot or f"by hand {os.getpid()}", ended)


def _stop_with_site(ended: threading.Event) -> None:
    """Wait until standard input is closed, then stop the worker.

    Standard input is a pipe from the site's process. The operating system closes the pipe when
    that process ends, for whatever reason.
    """
    sys.stdin.read()
    ended.set()
    threading.Timer(GRACE_SECONDS, os._exit, [1]).start()
