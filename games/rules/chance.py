"""Sources of randomness for a hand: the operating system, a record, or a fast generator."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, MutableSequence
from typing import Any, Protocol

from games.rules.deck.cards import Deck


class Chance(Protocol):
    """Source of the shuffles and random choices of a hand."""

    def shuffle(self, kinds: list[int], /) -> None:
        """Shuffle in place. The first element is the top card."""

    def choice(self, n: int, /) -> int:
        """Return a whole number from 0 to n-1."""


class ChanceError(ValueError):
    """The recorded random results do not fit the hand that is being replayed."""


class SystemChance:
    """Unpredictable randomness from the operating system, for live play."""

    # Shared by all instances, because it has no state but takes up 2.5 kB.
    _system = secrets.SystemRandom()

    def shuffle(self, kinds: MutableSequence[Any], /) -> None:
        self._system.shuffle(kinds)

    def choice(self, n: int, /) -> int:
        return secrets.randbelow(n)


class RecordingChance:
    """Wrapper that records the results of another source as JSON, for the action log."""

    def __init__(self, inner: Chance, deck: Deck) -> None:
        self._inner = inner
        self._deck = deck
        self.results: list[list[str] | int] = []

    def shuffle(self, kinds: list[int], /) -> None:
        self._inner.shuffle(kinds)
        self.results.append(self._deck.notations(kinds))

    def choice(self, n: int, /) -> int:
        chosen = self._inner.choice(n)
        self.results.append(chosen)
        return chosen


class RecordedChance:
    """Source that returns the results recorded by a RecordingChance.

    Its methods raise ChanceError if the results do not fit the hand.
    """

    def __init__(self, results: Iterable[list[str] | int], deck: Deck) -> None:
        self._results = list(results)
        self._deck = deck

    def shuffle(self, kinds: list[int], /) -> None:
        result = self._take_next_result()
        if not isinstance(result, list) or sorted(result) != sorted(self._deck.notations(kinds)):
            raise ChanceError("the recorded shuffle does not have the cards that are shuffled here")
        kinds[:] = [self._deck.kind(notation) for notation in result]

    def choice(self, n: int, /) -> int:
        result = self._take_next_result()
        if not isinstance(result, int) or not 0 <= result < n:
            raise ChanceError(f"the recorded choice {result!r} is not one of {n}")
        return result

    def _take_next_result(self) -> list[str] | int:
        if not self._results:
            raise ChanceError("more was left to chance here than the record holds")
        return self._results.pop(0)


class QuickChance:
    """Fast source for playouts, based on a function such as ``random.Random(seed).random``."""

    def __init__(self, random: Callable[[], float]) -> None:
        self.random = random

    def shuffle(self, kinds: list[int], /) -> None:
        # Sorting by random keys is uniform and three times as fast as random.shuffle.
        random = self.random
        kinds.sort(key=lambda _: random())

    def choice(self, n: int, /) -> int:
        return int(self.random() * n)
