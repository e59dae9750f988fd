"""What the collector is told to look at, tried in an interpreter of its own."""

import gc
import subprocess
import sys

import pytest

from tournament.live.garbage import looking_away

# Rings that refer to themselves; `gc.collect(2)` stands for a look that comes by itself.
PROGRAM = """
import gc, weakref
from tournament.live import garbage

class Ring:
    def __init__(self):
        self.me = self

loaded = Ring()
making = garbage.Making()
garbage.look_at_little(making)
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

with making.one():
    page = Ring()
    of_page = weakref.ref(page)
    frozen = gc.get_freeze_count()
    for _look in range(garbage.PUT_OFF):
        gc.collect(2)
    print(gc.get_freeze_count() > frozen)
del page
gc.collect(2)
print(of_page() is None, gc.get_freeze_count() > frozen)
with making.one():
    frozen = gc.get_freeze_count()
    put_off = []
    for _look in range(garbage.PUT_OFF + 1):
        put_off.append([])
        gc.collect(2)
    print(gc.get_freeze_count() > frozen)
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
        *("False", "True True", "True"),
    ]


def test_nothing_is_looked_at_while_somebody_looks_away() -> None:
    with looking_away():
        assert not gc.isenabled()
        with looking_away():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_goes_wrong_meanwhile_leaves_the_looks_as_they_were() -> None:
    with pytest.raises(ZeroDivisionError), looking_away():
        assert 1 / 0
    assert gc.isenabled()
