"""Reproducible randomness in tests: the name of a test determines all random bytes.

The site makes deals, shares, keys and the choices of its bots with `secrets` and
`random.SystemRandom`, which get their bytes from one function. Here, a stream replaces that
function, restarted for each test and for each fixture with a wider scope.
`LASTCARD_TEST_SEED` changes the seed of all streams (any text; the run prints it). Other
processes started by a test use the randomness of the system.
"""

import contextlib
import os
import random
from collections.abc import Iterator

SEED_VARIABLE = "LASTCARD_TEST_SEED"
SEED = os.environ.get(SEED_VARIABLE, "1")


class RandomStream:
    """A replacement for `os.urandom` that returns the same bytes again for the same name."""

    def __init__(self) -> None:
        self._random = random.Random()
        self.begin("")

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def begin(self, name: str) -> None:
        """Restart the stream from this name, and the functions of `random` with it."""
        self._random.seed(f"{SEED} {name}")
        random.seed(f"{SEED} {name}")

    @contextlib.contextmanager
    def use_named(self, name: str) -> Iterator[None]:
        """Use the named stream inside the block, then continue the previous one."""
        before = self._random.getstate(), random.getstate()
        self.begin(name)
        try:
            yield
        finally:
            self._random.setstate(before[0])
            random.setstate(before[1])


stream = RandomStream()


def replace_randomness() -> None:
    """Replace the system's randomness in the whole process, before any test is collected."""
    random._urandom = stream  # type: ignore[attr-defined]


def get_hypothesis_seed() -> int:
    """Return the seed from which Hypothesis generates its examples."""
    return random.Random(SEED).getrandbits(32)
