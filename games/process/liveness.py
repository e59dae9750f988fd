"""Whether this process lives: its ticker turns over, and the database answers it."""

import time

from games.process.parts import Part


class Liveness(Part):
    """Two moments on the monotonic clock; the ticker notes them, and each commit the second."""

    def __init__(self) -> None:
        self._turned = self._answered = time.monotonic()

    def mark_turn(self) -> None:
        """The ticker has come round, whether or not the database was there."""
        self._turned = time.monotonic()

    def mark_answer(self) -> None:
        """The database has answered it."""
        self._turned = self._answered = time.monotonic()

    def mark_commit(self) -> None:
        """The database has taken something of any thread: however late the ticker is for all that
        has to be done, it is there."""
        self._answered = time.monotonic()

    @property
    def still_for(self) -> float:
        """Seconds since the ticker last came round: half a second or two in a healthy process."""
        return time.monotonic() - self._turned

    @property
    def unanswered_for(self) -> float:
        """Seconds since the database last answered."""
        return time.monotonic() - self._answered
