"""Delays caused by this process itself, measured by how late its ticker is.

The measuring clock cannot be set. A busy event loop and threads that wait for the
database or for one another make the ticker late. Messages from players wait just as long.
"""

import threading
import time
from collections import OrderedDict, deque

from games.process.components import Component

# In seconds: a ticker round may take USUAL, and any longer one is remembered for REMEMBERED.
USUAL, REMEMBERED = 0.1, 120.0
MOST_STEPS = 5000
# A step that waits: match, hand, attempt, whether its list is closed.
Step = tuple[int, int, int, bool]


class Lateness(Component):
    """Delays of the last minutes, written by the ticker and read by acting threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._late: deque[tuple[float, float]] = deque()
        self._given: OrderedDict[Step, float] = OrderedDict()

    def add(self, seconds: float) -> None:
        """Record that the ticker has just been late by `seconds`."""
        now = time.monotonic()
        with self._lock:
            if seconds > USUAL:
                self._late.append((now, seconds))
            while self._late and self._late[0][0] < now - REMEMBERED:
                self._late.popleft()

    def missed_seconds(self, step: Step, window: float) -> float:
        """Return the seconds of the last `window` that players lost to delays.

        Each delay counts only once for a step.
        """
        now = time.monotonic()
        with self._lock:
            since = max(now - window, self._given.get(step, 0.0))
            self._given[step] = now
            if len(self._given) > MOST_STEPS:
                self._given.popitem(last=False)
            return sum(min(took, at - since) for at, took in self._late if at > since)
