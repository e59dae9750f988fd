"""Thinking time of bots, limited so that people at other tables do not notice it.

A strong bot can use about 30 ms per decision, and all tables share the process. The process
therefore saves up thinking time, at a rate of SHARE seconds per second. Each decision gets half of
the savings, but at least MIN_SECONDS and at most MAX_SECONDS. If only a few tables have bots, each
decision gets all the time it can use. With many such tables, each decision gets less.
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

MAX_SECONDS, MIN_SECONDS = 0.045, 0.002
SHARE = 0.15
MAX_SAVED = 2 * MAX_SECONDS
# Python threads run for up to 5 ms at a time. A short sleep lets other threads run earlier.
YIELD_SECONDS = 0.00005


class Budget(Component):
    """Thinking time, in seconds, shared by all bots of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._saved = MAX_SAVED
        self._since = clock()

    def take(self) -> float:
        """Withdraw and return the seconds that the next decision may use."""
        with self._lock:
            now = self._clock()
            self._saved = min(MAX_SAVED, self._saved + SHARE * (now - self._since))
            self._since = now
            seconds = min(MAX_SECONDS, max(MIN_SECONDS, self._saved / 2))
            self._saved -= seconds
            return seconds

    def refund(self, seconds: float) -> None:
        """Return unused seconds to the budget. The number is negative if too much was used."""
        with self._lock:
            self._saved += seconds


def choose_in_time(view: PlayerView, rules: RuleSet, strength: str, rng: Random) -> Action:
    """Choose an action for the bot whose turn it is, within the thinking time available now."""
    budget = here().part(Budget)
    seconds, began = budget.take(), time.thread_time()
    try:
        return bots.choose_action(view, rules, strength, rng, build_time_check(seconds))
    finally:
        budget.refund(seconds - (time.thread_time() - began))


def build_time_check(seconds: float) -> Callable[[], bool]:
    """Return a function that checks whether any of the `seconds` are left.

    Each call first lets other threads run.
    """
    until = time.monotonic() + seconds

    def has_time() -> bool:
        time.sleep(YIELD_SECONDS)
        return time.monotonic() < until

    return has_time
