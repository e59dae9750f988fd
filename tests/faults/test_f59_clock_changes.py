"""F59: the server's clock is changed during a turn. All players keep their remaining time."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games import services
from games.models import Match
from tests.faults.cases import TryCounter, mark_nightly_except
from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    get_compensated_seconds,
    list_log_lines,
    request_time_left,
)
from tests.games.helpers import begin, list_log, reload
from tests.games.windows import Window, open_window, wait_for_condition
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

CLOCK_STEPS = (30, -30, 3600, -3600)

# Adds the number of seconds in a file to this process's wall clock.
STEPPED_SITE_SCRIPT = """
import sys
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, "{base}")
from django.utils import timezone

real, step = timezone.now, Path("{file}")
timezone.now = lambda: real() + timedelta(seconds=float(step.read_text()))
import django

django.setup()
from django.core.management import call_command

call_command("serve", port={port})
"""


class SteppedSite(SiteProcess):
    """Site whose wall clock `set_clock` can change, as an administrator or NTP would."""

    def __init__(self, collected_static: Path) -> None:
        super().__init__(collected_static)
        self.file = self.folder / "step"
        self.set_clock(0)

    def set_clock(self, seconds: float) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)

    def command(self) -> list[str]:
        found = {"base": settings.BASE_DIR, "file": self.file, "port": self.port}
        return [sys.executable, "-c", STEPPED_SITE_SCRIPT.format(**found)]


@pytest.fixture
def stepped_site(transactional_db: None, collected_static: Path) -> Iterator[SteppedSite]:
    with SteppedSite(collected_static) as site:
        yield site


def begin_match() -> Match:
    return begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2 B3", turn_seconds=20, bank_seconds=10)


def read_until_clock_notice(window: Window, step: int) -> None:
    """Read until the table reports the clock change, within a second."""
    end = time.monotonic() + 15
    while not any(format_clock_notice(step + off) in list_log_lines(window) for off in (-1, 0, 1)):
        window.read(max(0.01, end - time.monotonic()))


def format_clock_notice(step: int) -> str:
    return f"The site’s clock was adjusted by {step} s. No one gained or lost any time."


@pytest.mark.parametrize("step", mark_nightly_except(-30, CLOCK_STEPS))
def test_player_to_act_keeps_the_remaining_time(
    step: int, stepped_site: SteppedSite, tries: TryCounter
) -> None:
    for _ in tries(1, 5):
        match = begin_match()
        with open_window(stepped_site, match, match.seats.get(number=0).user) as window:
            window.wait_for("view")
            before = request_time_left(window)
            stepped_site.set_clock(step)
            read_until_clock_notice(window, step)
            assert request_time_left(window).seconds == pytest.approx(
                before.get_seconds_left(), abs=TOLERANCE_SECONDS
            )
            assert list_log(match) == []
            assert window.act({"draw": True})["type"] == "ack"
            stepped_site.set_clock(0)
            read_until_clock_notice(window, -step)
            assert reload(match).state.banks == {}, "the turn took no time of the bank"


def test_clock_change_during_downtime_costs_no_time(stepped_site: SteppedSite) -> None:
    match = begin_match()
    with open_window(stepped_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        before = request_time_left(window).get_seconds_left()
        stepped_site.crash()
    stepped_site.set_clock(3600)
    time.sleep(3)
    stepped_site.start()
    with open_window(stepped_site, match, match.seats.get(number=0).user) as window:
        read_until_clock_notice(window, 3600)
        assert request_time_left(window).seconds == pytest.approx(before, abs=TOLERANCE_SECONDS)
        assert list_log(match) == []


def test_clock_change_is_compensated_once_by_two_processes(
    stepped_site: SteppedSite, collected_static: Path
) -> None:
    match = begin_match()
    first, second = (match.seats.get(number=number).user for number in (0, 1))
    with SteppedSite(collected_static) as other:
        other.file.unlink()
        other.file.symlink_to(stepped_site.file)
        with open_window(stepped_site, match, first) as window, open_window(other, match, second):
            window.wait_for("view")
            before = request_time_left(window)
            stepped_site.set_clock(600)
            read_until_clock_notice(window, 600)
            time.sleep(3)
            left = before.get_seconds_left() + get_compensated_seconds(600)
            assert request_time_left(window).seconds == pytest.approx(left, abs=TOLERANCE_SECONDS)
            assert sum("was adjusted by" in line for line in list_log_lines(window)) == 1


def test_clock_changes_during_a_pause_cost_no_time(stepped_site: SteppedSite) -> None:
    match = begin_match()
    with open_window(stepped_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        services.pause_match(match)
        window.wait_for_view(prompt="An organizer has paused this table. No one loses any time.")
        before = request_time_left(window)
        stepped_site.set_clock(3600)
        read_until_clock_notice(window, 3600)
        stepped_site.set_clock(0)
        read_until_clock_notice(window, -3600)
        assert request_time_left(window).seconds == pytest.approx(before.seconds, abs=0.1)
        services.resume_match(match)
        wait_for_condition(lambda: not reload(match).paused)
        window.catch_up(reload(match).version)
        assert request_time_left(window).seconds == pytest.approx(
            before.seconds, abs=TOLERANCE_SECONDS
        )
        assert list_log(match) == []
