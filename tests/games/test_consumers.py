"""The socket of a table, as browsers meet it: real server, real sockets."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from games import services
from games.models import Seat
from tests.factories import make_user
from tests.games.helpers import begin, log, make_match
from tests.games.windows import headers_of, open_window, wait_until, windows
from tests.live import LiveSite
from tests.typed import sure
from tournament.models import User

pytestmark = pytest.mark.django_db(transaction=True)


# Playing


def test_an_action_is_acknowledged_and_everybody_sees_it(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second), open_window(live_site, match) as viewer:
        viewer.wait_for("view")
        ack = first.act({"play": "R1"})
        assert (ack["type"], ack["version"]) == ("ack", 2)
        for window in (first, second, viewer):
            assert window.wait_until(top="R1")["turn"] == 1
        played = next(m for m in second.heard if m["type"] == "view" and m["version"] == 2)
        assert [event["event"] for event in played["events"]] == ["played"]
        assert second.view["log"][-1]["text"].endswith("plays Red 1.")
    assert log(match) == [(0, {"play": "R1"}, "")]


def test_the_acknowledgement_comes_before_the_view(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a page could show what may be played next while it still waits for the answer."""
    act = services.act

    def act_and_linger(*args: Any, **kwargs: Any) -> services.Ack:
        ack = act(*args, **kwargs)
        time.sleep(0.3)
        return ack

    monkeypatch.setattr(services, "act", act_and_linger)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        first.act({"play": "R1"})
        first.wait_until(top="R1")
        answers = [m["type"] for m in first.heard if m.get("version") == 2 and m["type"] != "pong"]
        assert answers == ["ack", "view"]


