"""F5: commands from viewers, who may only watch."""

from typing import Any

import pytest

from tests.factories import make_user
from tests.games.helpers import begin, list_log, reload
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_viewer_can_watch_but_not_act(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    for user in (None, make_user()):
        with open_window(live_site, match, user) as viewer:
            assert viewer.wait_for("view")["view"]["you"] is None
            assert viewer.act({"play": "R1"})["code"] == "not-seated"
            viewer.send({"type": "take_over"})
            assert viewer.read_answer(None)["code"] == "not-seated"
    assert list_log(match) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("action", {"version": 1, "action": {"draw": True}}),
        ("action", {"version": 1, "action": {"catch": 0}}),
        ("commit", {"hand": 1, "attempt": 1, "commitment": "00" * 32}),
        ("open", {"hand": 1, "attempt": 1, "list": "00" * 32, "share": "00" * 32}),
    ],
)
def test_viewer_messages_never_change_the_match(
    live_site: LiveSite, kind: str, fields: dict[str, Any]
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, make_user()) as viewer:
        viewer.wait_for("view")
        viewer.send({"type": kind, "id": "mine"} | fields)
        assert viewer.read_answer("mine")["code"] == "not-seated"
        viewer.send({"type": "sync"})
        assert viewer.wait_for("view")["version"] == 1
    assert (list_log(match), reload(match).version) == ([], 1)


def test_player_of_another_table_is_only_a_viewer(live_site: LiveSite) -> None:
    here, elsewhere = (begin(["R1 R2 R8", "R3 R4 R9"], "R5") for _ in range(2))
    with open_window(live_site, here, elsewhere.seats.get(number=0).user) as viewer:
        assert viewer.wait_for("view")["view"]["you"] is None
        assert viewer.act({"play": "R1"})["code"] == "not-seated"
    assert (list_log(here), list_log(elsewhere)) == ([], [])
