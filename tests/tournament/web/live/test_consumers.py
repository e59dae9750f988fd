"""Tests of the event socket, which sends the leaderboard after each hand."""

import asyncio
import json
import re
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.process import here
from tests.factories import UNREACHABLE_TARGET, make_event, make_registrations
from tests.live import LiveSite
from tests.protocol import validate
from tests.services import wait_for
from tests.tournament.staging import first_table, play, running_round
from tests.typed import sure
from tournament.models import Event
from tournament.registration.services import withdraw
from tournament.web.live import boards, consumers
from tournament.web.live.rows import BoardRow, ShownLeaderboard

pytestmark = pytest.mark.sql

TIMEOUT_SECONDS = 10
MATCH_COUNT = "1 match,"  # text in a player's row once a hand of the match has finished
COMMITTING = pytest.mark.django_db(transaction=True)


def open_socket(live_site: LiveSite, event: Event, query: str = "") -> ClientConnection:
    return connect(
        f"{live_site.ws_url}/ws/event/{event.slug}/{query}", origin=Origin(live_site.url)
    )


def receive_message(socket: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(socket.recv(timeout=TIMEOUT_SECONDS))
    validate("EventMessage", message)
    return message


def read_close_code(socket: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=TIMEOUT_SECONDS)
    return sure(closed.value.rcvd).code


def receive_message_with(socket: ClientConnection, text: str) -> dict[str, Any]:
    """Return the next message whose HTML contains the text."""
    while text not in (message := receive_message(socket))["html"]:
        pass
    return message


def get_watched_boards() -> dict[tuple[int, str], consumers.Board]:
    return here().part(consumers.WatchedBoards).seen


@COMMITTING
def test_visitor_gets_the_rows_immediately(live_site: LiveSite) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    with open_socket(live_site, event, "?rows") as socket:
        message = receive_message(socket)
    assert message["type"] == "leaderboard"
    assert registration.name in message["html"]
    assert message["html"] == boards.read_news(event).html


@COMMITTING
def test_finished_hand_is_pushed_to_viewers(live_site: LiveSite) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    with open_socket(live_site, played.stage.event, "?rows") as socket:
        assert MATCH_COUNT not in receive_message(socket)["html"]
        play(first_table(played), hands=1)
        assert receive_message_with(socket, MATCH_COUNT)["version"] > 1


@COMMITTING
def test_no_private_data_is_sent(live_site: LiveSite) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    event = played.stage.event
    with open_socket(live_site, event, "?rows") as rows, open_socket(live_site, event) as changes:
        text = json.dumps([receive_message(rows), receive_message(changes)])
    for registration in event.registrations.all():
        assert registration.user.email not in text
        assert registration.roll_number not in text


@COMMITTING
def test_other_pages_receive_only_a_change_notice(live_site: LiveSite) -> None:
    event = make_event()
    registration = make_registrations(event, 2)[0]
    with open_socket(live_site, event) as socket:
        first = receive_message(socket)
        assert sorted(first) == ["count", "shape", "type", "version"]
        assert first["shape"] == boards.hash_public_facts(event)
        withdraw(registration, registration.user)
        second = receive_message(socket)
    assert second["type"] == "changed"
    assert second["shape"] == boards.hash_public_facts(event) != first["shape"]


@COMMITTING
@pytest.mark.parametrize("slug", ["draft", "no-such-event"])
def test_socket_is_closed_for_draft_and_unknown_events(live_site: LiveSite, slug: str) -> None:
    event = make_event(slug="draft", state=Event.State.DRAFT)
    event.slug = slug
    with open_socket(live_site, event) as socket:
        assert read_close_code(socket) == 4404


@COMMITTING
def test_socket_answers_a_ping_and_resends_on_request(live_site: LiveSite) -> None:
    with open_socket(live_site, make_event(), "?rows") as socket:
        first = receive_message(socket)
        socket.send('{"type": "ping", "version": 1}')
        assert receive_message(socket)["type"] == "pong"
        socket.send('{"type": "sync"}')
        assert receive_message(socket) == first


@COMMITTING
@pytest.mark.parametrize(
    ("message", "code"),
    [
        ('{"type": "take_over"}', "not-seated"),
        ('{"type": "action", "id": "a", "version": 1, "action": {"draw": true}}', "not-seated"),
        ('{"type": "cheat"}', "malformed"),
        ("no json", "malformed"),
    ],
)
def test_socket_accepts_no_commands(live_site: LiveSite, message: str, code: str) -> None:
    with open_socket(live_site, make_event()) as socket:
        receive_message(socket)
        socket.send(message)
        answer = receive_message(socket)
    assert (answer["type"], answer["code"]) == ("refused", code)


@COMMITTING
def test_many_sockets_and_pokes_compute_few_leaderboards(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = make_event()
    made = []
    real = boards.load_event_news

    def fetch_and_record(pk: int) -> boards.News:
        made.append(time.monotonic())
        return real(pk)

    monkeypatch.setattr(boards, "load_event_news", fetch_and_record)
    with ExitStack() as stack:
        sockets = [stack.enter_context(open_socket(live_site, event)) for _ in range(10)]
        for socket in sockets:
            receive_message(socket)
        until_now = len(made)
        began = time.monotonic()
        while time.monotonic() < began + 1.2:
            here().hub.poke(event.topic)
            time.sleep(0.01)
        for socket in sockets:
            receive_message(socket)
    assert until_now <= 2
    assert 2 <= len(made) - until_now <= 4
    gaps = [later - sooner for sooner, later in pairwise(made[until_now:])]
    assert min(gaps) >= consumers.PAUSE_SECONDS - 0.05


@COMMITTING
def test_reconnecting_viewer_gets_the_missed_changes(live_site: LiveSite) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    event = played.stage.event
    with open_socket(live_site, event, "?rows") as socket:
        assert MATCH_COUNT not in receive_message(socket)["html"]
        [kept] = get_watched_boards().values()
    wait_for(lambda: not get_watched_boards(), "the board to go with its last socket")
    play(first_table(played), hands=1)
    with open_socket(live_site, event, "?rows") as socket:
        assert MATCH_COUNT in receive_message(socket)["html"]
    assert kept.sockets == set()


@COMMITTING
def test_up_to_date_viewer_receives_nothing_until_a_change(live_site: LiveSite) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    event = played.stage.event
    play(first_table(played), hands=1)
    with urlopen(f"{live_site.url}/e/{event.slug}/leaderboard/") as page:
        [shown] = re.findall(r'data-hash="(\w+)"', page.read().decode())
    with open_socket(live_site, event, f"?rows={shown}") as socket:
        socket.send('{"type": "ping", "version": 1}')
        assert receive_message(socket)["type"] == "pong"
        play(first_table(played), hands=1)
        message = receive_message(socket)
        assert (message["type"], message["base"]) == ("standings", shown)
        assert all(html.startswith(f'<tr id="r{key}"') for key, html in message["rows"].items())
        socket.send('{"type": "sync"}')
        whole = receive_message(socket)
    assert (whole["type"], whole["hash"]) == ("leaderboard", message["hash"])


@COMMITTING
@pytest.mark.parametrize("query", ["?rows=", "?rows=0123456789ab", "?rows"])
def test_viewer_with_an_unknown_version_gets_the_whole_board(
    live_site: LiveSite, query: str
) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    with open_socket(live_site, played.stage.event, query) as socket:
        first = receive_message(socket)
        play(first_table(played), hands=1)
        second = receive_message(socket)
    later = "leaderboard" if query == "?rows" else "standings"
    assert (first["type"], second["type"]) == ("leaderboard", later)


@COMMITTING
def test_remaining_viewer_gets_updates_after_another_leaves(live_site: LiveSite) -> None:
    played = running_round(options=UNREACHABLE_TARGET)
    event = played.stage.event
    with open_socket(live_site, event, "?rows") as staying:
        receive_message(staying)
        with open_socket(live_site, event, "?rows") as leaving:
            receive_message(leaving)
        wait_for(
            lambda: len(get_watched_boards()[event.pk, "en"].sockets) == 1, "the other to leave"
        )
        play(first_table(played), hands=1)
        receive_message_with(staying, MATCH_COUNT)


# Watched leaderboards, without sockets


@dataclass
class FakeNews:
    """Fake news whose leaderboard has a single row, with these `points`."""

    points: int
    html: str = "all of it " * 100
    shape: str = ""
    late: str = ""
    version: int = 0

    @property
    def shown(self) -> ShownLeaderboard:
        row = BoardRow(1, 1, (self.points,), f"<td>{self.points}</td>")
        return ShownLeaderboard("", (row,), "")


def poke_event() -> None:
    here().hub.deliver("event:1", None)


def get_points(news: Any) -> int:
    number: int = news.points
    return number


@pytest.fixture
def recorded_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Replace reads from the database with a stub, and return the list that records them."""
    readings: list[int] = []

    def make_news(pk: int) -> FakeNews:
        return FakeNews(len(readings), version=readings[-1])

    monkeypatch.setattr(boards, "load_event_news", make_news)

    async def run_in_database(function: Callable[..., Any], *args: Any) -> Any:
        readings.append(here().hub.version("event:1"))
        await asyncio.sleep(0.01)
        return function(*args)

    monkeypatch.setattr(consumers, "run_in_database_thread", run_in_database)
    monkeypatch.setattr(consumers, "PAUSE_SECONDS", 0.02)
    return readings


@pytest.mark.asyncio
async def test_concurrent_viewers_share_one_read(recorded_reads: list[int]) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    answers = await asyncio.gather(*(board.load_news() for _ in range(5)))
    assert [get_points(news) for news in answers] == [1] * 5
    assert (len(recorded_reads), board.version) == (1, 1)


@pytest.mark.asyncio
async def test_poke_during_a_read_triggers_another_read(recorded_reads: list[int]) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    first = asyncio.create_task(board.load_news())
    await asyncio.sleep(0.005)
    poke_event()
    assert get_points(await first) == 1
    assert get_points(await board.load_news()) == 2


@pytest.mark.asyncio
async def test_stale_news_is_read_again_without_a_poke(
    recorded_reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    await board.load_news()
    assert not board.needs_reload
    monkeypatch.setattr(consumers, "OLDEST_SECONDS", 0.0)
    assert board.needs_reload
    assert get_points(await board.load_news()) == 2


@pytest.mark.asyncio
async def test_viewer_who_missed_several_versions_gets_all_changes(
    recorded_reads: list[int],
) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    hashes = []
    for _ in range(consumers.KEPT_VERSIONS + 1):
        hashes.append((await board.load_news()).shown.hash)
        poke_event()
    latest = hashes[-1]
    found = json.loads(board.get_message(hashes[2]))
    assert (found["type"], found["base"], found["hash"]) == ("standings", hashes[2], latest)
    assert found["rows"] == {"1": f"<td>{len(hashes)}</td>"}
    assert json.loads(board.get_message(hashes[0]))["type"] == "leaderboard"
    assert board.get_message(hashes[2]) is board.get_message(hashes[2])


@pytest.mark.asyncio
async def test_unknown_versions_share_one_cached_whole_board(
    recorded_reads: list[int],
) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    await board.load_news()
    assert board.get_message("anything") is board.get_message("else") is board.get_message("")


@pytest.mark.asyncio
async def test_whole_board_is_sent_if_changes_would_be_longer(
    monkeypatch: pytest.MonkeyPatch, recorded_reads: list[int]
) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")
    before = (await board.load_news()).shown.hash
    poke_event()
    monkeypatch.setattr(boards, "load_event_news", lambda pk: FakeNews(2, html="short", version=1))
    await board.load_news()
    assert json.loads(board.get_message(before))["type"] == "leaderboard"


@pytest.mark.asyncio
async def test_failed_read_is_retried(
    recorded_reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = consumers.Board(here(), 1, "en", "event:1")

    def raise_outage(pk: int) -> FakeNews:
        raise OSError("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(boards, "load_event_news", raise_outage)
        with pytest.raises(OSError, match="away"):
            await board.load_news()
    assert get_points(await board.load_news()) == 2
