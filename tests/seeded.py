"""Reproducible randomness in tests: a test's name determines all of its random bytes.

The site makes deals, shares, keys and the choices of its bots with `secrets` and
`random.SystemRandom`, which get their bytes from one function. A seeded stream replaces this
function. It is restarted for each test and for each fixture of a wider scope.
`LASTCARD_TEST_SEED` changes the seed of all streams. It may be any text, and pytest prints it.
Processes that a test starts use the system's randomness.
"""

import contextlib
import os
import random
from collections.abc import Iterator

SEED_VARIABLE = "LASTCARD_TEST_SEED"
SEED = os.environ.get(SEED_VARIABLE, "1")


class RandomStream:
    """Replacement for `os.urandom` that returns the same bytes for the same name."""

    def __init__(self) -> None:
        self._random = random.Random()
        self.begin("")

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def begin(self, name: str) -> None:
        """Restart this stream and the module `random`, both seeded by the name."""
        self._random.seed(f"{SEED} {name}")
        random.seed(f"{SEED} {name}")

    @contextlib.contextmanager
    def use_named(self, name: str) -> Iterator[None]:
        """Use the stream with this name inside the block, then continue the previous one."""
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
