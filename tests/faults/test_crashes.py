"""`kill -9` in mid-match: what was acknowledged is there, and nothing is there twice."""

import signal
import threading
import time

import pytest

from games.models import LoggedAction
from tests.games.helpers import begin, log
from tests.games.windows import open_window
from tests.live import SiteProcess
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_the_clock_runs_on_through_a_crash_and_out_once(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2 B3", turn_seconds=4)
    site_process.crash()
    site_process.start()
    end = time.monotonic() + 8
    while not log(match):
        assert time.monotonic() < end
        time.sleep(0.05)
    row = LoggedAction.objects.get(hand__match=match, number=1)
    assert log(match)[0] == (0, {"draw": True}, "timeout")
    # In time if the process was back by then, at once if it was not.
    assert (row.at - sure(match.due)).total_seconds() < 4


def test_a_restart_is_announced_and_the_table_is_back(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        threading.Thread(target=site_process.stop, args=(signal.SIGTERM,)).start()
        assert window.wait_for("notice")["code"] == "restarting"
        assert window.closed() == 1012
    time.sleep(0.5)
    site_process.start()
    with open_window(site_process, match) as window:
        assert window.wait_for("view")["version"] == 1
