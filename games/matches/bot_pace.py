"""Thinking time of bots, limited so that people at other tables don't notice it.

A strong bot can use some 30 ms, and all tables share the process. So a decision gets half
of the saved time, at least LEAST and at most MOST seconds. The savings grow by SHARE of a
core per second. A few tables get all the time they can use; with many, each decision gets
less.
"""

import threading
import time
from collections.abc import Callable
from random import Random

from games.process import here
from games.process.components import Component
from games.rules.actions.actions import Action
from games.rules.actions.knowledge import PlayerView
from games.rules.bots import bots
from games.rules.ruleset.rulesets import RuleSet

MOST, LEAST = 0.045, 0.002
SHARE = 0.15
SAVED_AT_MOST = 2 * MOST
# Python threads run for 5 ms at a time; a thread that sleeps briefly yields immediately.
BREATH = 0.00005


class Budget(Component):
    """Seconds of thinking time shared by all bots of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._saved = SAVED_AT_MOST
        self._since = clock()

    def take(self) -> float:
        """Take the seconds that the next decision may use out of the budget."""
        with self._lock:
            now = self._clock()
            self._saved = min(SAVED_AT_MOST, self._saved + SHARE * (now - self._since))
            self._since = now
            seconds = min(MOST, max(LEAST, self._saved / 2))
            self._saved -= seconds
            return seconds

    def give_back(self, seconds: float) -> None:
        """Return unused seconds to the budget; a negative number means it was overdrawn."""
        with self._lock:
            self._saved += seconds


def choose(view: PlayerView, rules: RuleSet, strength: str, rng: Random) -> Action:
    """Choose the action of the bot in turn, within the thinking time available now."""
    budget = here().part(Budget)
    seconds, began = budget.take(), time.thread_time()
    try:
        return bots.choose(view, rules, strength, rng, time_for(seconds))
    finally:
        budget.give_back(seconds - (time.thread_time() - began))


def time_for(seconds: float) -> Callable[[], bool]:
    """Return a function that reports whether there is time left.

    Each call of that function lets other threads run first.
    """
    until = time.monotonic() + seconds

    def go_on() -> bool:
        time.sleep(BREATH)
        return time.monotonic() < until

    return go_on
