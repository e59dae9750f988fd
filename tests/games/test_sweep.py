"""What heals by itself: whatever a window has missed, it is shown within seconds."""

from itertools import chain

import pytest

from games.live import sweep
from games.live.tables import Table
from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite


@pytest.mark.parametrize("keys", [range(400), range(0, 800, 2), [f"key-{n}" for n in range(400)]])
@pytest.mark.parametrize("every", [1, 2, 8, 20])
def test_each_key_is_looked_at_once_in_so_many_sweeps_and_few_at_a_time(
    keys: list[int | str], every: int
) -> None:
    portions = [sweep.Portion(number, every) for number in range(7, 7 + every)]
    looked = [[key for key in keys if key in portion] for portion in portions]
    assert sorted(chain(*looked), key=str) == sorted(keys, key=str)
    assert max(len(some) for some in looked) <= 2.5 * len(keys) / every


@pytest.mark.django_db(transaction=True)
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
