"""F12: two windows, two phones: one controls, the other is told."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_windows_the_last_one_controls_and_the_other_may_take_over(
    live_site: LiveSite,
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as first:
        first.wait_until(controls=True)
        with open_window(live_site, match, user) as second:
            second.wait_until(controls=True)
            assert first.wait_for("notice")["code"] == "other_tab"
            first.wait_until(controls=False)
            first.send({"type": "take_over"})
            first.wait_until(controls=True)
            assert second.wait_for("notice")["code"] == "other_tab"
            second.wait_until(controls=False)
            assert second.act({"play": "R1"})["type"] == "ack"
            second.wait_until(controls=True)
            first.wait_until(controls=False)
