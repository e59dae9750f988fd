"""Cache of values that a process computes once for many readers, until they are too old."""

from collections.abc import Callable, Hashable
from threading import Lock
from time import monotonic
from typing import Generic, TypeVar

from games.process.components import Component

# Values that have not been recomputed for this long are dropped from memory.
DROPPED_SECONDS = 60.0

T = TypeVar("T")


class FreshValues(Component, Generic[T]):
    """Values by key, each with the time at which it was computed.

    A subclass defines the type of the values. All methods may be called from any thread.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[float, T]] = {}
        self._locks: dict[Hashable, Lock] = {}

    def find(
        self,
        key: Hashable,
        seconds: float,
        make: Callable[[], T],
        is_current: Callable[[T], bool] = lambda _value: True,
    ) -> T:
        """Return the value for this key, computed by `make` if there is no fresh one.

        A value is fresh for `seconds`, as long as `is_current` returns True for it. If several
        callers need a new value at the same time, only one of them computes it.
        """
        with self._locks.setdefault(key, Lock()):
            kept = self._kept.get(key)
            if kept and monotonic() - kept[0] < seconds and is_current(kept[1]):
                return kept[1]
            began = monotonic()
            value = make()
            self._kept[key] = began, value
            self._drop_older_than(began - DROPPED_SECONDS)
            return value

    def _drop_older_than(self, moment: float) -> None:
        for key in [key for key, (made_at, _value) in [*self._kept.items()] if made_at < moment]:
            self._kept.pop(key, None)
            self._locks.pop(key, None)  # a reader waiting for this lock may compute the value again
