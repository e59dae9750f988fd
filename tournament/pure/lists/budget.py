"""Limits on the cost of one uploaded file."""

from __future__ import annotations

import time

from games.rules.text import _
from tournament.pure.lists.sheets import FileCode, RefusedFileError

# Of this thread's processor; waiting for other threads does not count.
MOST_SECONDS = 1.0
# Twenty thousand rows of a list have about two million letters.
MOST_LETTERS = 6_000_000


class Budget:
    """Remaining processor time and number of letters for a file."""

    def __init__(self, seconds: float = MOST_SECONDS) -> None:
        self.end = time.thread_time() + seconds
        self.letters = MOST_LETTERS

    def check(self) -> None:
        """Raise RefusedFileError if the file has cost too much."""
        if time.thread_time() > self.end or self.letters < 0:
            raise RefusedFileError(
                FileCode.TOO_BIG,
                _(
                    "This file takes too long to read. Save only the columns and rows of the "
                    "list, as CSV UTF-8, or import it in parts."
                ),
            )

    def spend_letters(self, letters: int) -> None:
        """Count letters of a file that are kept."""
        self.letters -= letters
        if self.letters < 0:
            self.check()
