"""F56: planned restarts of the site."""

import signal
import threading
import time

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]


def test_restart_is_announced_and_the_match_continues(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        threading.Thread(target=site_process.stop, args=(signal.SIGTERM,)).start()
        assert window.wait_for("notice")["code"] == "restarting"
        assert window.read_close_code() == 1012
    time.sleep(0.5)
    site_process.start()
    with open_window(site_process, match) as window:
        assert window.wait_for("view")["view"]["top"] == "R5"
