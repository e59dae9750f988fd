"""Prepared live boards, for tests that count a page's own queries.

A serving process has the matches in memory. A test would have to load them from the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from tournament.hall import live_boards
from tournament.models import Event


@contextmanager
def prepare_boards(event: Event) -> Iterator[None]:
    """Compute the event's boards now, and keep them until the end of the block."""
    with mock.patch.object(live_boards, "BOARD_SECONDS", 600.0):
        live_boards.event_boards(event)
        yield
