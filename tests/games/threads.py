"""Simultaneous calls in threads, each with its own database connection."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from django.db import connection

from games import services, store


def run_in_threads(*calls: Callable[[], object]) -> list[Any]:
    """Run all calls simultaneously, each in a thread, and return their results or errors."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            barrier.wait()
            return call()
        except (services.RefusedError, services.UndecidedError, store.ConflictError) as error:
            return error
        finally:
            connection.close()

    # All threads act as part of the test's process.
    contexts = [copy_context() for _ in calls]
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda context, call: context.run(run, call), contexts, calls))
