"""Helpers for outage tests that read the remaining time and the log from a window."""

import re
import time
from dataclasses import dataclass

from games.models import Outage
from tests.games.windows import Window

OUTAGE_LINE = re.compile(
    r"The site was down for (\d+) s\. All clocks were stopped during that time\."
)
# The site promises one second; a busy machine adds to the measurement.
TOLERANCE_SECONDS = 1.3


@dataclass(frozen=True)
class TimeLeft:
    """Remaining time of the player to act at the time `at`."""

    seconds: float
    at: float

    def get_seconds_left(self) -> float:
        """Return the seconds left now, if the clock has not stopped since `at`."""
        return self.seconds - (time.monotonic() - self.at)


def read_time_left(window: Window) -> TimeLeft:
    """Return the remaining time in the window's latest view, which must have just arrived."""
    clock = window.view["clock"]
    return TimeLeft((clock["left_ms"] + clock["bank_ms"]) / 1000, time.monotonic())


def request_time_left(window: Window) -> TimeLeft:
    """Request a new view and return the remaining time in it."""
    window.send({"type": "sync"})
    window.wait_for("view")
    return read_time_left(window)


def list_log_lines(window: Window) -> list[str]:
    return [line["text"] for line in window.view.get("log", ())]


def list_outage_seconds(window: Window) -> list[int]:
    """Return the length of each outage that the log reports, in seconds."""
    found = [OUTAGE_LINE.fullmatch(line) for line in list_log_lines(window)]
    return [int(one[1]) for one in found if one]


def read_until_outage_notice(window: Window, seconds: float = 20) -> None:
    """Read until the table reports that the site was down."""
    end = time.monotonic() + seconds
    while not (window.view and list_outage_seconds(window)):
        window.read(max(0.01, end - time.monotonic()))


def get_compensated_seconds(step: float = 0.0) -> float:
    """Return the seconds by which the site extended deadlines, without the clock change `step`.

    A busy machine may miss heartbeats, which count as outages.
    """
    return sum(away + by for away, by in Outage.objects.values_list("away", "step")) - step
