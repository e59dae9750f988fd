"""Bounded caches of a process."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Generic, TypeVar

from games.process.components import Component

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """Thread-safe mapping of limited size. It keeps the values that were set last."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        return self._values.get(key)

    def set(self, key: K, value: V) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._max_size:
                self._values.popitem(last=False)


class FunctionCaches(Component):
    """Cached results of functions decorated with `games.process.process_cache`, in one process."""

    def __init__(self) -> None:
        self._functions: dict[Callable[..., Any], Callable[..., Any]] = {}

    def wrap(self, function: Callable[..., V], max_size: int) -> Callable[..., V]:
        """Return `function` with a cache of `max_size` results that belongs to this process."""
        cached = self._functions.get(function)
        return cached or self._functions.setdefault(function, lru_cache(max_size)(function))
