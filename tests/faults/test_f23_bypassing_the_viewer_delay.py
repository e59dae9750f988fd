"""F23: viewers who try to see moves before the viewer delay has passed."""

import pytest

from tests.factories import make_user
from tests.games.helpers import act, begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_f23_viewer_messages_never_reveal_moves_before_the_delay_ends(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", viewers="delayed", viewer_delay_seconds=600)
    act(match, 0, {"play": "R1"})
    for user in (None, make_user()):
        with open_window(live_site, match, user) as viewer:
            viewer.wait_for("view")
            viewer.send({"type": "sync"})
            viewer.send({"type": "ping", "version": 0})
            viewer.send({"type": "take_over"})
            answer = viewer.act({"draw": True}, version=2)
            viewer.send({"type": "ping", "version": 2})
            viewer.wait_for("pong")
            while [m["type"] for m in viewer.heard].count("pong") < 2:
                viewer.read()
        assert (answer["code"], answer["version"]) == ("not-seated", 0)
        assert {m["version"] for m in viewer.heard} == {0}
        views = [m["view"] for m in viewer.heard if m["type"] == "view"]
        assert {(view["match"]["phase"], view["top"]) for view in views} == {("waiting", None)}
        assert [m["events"] for m in viewer.heard if m["type"] == "view"] == [[]] * len(views)
