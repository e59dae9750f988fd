"""F5: who only watches sends commands."""

import pytest

from tests.factories import make_user
from tests.games.helpers import begin, log
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_viewer_watches_and_cannot_act(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    for user in (None, make_user()):
        with open_window(live_site, match, user) as viewer:
            assert viewer.wait_for("view")["view"]["you"] is None
            assert viewer.act({"play": "R1"})["code"] == "not-seated"
            viewer.send({"type": "take_over"})
            assert viewer.answer(None)["code"] == "not-seated"
    assert log(match) == []
