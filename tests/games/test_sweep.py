"""What heals by itself: whatever a window has missed, it is shown within seconds."""

import pytest

from games.live import sweep
from games.live.tables import Table
from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_view_that_its_table_did_not_send_comes_with_the_sweep(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = (seat.user for seat in match.seats.order_by("number"))
    with open_window(live_site, match, first) as one, open_window(live_site, match, second) as two:
        for window in (one, two):
            window.wait_for("view")
        monkeypatch.setattr(sweep, "DESKS_EVERY", 2)
        monkeypatch.setattr(Table, "tell", lambda _table: True)
        assert one.act({"play": "R1"})["type"] == "ack"
        assert two.wait_until(top="R1")["turn"] == 1
