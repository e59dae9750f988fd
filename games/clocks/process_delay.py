"""Delays caused by this process, measured by the lateness of its ticker.

The ticker is late when the event loop is busy, or when threads wait for the database or for one
another. Players' messages are then delayed by the same time. All times are on the monotonic clock.
"""

import threading
import time
from collections import OrderedDict, deque

from games.process.components import Component

# Delays of the ticker by more than USUAL seconds are remembered for REMEMBERED seconds.
USUAL, REMEMBERED = 0.1, 120.0
MAX_STEPS = 5000
# A step of a deal in which the table waits for players: match, hand, attempt, and whether the list
# is closed.
Step = tuple[int, int, int, bool]


class Lateness(Component):
    """Recent delays of this process. The ticker records them, and other threads read them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._delays: deque[tuple[float, float]] = deque()
        self._counted_until: OrderedDict[Step, float] = OrderedDict()

    def record_delay(self, seconds: float) -> None:
        """Record that the ticker was late by `seconds`."""
        now = time.monotonic()
        with self._lock:
            if seconds > USUAL:
                self._delays.append((now, seconds))
            while self._delays and self._delays[0][0] < now - REMEMBERED:
                self._delays.popleft()

    def missed_seconds(self, step: Step, window: float) -> float:
        """Return how many of the last `window` seconds the players lost to delays.

        Within the same step, each delay counts only once.
        """
        now = time.monotonic()
        with self._lock:
            since = max(now - window, self._counted_until.get(step, 0.0))
            self._counted_until[step] = now
            if len(self._counted_until) > MAX_STEPS:
                self._counted_until.popitem(last=False)
            return sum(min(delay, at - since) for at, delay in self._delays if at > since)
