"""When the interpreter looks for garbage: often, at little.

What nothing refers to any more is gone at once, a closed socket too. The collector alone finds what
refers to itself, as pages do; it stops everything while it looks, and at a full hall one look at
all that there is takes a second. So it looks at what is new, soon and three times; what is still
there then is not looked at again, unless a page is being made: its parts would be kept for good.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from games.process.parts import Part

# New objects until a look; looks until one at what has been looked at once, and twice. Some 20 ms
# at most in which nobody is served, each.
THRESHOLDS = 1_000, 4, 2
# So often looks wait for a moment without a page; each takes longer than the one before.
PUT_OFF = 3
# Who asks whether looks are on, and turns them off, is overtaken by nobody who turns them on.
STOPPING = threading.Lock()


class Making(Part):
    """How many pages are being made and sent in a process; its event loop counts them."""

    def __init__(self) -> None:
        self.pages = 0

    @contextmanager
    def one(self) -> Iterator[None]:
        """Meanwhile there is one more."""
        self.pages += 1
        try:
            yield
        finally:
            self.pages -= 1


def look_at_little(making: Making | None = None) -> None:
    """From now on, in this process, which makes these pages, or none; what has been loaded by now
    stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.callbacks.append(Keeper(making or Making()))


class Keeper:
    """Called by the collector: has it look no more at what was there in all three looks."""

    def __init__(self, making: Making) -> None:
        self._making, self._put_off = making, 0

    def __call__(self, phase: str, info: dict[str, int]) -> None:
        if phase != "stop" or info["generation"] != 2:
            return
        if self._making.pages and self._put_off < PUT_OFF:
            self._put_off += 1
        else:
            self._put_off = 0
            gc.freeze()


@contextmanager
def looking_away() -> Iterator[None]:
    """Meanwhile nothing is looked at: where thousands of values are made, and all are in use, each
    look goes through them in vain. The first of several threads that is done ends it for all.
    """
    with STOPPING:
        looked = gc.isenabled()
        gc.disable()
    try:
        yield
    finally:
        if looked:
            with STOPPING:
                gc.enable()
