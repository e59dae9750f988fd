"""No chance in tests: what the operating system would draw follows from the test's name.

All of `secrets` and `random.SystemRandom`, by which the site makes deals, shares, keys and its
bots' choices, ask one function for bytes; here a stream answers, new for each test and each wider
fixture. `LASTCARD_TEST_SEED` is another start of all streams (any text; the run prints it). Other
processes that a test begins have the system's chance.
"""

import contextlib
import os
import random
from collections.abc import Iterator

NAME = "LASTCARD_TEST_SEED"
SEED = os.environ.get(NAME, "1")


class Stream:
    """Bytes in the place of `os.urandom`, the same again from the same name."""

    def __init__(self) -> None:
        self._random = random.Random()
        self.begin("")

    def __call__(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def begin(self, name: str) -> None:
        """Start anew; the functions of `random` do so too, for tests that ask them."""
        self._random.seed(f"{SEED} {name}")
        random.seed(f"{SEED} {name}")

    @contextlib.contextmanager
    def apart(self, name: str) -> Iterator[None]:
        """Use the named stream inside the block, then continue the previous one."""
        before = self._random.getstate(), random.getstate()
        self.begin(name)
        try:
            yield
        finally:
            self._random.setstate(before[0])
            random.setstate(before[1])


stream = Stream()


def replace_chance() -> None:
    """For the whole process, before a test is collected."""
    random._urandom = stream  # type: ignore[attr-defined]


def hypothesis_seed() -> int:
    """Return the seed from which hypothesis generates its examples."""
    return random.Random(SEED).getrandbits(32)
