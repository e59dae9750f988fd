"""Tests of version 2 of the protocol, in which a window receives only changes."""

import pytest

from games.models import Match
from tests.games.helpers import begin
from tests.games.windows import Window, open_window
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True)]


def open_window_with_first_view(
    site: LiveSite, match: Match, seat: int | None, query: str = "?protocol=2"
) -> Window:
    user = None if seat is None else match.seats.get(number=seat).user
    window = open_window(site, match, user, query=query)
    assert window.wait_for("view")["version"] == 1
    return window


def list_message_kinds(window: Window) -> list[str]:
    return [one["type"] for one in window.heard if one["type"] in ("view", "changes")]


def test_window_gets_only_changes_after_the_first_view(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with (
        open_window_with_first_view(live_site, match, 0) as first,
        open_window_with_first_view(live_site, match, 1) as second,
        open_window_with_first_view(live_site, match, None) as viewer,
    ):
        first.act({"play": "R1"})
        for window in (first, second, viewer):
            assert window.wait_for_view(top="R1")["turn"] == 1
        message = next(
            one for one in second.heard if one["type"] == "changes" and one["version"] == 2
        )
        assert [event["event"] for event in message["events"]] == ["played"]
        assert (message["view"]["top"], message["seats"]["0"]) == ("R1", {"count": 2})
        assert "cards" not in viewer.heard[-1]["view"]
        second.act({"play": "R3"})
        for window in (first, viewer):
            assert window.wait_for_view(top="R3")["log"][-1]["text"].endswith("plays Red 3.")
        assert [*map(list_message_kinds, (first, second, viewer))] == [
            ["view", "changes", "changes"]
        ] * 3


def test_window_without_change_support_gets_full_views(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with (
        open_window_with_first_view(live_site, match, 0, "") as first,
        open_window_with_first_view(live_site, match, 1, "?follow&protocol=3") as second,
    ):
        first.act({"play": "R1"})
        second.wait_for_view(top="R1")
        assert {*list_message_kinds(first), *list_message_kinds(second)} == {"view"}
        reasons = [card["why"] for card in first.view["cards"]]
        assert reasons == ["It’s not your turn."] * 2


def test_sync_outdated_ping_and_new_socket_get_the_full_view(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.sockets.consumers.CATCH_UP_SECONDS", 0.0)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with (
        open_window_with_first_view(live_site, match, 0) as first,
        open_window_with_first_view(live_site, match, 1) as second,
    ):
        first.act({"play": "R1"})
        second.wait_for_view(top="R1")
        second.send({"type": "sync"})
        assert second.wait_for("view")["version"] == 2
        second.send({"type": "ping", "version": 1})
        assert second.wait_for("view")["version"] == 2
        with open_window(
            live_site, match, match.seats.get(number=1).user, query="?protocol=2"
        ) as fresh:
            assert fresh.wait_for("view")["version"] == 2
        second.act({"play": "R3"})
        assert second.wait_for_view(top="R3")["turn"] == 0
        assert list_message_kinds(second)[-1] == "changes"


def test_following_window_gets_changes_without_taking_control(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with (
        open_window_with_first_view(live_site, match, 0) as first,
        open_window_with_first_view(live_site, match, 0, "?protocol=2&follow") as other,
    ):
        assert (first.view["controls"], other.view["controls"]) == (True, False)
        first.act({"play": "R1"})
        other.wait_for_view(top="R1")
        assert list_message_kinds(other)[-1] == "changes"
