"""What the collector is told to look at, tried in an interpreter of its own."""

import subprocess
import sys

# Rings that refer to themselves; `gc.collect(2)` stands for a look that comes by itself.
PROGRAM = """
import gc, weakref
from tournament.live import garbage

class Ring:
    def __init__(self):
        self.me = self

loaded = Ring()
garbage.look_at_little()
print(gc.get_threshold() == garbage.THRESHOLDS)
frozen = gc.get_freeze_count()

young, old = Ring(), Ring()
seen = weakref.ref(young), weakref.ref(old), weakref.ref(loaded)
del young
gc.collect(0)
print([one() is None for one in seen])
gc.collect(1)
print(gc.get_freeze_count() > frozen)
gc.collect(2)
print(gc.get_freeze_count() > frozen)
del old, loaded
gc.collect(2)
print([one() is None for one in seen])
"""


def test_what_is_new_is_looked_at_and_what_was_there_in_every_look_stays() -> None:
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    assert said == [
        "True",
        "[True, False, False]",
        "False",
        "True",
        "[True, False, False]",
    ]