def test_a_refused_action_is_answered_to_its_sender_alone(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        answer = second.act({"play": "R3"})
        assert answer == {
            "type": "refused",
            "id": answer["id"],
            "code": "not-your-turn",
            "message": "It is not your turn.",
            "version": 1,
        }
        first.send({"type": "ping", "version": 1})
        assert first.wait_for("pong")["version"] == 1
        assert [message["type"] for message in first.heard].count("refused") == 0


def test_the_same_id_again_gets_the_same_answer(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        one = first.act({"play": "R1"}, id="same", version=1)
        two = first.act({"play": "R1"}, id="same", version=1)
        other = first.act({"play": "R2"}, id="same", version=1)
        assert one == two == {"type": "ack", "id": "same", "version": 2}
        assert other["code"] == "id-reused"
    assert len(log(match)) == 1


def test_a_stale_action_is_refused_and_the_new_view_is_there(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        answer = second.act({"play": "R3"}, version=1)
        assert (answer["code"], answer["version"]) == ("stale", 2)
        assert second.wait_until(top="R1")["turn"] == 1


def test_sync_and_a_new_socket_show_the_same_table(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        second.wait_until(top="R1")
        second.send({"type": "sync"})
        again = second.wait_for("view")
        assert (again["version"], again["events"]) == (2, [])
        with open_window(live_site, match, match.seats.get(number=1).user) as fresh:
            loaded = fresh.wait_for("view")
        for shown in (loaded["view"], again["view"]):
            shown.pop("clock")
            shown.pop("seats")
        assert loaded["view"] == again["view"]


def test_a_pong_tells_version_and_the_servers_time(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        first.send({"type": "ping", "version": 1})
        pong = first.wait_for("pong")
        assert pong["version"] == 1
        assert abs(pong["now"] - time.time() * 1000) < 5000


def test_time_runs_out_on_the_server(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2", turn_seconds=1)
    with windows(live_site, match) as (first, _):
        assert first.wait_until(turn=1, seconds=5)["log"][-1]["auto"] == "timeout"


@pytest.mark.slow
def test_bots_play_and_the_next_hand_is_dealt_by_itself(live_site: LiveSite) -> None:
    match = services.start_match(
        make_match(people=0, bots=3, bot_seconds=0, between_seconds=1, hand_limit=2)
    )
    with open_window(live_site, match) as viewer:
        wait_until(lambda: viewer.wait_for("view")["view"]["match"]["phase"] == "over", 60)
        assert len(viewer.view["sheet"]["hands"]) == 2


def test_a_pause_reaches_everybody_and_stops_play(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        services.pause_match(match)
        wait_until(lambda: first.wait_for("view")["view"]["match"]["paused"])
        wait_until(lambda: second.wait_for("view")["view"]["match"]["paused"])
        assert first.act({"play": "R1"})["code"] == "paused"
        services.resume_match(match)
        wait_until(lambda: not first.wait_for("view")["view"]["match"]["paused"])
        assert first.act({"play": "R1"})["type"] == "ack"


def test_the_catch_appears_when_the_respectful_pause_is_over(live_site: LiveSite) -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    with windows(live_site, match) as (first, _, third):
        first.act({"play": "4H"})
        start = time.monotonic()
        third.wait_until(top="4H")
        assert third.view["may"]["catch"] == []
        assert third.act({"catch": 0})["code"] == "too-early"
        wait_until(lambda: third.wait_for("view")["view"]["may"]["catch"] == [0])
        assert 1.2 < time.monotonic() - start < 4
        assert third.act({"catch": 0})["type"] == "ack"


# Who may


def test_a_viewer_watches_and_cannot_act(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    for user in (None, make_user()):
        with open_window(live_site, match, user) as viewer:
            assert viewer.wait_for("view")["view"]["you"] is None
            assert viewer.act({"play": "R1"})["code"] == "not-seated"
            viewer.send({"type": "take_over"})
            assert viewer.answer(None)["code"] == "not-seated"
    assert log(match) == []


def test_unknown_matches_and_somebody_elses_practice_look_the_same(live_site: LiveSite) -> None:
    practice = services.start_practice(make_user(), "uno-400", 2)
    for match in ("no-such-match-at-all", practice):
        for user in (None, make_user()):
            with open_window(live_site, match, user) as window:
                assert window.closed() == 4404
                assert window.heard == []


@pytest.mark.parametrize("cookie", ["sessionid=forged", "sessionid="])
def test_a_forged_session_is_signed_out_and_an_empty_one_is_a_visitor(
    live_site: LiveSite, cookie: str
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    headers = {"Cookie": cookie}
    with open_window(live_site, match, additional_headers=headers) as window:
        if cookie.endswith("forged"):
            assert window.closed() == 4401
            assert window.heard == []
        else:
            assert window.wait_for("view")["view"]["you"] is None


@pytest.mark.parametrize(
    "end",
    [
        lambda user: Session.objects.all().delete(),
        lambda user: type(user).objects.filter(pk=user.pk).update(is_active=False),
        lambda user: type(user).objects.filter(pk=user.pk).update(password="another"),
        lambda user: Seat.objects.filter(user=user).update(user=make_user()),
    ],
    ids=["signed out", "locked", "new password", "seat given away"],
)
def test_a_sign_in_that_ends_closes_the_socket_and_refuses_at_once(
    live_site: LiveSite, end: Callable[[User], object]
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as acting, open_window(live_site, match, user) as idle:
        acting.wait_for("view")
        idle.wait_for("view")
        end(sure(user))
        acting.send({"type": "action", "id": "x", "version": 1, "action": {"play": "R1"}})
        start = time.monotonic()
        assert acting.closed() == 4401
        assert idle.closed() == 4401
        assert time.monotonic() - start < 5
        assert [m for m in acting.heard if m["type"] == "ack"] == []
    assert log(match) == []


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
        "http://localhost:{port}",
    ],
)
def test_only_our_own_pages_may_open_sockets(live_site: LiveSite, origin: str | None) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    origin = origin and origin.format(port=live_site.port)
    with pytest.raises(InvalidStatus) as info:
        open_window(live_site, match, match.seats.get(number=0).user, origin=origin)
    assert info.value.response.status_code == 403


def test_trusted_origins_may_open_sockets(live_site: LiveSite, settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://cards.example.edu"]
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, origin="https://cards.example.edu") as window:
        window.wait_for("view")


def test_an_address_without_a_socket_is_refused(live_site: LiveSite) -> None:
    with pytest.raises(InvalidStatus):
        open_window(live_site, "x/y/z", None)


# Limits


def test_binary_is_refused(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send(b"\x00\x01")
        assert window.closed() == 1003


@pytest.mark.parametrize(("size", "code"), [(8192, None), (8193, 1009), (200_000, 1009)])
def test_a_message_over_8_kib_is_refused(live_site: LiveSite, size: int, code: int | None) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send('{"type":"sync"}'.ljust(size))
        if code is None:
            window.wait_for("view")
        else:
            assert window.closed() == code


def test_more_than_100_messages_in_20_seconds_are_too_many(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        for _ in range(100):
            window.send({"type": "ping", "version": 1})
        for _ in range(100):
            window.wait_for("pong")
        window.send({"type": "ping", "version": 1})
        assert window.closed() == 1008


def test_one_account_has_20_windows_at_most(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    user = match.seats.get(number=0).user
    headers = headers_of(user)
    opened = []
    try:
        for _ in range(20):
            opened.append(open_window(live_site, match, additional_headers=headers))
            opened[-1].wait_for("view")
        with open_window(live_site, match, additional_headers=headers) as one_more:
            assert one_more.closed() == 1008
        opened.pop().close()
        time.sleep(0.3)
        with open_window(live_site, match, additional_headers=headers) as again:
            again.wait_for("view")
    finally:
        for window in opened:
            window.close()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"type":"sync","type":"sync"}', '{"type":"\\ud800"}', "[" * 5000],
)
def test_malformed_messages_are_refused_and_the_socket_lives(
    live_site: LiveSite, text: str
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        first.send(text)
        refused = first.wait_for("refused")
        assert (refused["code"], refused["id"]) == ("malformed", None)
        assert first.act({"play": "R1"})["type"] == "ack"
