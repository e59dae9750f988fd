"""F52: the process that runs the clocks is killed, or several processes run them."""

from pathlib import Path

import pytest

from games import services
from games.models import LoggedAction, Match
from tests.games.helpers import begin, list_log
from tests.games.threads import run_in_threads
from tests.games.windows import open_window
from tests.live import SiteProcess
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]


@pytest.mark.redis
def test_another_process_takes_over_the_clocks_of_a_killed_process(
    site_process: SiteProcess, collected_static: Path
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2 B3", turn_seconds=3)
    with SiteProcess(collected_static) as other, open_window(other, match) as viewer:
        viewer.wait_for("view")
        site_process.crash()
        due = Match.objects.get(pk=match.pk).due
        assert viewer.wait_for_view(turn=1)["log"][-1]["auto"] == "timeout"
        row = LoggedAction.objects.get(hand__match=match)
        assert (row.at - sure(due)).total_seconds() < 2
        site_process.start()


def test_clock_runs_out_once_for_any_number_of_processes() -> None:
    match = begin(["R1 R2", "R3 R4"], "G5", "B1 B2 B3")
    when = match.due
    run_in_threads(*[lambda: services.tick(when) for _ in range(4)])
    assert list_log(match) == [(0, {"draw": True}, "timeout")]
