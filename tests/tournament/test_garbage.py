"""What the collector is told to look at, tried in an interpreter of its own."""

import gc
import subprocess
import sys
import threading

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


def test_who_begins_while_another_ends_leaves_the_looks_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = threading.Event()

    class Slow:
        """The collector, as whoever asks just before another ends sees it."""

        disable, enable = staticmethod(gc.disable), staticmethod(gc.enable)

        @staticmethod
        def isenabled() -> bool:
            found = gc.isenabled()
            if not found:
                asked.set()
                first_ends.wait(0.2)
            return found

    first_ends = threading.Event()
    monkeypatch.setattr("tournament.live.garbage.gc", Slow)

    def second() -> None:
        with looking_away():
            pass

    with looking_away():
        other = threading.Thread(target=second)
        other.start()
        asked.wait(0.2)
    first_ends.set()
    other.join()
    assert gc.isenabled()


def test_looks_that_were_off_before_stay_off() -> None:
    gc.disable()
    try:
        with looking_away():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
