"""F10: an action for an outdated version of the match."""

import pytest

from tests.games.helpers import begin, list_log
from tests.games.windows import open_windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_stale_action_is_refused_and_the_new_view_is_sent(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        answer = second.act({"play": "R3"}, version=1)
        assert (answer["code"], answer["version"]) == ("stale", 2)
        assert second.wait_for_view(top="R1")["turn"] == 1


@pytest.mark.parametrize("version", [0, 1])
def test_stale_action_is_accepted_after_the_player_receives_the_new_view(
    live_site: LiveSite, version: int
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        second.send({"type": "action", "id": "a", "version": version, "action": {"play": "R3"}})
        assert second.read_answer("a")["code"] == "stale"
        second.catch_up(2)
        assert second.act({"play": "R3"}, id="a")["version"] == 3
    assert len(list_log(match)) == 2


def test_future_version_is_refused(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        answer = first.act({"play": "R1"}, version=2)
        assert (answer["code"], answer["version"]) == ("stale", 1)
    assert list_log(match) == []


def test_window_with_a_missed_view_receives_it_again(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.sockets.consumers.CATCH_UP_SECONDS", 0.0)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        second.catch_up(2)
        second.send({"type": "ping", "version": 1})
        assert second.wait_for("view")["version"] == 2


def test_requested_view_shows_the_current_version(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        second.catch_up(2)
        second.send({"type": "sync"})
        again = second.wait_for("view")
        assert (again["version"], again["view"]["top"]) == (2, "R1")
