"""Tests of polling clients with a real server."""

import json
import time
from typing import Any
from urllib.request import Request, urlopen

import pytest
from django.contrib.sessions.models import Session

from games.models import Match, Seat
from games.process import here
from games.process.figures import ProcessFigures
from games.sockets.entrance import connection_slots
from games.sockets.polling import polled_connection
from games.sockets.polling.endpoint import ADVICE_PATH, BLOCKED, SLOW
from tests.games.helpers import begin, list_log
from tests.games.polled import open_polling_window, post_content
from tests.games.windows import (
    list_table_sockets,
    make_headers,
    open_window,
    wait_for_condition,
)
from tests.live import LiveSite
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def get_polling_address(match: Match) -> str:
    return f"/ws/match/{match.public_id}/"


def test_polling_and_websocket_clients_play_at_one_table(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = [sure(seat.user) for seat in match.seats.order_by("number")]
    with (
        open_polling_window(live_site, match, first, "?protocol=2") as polled,
        open_window(live_site, match, second) as window,
    ):
        polled.wait_for("view")
        assert polled.act({"play": "R1"})["type"] == "ack"
        assert window.wait_for_view(top="R1")["turn"] == 1
        assert window.act({"play": "R3"})["type"] == "ack"
        assert polled.wait_for_view(top="R3")["turn"] == 0
        assert [m["type"] for m in polled.heard].count("view") == 1
    assert list_log(match) == [(0, {"play": "R1"}, ""), (1, {"play": "R3"}, "")]


def test_polling_player_is_present_and_in_control(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    seat = match.seats.get(number=0)
    with open_polling_window(live_site, match, seat.user) as polled:
        view = polled.wait_for_view()
        assert (view["controls"], view["seats"][0]["present"]) == (True, True)
        polled.send({"type": "ping", "version": polled.version})
        polled.wait_for("pong")
        assert here().part(ProcessFigures).polled._value.get() == 1
        assert Seat.objects.get(pk=seat.pk).controller[6] == "~"


def test_probe_over_polling_measures_the_round_trip(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_polling_window(live_site, match, match.seats.get(number=0).user) as polled:
        probe = polled.wait_for("probe")
        polled.send({"type": "echo", "n": probe["n"]})
        (window,) = list_table_sockets()
        wait_for_condition(
            lambda: window.line.smallest_round_trips(time.monotonic())[0] is not None
        )


def test_client_that_stops_polling_is_disconnected(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(polled_connection, "ABANDONED_SECONDS", 0.5)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_polling_window(live_site, match) as polled:
        polled.wait_for("view")
        polled.close()
        wait_for_condition(lambda: not list_table_sockets())
    assert here().part(ProcessFigures).polled._value.get() == 0


def test_end_of_the_session_closes_a_polled_socket(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_polling_window(live_site, match, match.seats.get(number=0).user) as polled:
        polled.wait_for("view")
        Session.objects.all().delete()
        assert polled.read_close_code() == 4401


def test_unknown_match_has_the_same_close_code_as_on_a_websocket(live_site: LiveSite) -> None:
    match = Match(public_id="missing")
    with open_polling_window(live_site, match) as polled:
        assert polled.read_close_code() == 4404


def test_messages_have_the_same_limits_as_on_a_websocket(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_polling_window(live_site, match, user) as polled:
        polled.wait_for("view")
        polled.send("x" * 8_193)
        assert polled.read_close_code() == 1009
    with open_polling_window(live_site, match, user) as polled:
        polled.wait_for("view")
        polled.send({"type": "dance"})
        assert polled.wait_for("refused")["code"] == "malformed"
        for _ in range(105):
            polled.send({"type": "sync"})
        assert polled.read_close_code() == 1008


def test_polling_windows_count_for_the_limit_of_an_account(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_slots, "MAX_SLOTS", 1)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user), open_polling_window(live_site, match, user) as polled:
        assert polled.read_close_code() == 1008


@pytest.mark.parametrize("origin", [{}, {"Origin": "https://other.example"}])
def test_only_pages_of_the_site_may_poll(live_site: LiveSite, origin: dict[str, str]) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    assert post_content(live_site, get_polling_address(match), {"id": ""}, origin) == (403, {})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        {},
        {"id": 3},
        {"id": "", "got": -1},
        {"id": "", "wait": 26},
        {"id": "", "messages": [1]},
        {"id": "", "wait": "NaN"},
    ],
)
def test_malformed_request_is_refused(live_site: LiveSite, content: Any) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    assert post_content(
        live_site, get_polling_address(match), content, {"Origin": live_site.url}
    ) == (400, {})


def test_long_request_is_refused(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    body = json.dumps({"id": "", "messages": ["x" * 70_000]}).encode()
    assert (
        post_content(live_site, get_polling_address(match), body, {"Origin": live_site.url})[0]
        == 413
    )


def test_unknown_address_is_refused(live_site: LiveSite) -> None:
    assert post_content(live_site, "/ws/nowhere/", {"id": ""}, {"Origin": live_site.url}) == (
        403,
        {},
    )


def test_only_the_session_that_opened_a_connection_may_use_it(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = [seat.user for seat in match.seats.order_by("number")]
    own, other = ({"Origin": live_site.url, **make_headers(user)} for user in (first, second))
    _, opened = post_content(live_site, get_polling_address(match), {"id": ""}, own)
    request = {"id": opened["id"], "wait": 0}
    assert (
        post_content(live_site, get_polling_address(match), request, own)[1]["messages"]
        == opened["messages"]
    )
    content = {
        "id": opened["id"],
        "from": 0,
        "messages": [],
        "closed": {"code": 1012, "reason": ""},
    }
    assert post_content(live_site, get_polling_address(match), request, other) == (200, content)
    assert post_content(
        live_site, get_polling_address(match), request, {"Origin": live_site.url}
    ) == (200, content)


def test_repeated_request_is_carried_out_once(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    headers = {"Origin": live_site.url, **make_headers(match.seats.get(number=0).user)}
    _, opened = post_content(live_site, get_polling_address(match), {"id": ""}, headers)
    connection, got = opened["id"], len(opened["messages"])
    ping = json.dumps({"type": "ping", "version": 1})
    sent = {"id": connection, "got": got, "sent": 0, "messages": [ping]}
    for _ in range(2):
        post_content(live_site, get_polling_address(match), sent, headers)
    again = {"id": connection, "got": got, "wait": 0.5}
    first = post_content(live_site, get_polling_address(match), again, headers)[1]["messages"]
    assert [message["type"] for message in first].count("pong") == 1
    assert (
        post_content(live_site, get_polling_address(match), again, headers)[1]["messages"][
            : len(first)
        ]
        == first
    )


def test_responses_are_not_cached(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    request = Request(
        live_site.url + get_polling_address(match), b'{"id": ""}', {"Origin": live_site.url}
    )
    with urlopen(request) as response:
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_advice_has_both_sentences_and_is_counted(live_site: LiveSite, method: str) -> None:
    before = here().part(ProcessFigures).blocked._value.get()
    request = Request(live_site.url + ADVICE_PATH, method=method)
    with urlopen(request) as response:
        assert json.load(response) == {"blocked": str(BLOCKED), "slow": str(SLOW)}
    assert here().part(ProcessFigures).blocked._value.get() == before + 1
