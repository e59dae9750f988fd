"""F52: a hung ticker is restarted. No player loses time, and each turn ends only once."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from games.models import Match
from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    list_outage_seconds,
    read_until_outage_notice,
    request_time_left,
)
from tests.games.helpers import begin, list_log
from tests.games.windows import open_window
from tests.live import SiteProcess
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

# If the file exists, the ticker's next search for due matches hangs.
HANGING_SITE_SCRIPT = """
import sys, time
from pathlib import Path

sys.path.insert(0, "{base}")
import django

django.setup()
from django.core.management import call_command
from games import services
from games.workers import ticker

look = services.due_matches

def hang(*arguments, **options):
    if Path("{file}").exists():
        Path("{file}").unlink()
        time.sleep(30)
    return look(*arguments, **options)

services.due_matches = hang
ticker.HUNG_SECONDS = 4
call_command("serve", port={port})
"""


class HangingSite(SiteProcess):
    """Site whose ticker hangs for half a minute after `hang` is called."""

    @property
    def file(self) -> Path:
        return self.folder / "hang"

    def hang(self) -> None:
        self.file.touch()
        wait_for(lambda: not self.file.exists(), "the ticker's look")

    def command(self) -> list[str]:
        found = {"base": settings.BASE_DIR, "file": self.file, "port": self.port}
        return [sys.executable, "-c", HANGING_SITE_SCRIPT.format(**found)]


@pytest.fixture
def hanging_site(transactional_db: None, collected_static: Path) -> Iterator[HangingSite]:
    with HangingSite(collected_static) as site:
        yield site
        # The hung thread would keep the process from exiting normally.
        site.crash()


def begin_match(**fields: int) -> Match:
    return begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2 B3", **fields)


def test_hung_ticker_is_restarted_and_costs_no_time(hanging_site: HangingSite) -> None:
    match = begin_match(turn_seconds=20)
    with open_window(hanging_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        before = request_time_left(window).get_seconds_left()
        hanging_site.hang()
        hung = time.monotonic()
        read_until_outage_notice(window)
        ran = time.monotonic() - hung - list_outage_seconds(window)[0]
        assert request_time_left(window).seconds == pytest.approx(
            before - ran, abs=TOLERANCE_SECONDS + 1
        )
        assert 4 <= list_outage_seconds(window)[0] <= 9
        assert list_log(match) == []


def test_another_process_acts_when_a_ticker_hangs(
    hanging_site: HangingSite, site_process: SiteProcess
) -> None:
    match = begin_match(turn_seconds=3)
    with open_window(site_process, match) as viewer:
        viewer.wait_for("view")
        hanging_site.hang()
        assert viewer.wait_for_view(turn=1)["log"][-1]["auto"] == "timeout"
        assert list_outage_seconds(viewer) == []


def test_two_tickers_end_a_turn_once(site_process: SiteProcess, collected_static: Path) -> None:
    match = begin_match(turn_seconds=3)
    with SiteProcess(collected_static) as other, open_window(other, match) as viewer:
        viewer.wait_for("view")
        assert viewer.wait_for_view(turn=1)["log"][-1]["auto"] == "timeout"
        assert list_log(match)[0] == (0, {"draw": True}, "timeout")
        assert [seat for seat, _, _ in list_log(match)].count(0) == 1
