"""Liveness of this process: its ticker comes round, and the database answers it."""

import time

from games.process.components import Component


class Liveness(Component):
    """Two moments on the monotonic clock; the ticker notes them, and each commit the second."""

    def __init__(self) -> None:
        self._turned = self._answered = time.monotonic()

    def mark_turn(self) -> None:
        """Note that the ticker has come round, whether or not the database was there."""
        self._turned = time.monotonic()

    def mark_answer(self) -> None:
        """Note that the database has answered the ticker."""
        self._turned = self._answered = time.monotonic()

    def mark_commit(self) -> None:
        """Note that the database has accepted a commit from any thread.

        So the database is available, even if a busy ticker is late.
        """
        self._answered = time.monotonic()

    @property
    def still_for(self) -> float:
        """Seconds since the ticker last came round: half a second or two in a healthy process."""
        return time.monotonic() - self._turned

    @property
    def unanswered_for(self) -> float:
        """Seconds since the database last answered."""
        return time.monotonic() - self._answered
