"""Tests of a client that plays over a socket: its moves, and its handling of answers."""

from collections import Counter
from random import Random
from typing import Any, cast

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.frames import Close

from games.client.player import ClientPlayer, Stats, Visitor

PLAY, PLAY_WITH_CALL = {"play": "R5"}, {"play": "R5", "uno": True}
DRAW, CALL, CATCH = {"draw": True}, {"call": True}, {"catch": 2}


def make_player(stats: Stats | None = None) -> ClientPlayer:
    return ClientPlayer("https://site.example/", "abc", "a=b", stats or Stats(), rng=Random(1))


def make_view(you: int | None, turn: int | None, *actions: Any, phase: str = "playing") -> Any:
    return {"you": you, "turn": turn, "actions": list(actions), "match": {"phase": phase}}


@pytest.mark.parametrize(
    ("view", "choices"),
    [
        (None, [None]),
        (make_view(0, 0), [None]),
        (make_view(0, 0, DRAW), [DRAW]),
        (make_view(0, 0, DRAW, PLAY), [PLAY]),
        (make_view(0, 0, DRAW, PLAY, PLAY_WITH_CALL), [PLAY_WITH_CALL]),
        (make_view(0, 0, DRAW, CATCH), [DRAW, CATCH]),
        (make_view(0, 1, DRAW, PLAY), [None]),
        (make_view(0, 1, CATCH, CALL), [CATCH, CALL]),
        (make_view(0, 1, PLAY, CALL), [CALL]),
        (make_view(0, None, CALL), [CALL]),
    ],
)
def test_player_plays_in_turn_and_only_calls_or_catches_out_of_turn(
    view: Any, choices: list[Any]
) -> None:
    player = make_player()
    player.view = view
    found = [player._choose_move() for _ in range(40)]
    assert [choice for choice in choices if choice in found] == choices
    assert all(choice in choices for choice in found)


def mark_sent(player: ClientPlayer, client_id: str = "x") -> None:
    """Mark an action as sent but not yet answered."""
    message = {"type": "action", "id": client_id, "version": 1, "action": DRAW}
    player._pending = (cast(Any, message), 0.0, 0.0)


def make_answer(kind: str, client_id: str = "x", **fields: str) -> Any:
    return {"type": kind, "id": client_id, **fields}


@pytest.mark.parametrize(
    ("code", "refused", "errors"),
    [
        ("stale", {"stale": 1}, {}),
        ("call-first", {"call-first": 1}, {}),
        ("nothing-to-catch", {"nothing-to-catch": 1}, {}),
        ("not-your-turn", {}, {"refused not-your-turn: No.": 1}),
    ],
)
def test_harmless_refusal_is_not_an_error(
    code: str, refused: dict[str, int], errors: dict[str, int]
) -> None:
    stats = Stats()
    player = make_player(stats)
    mark_sent(player)
    player._handle_answer(make_answer("refused", code=code, message="No."))
    assert (stats.refused, stats.errors) == (Counter(refused), Counter(errors))
    assert (stats.latencies, player._pending) == ([], None)


def test_answer_to_a_pending_action_is_measured_once() -> None:
    stats = Stats()
    player = make_player(stats)
    player._handle_answer(make_answer("ack"))
    mark_sent(player)
    player._handle_answer(make_answer("ack", "y"))
    assert stats.latencies == []
    player._handle_answer(make_answer("ack"))
    player._handle_answer(make_answer("ack"))
    assert len(stats.latencies) == 1


@pytest.mark.parametrize(
    ("code", "given_up"),
    [(4401, True), (4404, True), (1003, True), (1008, True), (1009, True), (1012, False)],
)
def test_permanently_disconnected_client_does_not_reconnect(code: int, given_up: bool) -> None:
    stats = Stats()
    error = ConnectionClosedError(Close(code, ""), None)
    assert make_player(stats)._is_permanently_closed(error) is given_up
    assert stats.errors == Counter({f"closed {code}": 1} if given_up else {})


@pytest.mark.parametrize(
    "error", [OSError("away"), TimeoutError(), ConnectionClosedError(None, None)]
)
def test_broken_connection_is_retried(error: Exception) -> None:
    assert not make_player()._is_permanently_closed(error)


@pytest.mark.parametrize(
    ("phase", "over"), [("playing", False), ("between", False), ("waiting", False), ("over", True)]
)
def test_player_stops_when_the_match_is_over(phase: str, over: bool) -> None:
    player = make_player()
    assert not player.over
    player.view = make_view(0, None, phase=phase)
    assert player.over is over


@pytest.mark.parametrize(
    ("latencies", "share", "expected"),
    [
        ([], 0.5, 0.0),
        ([0.25], 0.0, 250.0),
        ([0.25], 1.0, 250.0),
        ([0.5, 0.1, 0.2, 0.4], 0.5, 400.0),
        ([0.5, 0.1, 0.2, 0.4], 0.25, 200.0),
        ([0.5, 0.1, 0.2, 0.4], 0.99, 500.0),
    ],
)
def test_percentile_is_in_milliseconds(
    latencies: list[float], share: float, expected: float
) -> None:
    assert Stats(latencies).percentile(share) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("url", "origin", "address"),
    [
        (
            "http://site.example",
            "http://site.example",
            "ws://site.example/ws/match/abc/?protocol=2",
        ),
        (
            "https://site.example/",
            "https://site.example",
            "wss://site.example/ws/match/abc/?protocol=2",
        ),
    ],
)
def test_socket_address_follows_the_site_url(url: str, origin: str, address: str) -> None:
    player = ClientPlayer(url, "abc", "a=b", Stats())
    assert (player.origin, player.address) == (origin, address)
    assert player.headers == {"Cookie": "a=b"}


@pytest.mark.parametrize("url", ["site.example", "ftp://site.example", "file:///etc/passwd", ""])
def test_visitor_rejects_urls_without_http_or_https(url: str) -> None:
    with pytest.raises(ValueError, match="begins with http:// or https://"):
        Visitor(url)


def test_visitor_has_no_cookies_before_the_first_page() -> None:
    visitor = Visitor("https://site.example/")
    assert (visitor.url, visitor.cookies) == ("https://site.example", "")
