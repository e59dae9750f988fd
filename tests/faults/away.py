"""Helpers for outage tests: a player's remaining time, and the table's messages."""

import re
import time
from dataclasses import dataclass

from games.models import Outage
from tests.games.windows import Window

AWAY = re.compile(r"The site was down for (\d+) s\. All clocks were stopped during that time\.")
# "Within a second", and what a busy machine takes to tell.
WITHIN = 1.3


@dataclass(frozen=True)
class Left:
    """Remaining time on the clock of the player to act, and the moment when it was read."""

    seconds: float
    at: float

    def get_seconds_left(self) -> float:
        """Return the time that is left now if the clock has run ever since."""
        return self.seconds - (time.monotonic() - self.at)


def read_time_left(window: Window) -> Left:
    """By the view that the window has; ask for it just before."""
    clock = window.view["clock"]
    return Left((clock["left_ms"] + clock["bank_ms"]) / 1000, time.monotonic())


def fresh_left(window: Window) -> Left:
    """By a view that is made now."""
    window.send({"type": "sync"})
    window.wait_for("view")
    return read_time_left(window)


def lines(window: Window) -> list[str]:
    return [line["text"] for line in window.view.get("log", ())]


def told_away(window: Window) -> list[int]:
    """For how many seconds the site was away, each time that the log says so."""
    found = [AWAY.fullmatch(line) for line in lines(window)]
    return [int(one[1]) for one in found if one]


def read_until_outage_notice(window: Window, seconds: float = 20) -> None:
    """Read until the table says that the site was away."""
    end = time.monotonic() + seconds
    while not (window.view and told_away(window)):
        window.read(max(0.01, end - time.monotonic()))


def given_back(step: float = 0.0) -> float:
    """Seconds that deadlines were moved by, besides those of the clock that was set by `step`.

    A machine that is too busy to beat is an outage as well.
    """
    return sum(away + by for away, by in Outage.objects.values_list("away", "step")) - step
