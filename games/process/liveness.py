"""Liveness of this process: whether its ticker is running and its database responds."""

import time

from games.process.components import Component


class Liveness(Component):
    """Times of the last ticker cycle and the last database response, on the monotonic clock.

    The ticker records both, and each commit records a database response.
    """

    def __init__(self) -> None:
        self._cycled = self._answered = time.monotonic()

    def mark_cycle(self) -> None:
        """Record a cycle of the ticker, whether or not the database was available."""
        self._cycled = time.monotonic()

    def mark_answer(self) -> None:
        """Record that the database has responded to the ticker."""
        self._cycled = self._answered = time.monotonic()

    def mark_commit(self) -> None:
        """Record that the database has accepted a commit from any thread.

        This shows that the database responds, even if a busy ticker is late.
        """
        self._answered = time.monotonic()

    @property
    def seconds_since_cycle(self) -> float:
        """Seconds since the ticker's last cycle, about 0.5 to 2 in a healthy process."""
        return time.monotonic() - self._cycled

    @property
    def seconds_since_answer(self) -> float:
        """Seconds since the database last responded."""
        return time.monotonic() - self._answered
