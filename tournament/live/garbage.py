"""When the interpreter looks for garbage: often, at little.

What nothing refers to any more is gone at once, a closed socket too. The collector alone finds what
refers to itself, as pages do; it stops everything while it looks, and at a full hall one look at
all that there is takes a second. So it looks at what is new, soon and three times; what is still
there then is not looked at again.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

# New objects until a look; looks until one at what has been looked at once, and twice. Some 20 ms
# at most in which nobody is served, each.
THRESHOLDS = 1_000, 4, 2


def look_at_little() -> None:
    """From now on, in this process; what has been loaded by now stays."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.callbacks.append(keep_old)


def keep_old(phase: str, info: dict[str, int]) -> None:
    """Look no more at what was there in all three looks."""
    if phase == "stop" and info["generation"] == 2:
        gc.freeze()


@contextmanager
def looking_away() -> Iterator[None]:
    """Meanwhile nothing is looked at: where thousands of values are made, and all are in use, each
    look goes through them in vain. The first of several threads that is done ends it for all.
    """
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()
