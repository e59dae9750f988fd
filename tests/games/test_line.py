"""The server's side of a line: frames as they may come, cut anywhere, over a real socket."""

import base64
import gc
import json
import socket
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import translation
from django.utils.translation import gettext
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State
from websockets.streams import StreamReader

from games.live import arrival
from games.live.line import LineProtocol, NoLine, line_of
from games.live.messages import MAX_BYTES
from games.live.sockets import MAX_MESSAGES, PER_SECONDS
from games.models import Match
from tests.games.helpers import begin
from tests.games.windows import SECONDS, open_window, table_sockets, wait_until
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)

PING = b'{"type":"ping","version":0}'


class Raw:
    """A handshaken connection that is written to byte by byte."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._reader = connection, StreamReader()

    def send(self, data: bytes, pieces: int = 0) -> None:
        for at in range(0, len(data), pieces or len(data)):
            self._connection.sendall(data[at : at + (pieces or len(data))])

    def frame(self) -> Frame:
        parsing = Frame.parse(self._reader.read_exact, mask=False)
        try:
            while True:
                next(parsing)
                self._reader.feed_data(self._connection.recv(65_536))
        except StopIteration as parsed:
            found: Frame = parsed.value
            return found

    def text(self, kind: str) -> dict[str, object]:
        """The next message of this type."""
        while True:
            frame = self.frame()
            assert frame.opcode is Opcode.TEXT, frame
            message: dict[str, object] = json.loads(bytes(frame.data))
            if message["type"] == kind:
                return message

    def closed(self) -> int:
        return self.closing().code

    def closing(self) -> Close:
        """What the server says when it closes."""
        while (frame := self.frame()).opcode is not Opcode.CLOSE:
            pass
        return Close.parse(frame.data)


def handshake(site: LiveSite, match: Match, *headers: str) -> bytes:
    """What a visitor's browser asks for at a table."""
    where, key = urlsplit(site.url), base64.b64encode(bytes(16)).decode()
    head = (
        f"GET /ws/match/{match.public_id}/ HTTP/1.1\r\nHost: {where.netloc}\r\n"
        f"Origin: {site.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    )
    return "".join([head, *(f"{one}\r\n" for one in headers), "\r\n"]).encode()


@contextmanager
def connected(site: LiveSite, *headers: str) -> Iterator[Raw]:
    """A visitor's socket at a table, with its first view."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with socket.create_connection(("127.0.0.1", site.port), timeout=SECONDS) as connection:
        connection.sendall(handshake(site, match, *headers))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += connection.recv(1)
        raw = Raw(connection)
        raw.text("view")
        yield raw


def frame(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


@pytest.mark.parametrize("pieces", [0, 1, 2, 5, 7])
def test_a_message_may_come_in_pieces(live_site: LiveSite, pieces: int) -> None:
    with connected(live_site) as raw:
        raw.send(frame(PING) * 3 + frame(b'{"type":"sync"}') + frame(PING), pieces)
        for _ in range(3):
            raw.text("pong")
        assert {raw.text("pong")["version"], raw.text("view")["version"]} == {1}


def test_a_message_may_come_in_several_frames(live_site: LiveSite) -> None:
    with connected(live_site) as raw:
        raw.send(frame(PING[:9], fin=False) + frame(b"x", Opcode.PING))
        assert raw.frame().opcode is Opcode.PONG
        raw.send(frame(PING[9:], Opcode.CONT) + frame(PING))
        assert [raw.text("pong")["version"] for _ in range(2)] == [1, 1]


def test_who_goes_while_the_session_is_looked_up_is_no_error(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, may_go, answered = (threading.Event() for _ in range(3))

    def slow(key: str) -> None:
        asked.set()
        may_go.wait(SECONDS)
        answered.set()

    monkeypatch.setattr(arrival, "identify", slow)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    connections = live_site.server.server_state.connections
    with socket.create_connection(("127.0.0.1", live_site.port), timeout=SECONDS) as connection:
        connection.sendall(handshake(live_site, match))
        assert asked.wait(SECONDS)
    wait_until(lambda: not connections)
    may_go.set()
    wait_until(lambda: answered.is_set() and not live_site.server.server_state.tasks)
    assert caplog.messages == []


def test_an_open_line_has_nothing_of_its_handshake_and_no_library_until_it_is_needed(
    live_site: LiveSite,
) -> None:
    with connected(live_site) as raw:
        (server,) = table_sockets()
        line: Any = server.wire
        del server
        raw.send(frame(PING) + frame(b'{"type":"sync"}'))
        raw.text("view")
        assert {"scope", "request", "response"}.isdisjoint(vars(line))
        assert vars(line)["_library"] is None
        raw.send(frame(PING[:9], fin=False) + frame(PING[9:], Opcode.CONT))
        raw.text("pong")
        assert line._library.state is State.OPEN


@pytest.mark.parametrize("size", [125, 126, MAX_BYTES - 1, MAX_BYTES])
def test_a_text_may_have_any_length_up_to_the_greatest(live_site: LiveSite, size: int) -> None:
    with connected(live_site) as raw:
        raw.send(frame(PING.ljust(size)) + frame(b'{"type":"sync"}'.ljust(size)), pieces=50)
        assert [raw.text("pong")["version"], raw.text("view")["version"]] == [1, 1]


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (Frame(Opcode.TEXT, PING).serialize(mask=False), 1002),
        (frame(PING[:9], fin=False) + frame(PING), 1002),
        (b"\x83\x80\0\0\0\0", 1002),
        (frame(b"\xff\xfe"), 1007),
        (frame(b" " * (MAX_BYTES + 1)), 1009),
        (b"\x81\xff" + (2**40).to_bytes(8, "big") + b"\0\0\0\0", 1009),
        (frame(PING, Opcode.BINARY), 1003),
    ],
    ids=["unmasked", "in a fragment", "reserved", "no UTF-8", "too long", "far too long", "binary"],
)
def test_what_no_browser_sends_ends_the_connection(
    live_site: LiveSite, sent: bytes, code: int
) -> None:
    with connected(live_site) as raw:
        raw.send(frame(PING) + sent)
        assert raw.closed() == code


def test_who_sends_too_much_is_told_so_in_their_language(live_site: LiveSite) -> None:
    with connected(live_site, "Accept-Language: hi") as raw:
        raw.send(frame(PING) * (MAX_MESSAGES + 1))
        with translation.override("hi"):
            told = gettext("At most {count} messages in {seconds:g} seconds.")
        wanted = told.format(count=MAX_MESSAGES, seconds=PER_SECONDS)
        assert raw.closing() == Close(1008, wanted)


def test_a_server_that_ends_says_so_before_it_closes(live_site: LiveSite) -> None:
    with connected(live_site) as raw:
        live_site.server.should_exit = True
        assert raw.text("notice")["code"] == "restarting"
        assert raw.closed() == 1012
    live_site.stop()
    live_site.start()


def all_gone(left: list[weakref.ref[Any]]) -> bool:
    return all(one() is None for one in left)


def test_nothing_of_a_closed_socket_is_left_for_the_collector(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    player = match.seats.get(number=0).user
    gc.disable()
    try:
        for user in (player, None):
            with open_window(live_site, match, user) as window:
                window.wait_for("view")
                (server,) = table_sockets()
                left: list[weakref.ref[Any]] = [
                    weakref.ref(one) for one in (server, server.wire, server.table)
                ]
                del server
            wait_until(partial(all_gone, left))
    finally:
        gc.enable()


class Clock:
    """A loop of which only the time matters."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Any]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Any) -> Any:
        timer = (self.now + seconds, call)
        self.timers.append(timer)
        return SimpleNamespace(cancel=lambda: self.timers.remove(timer))

    def pass_to(self, now: float) -> None:
        for at, call in sorted(self.timers, key=lambda timer: timer[0]):
            if at <= now:
                self.now = at
                self.timers.remove((at, call))
                call()
        self.now = now


class Opened:
    """A line that is open, with what it has sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closing = self.aborted = False
        config = Config("", interface="asgi3", ws_ping_interval=11.0, ws_ping_timeout=8.0)
        config.loaded = True
        config.loaded_app = NoLine  # never called
        self.clock = Clock()
        self.line = LineProtocol(config, ServerState(), {}, self.clock)
        self.line.connections.add(self.line)
        self.line.transport = self  # type: ignore[assignment]
        self.line.handshake_complete, self.line._cuts = True, True
        self.line._library = None
        self.line.start_keepalive()

    # As its transport: what it writes is never taken.

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True

    # For tests

    def pings(self) -> int:
        """How many were sent since this was asked."""
        sent, self.sent[:] = b"".join(self.sent), []
        return sent.count(b"\x89\x04")

    def pong(self) -> None:
        payload = self.line.pending_ping_payload
        assert payload is not None
        self.line.data_received(frame(payload, Opcode.PONG))


def test_a_ping_that_is_due_goes_with_the_next_message_and_is_measured() -> None:
    opened, trips = Opened(), list[float]()
    opened.line.measure(trips.append)
    assert opened.pings() == 1
    opened.clock.pass_to(100.25)
    opened.pong()
    for now, pings in ((103.9, 0), (104.1, 1), (104.2, 0)):
        opened.clock.pass_to(now)
        opened.line.put(b"{}")
        assert opened.pings() == pings
    opened.clock.pass_to(104.5)
    opened.pong()
    assert trips == [pytest.approx(0.25), pytest.approx(0.4)]


def test_where_nothing_is_sent_a_measured_line_is_pinged_all_the_same() -> None:
    opened = Opened()
    opened.line.measure(lambda seconds: None)
    opened.pong()
    assert opened.pings() == 1
    opened.clock.pass_to(105.0)
    assert opened.pings() == 1


def test_who_was_heard_is_not_pinged_until_they_are_silent() -> None:
    opened = Opened()
    for now in (110.0, 120.0):
        opened.clock.pass_to(now)
        opened.line.data_received(frame(b"", Opcode.PONG))
        assert opened.pings() == 0
    opened.clock.pass_to(130.9)
    assert opened.pings() == 0
    opened.clock.pass_to(131.0)
    assert opened.pings() == 1
    opened.clock.pass_to(139.0)
    assert opened.line.close_sent


def test_who_does_not_read_is_owed_the_last_pong_alone() -> None:
    opened = Opened()
    opened.line.pause_writing()
    for number in range(1000):
        opened.line.data_received(frame(b"%d" % number, Opcode.PING))
    assert opened.sent == []
    opened.line.resume_writing()
    opened.line.data_received(frame(b"again", Opcode.PING))
    assert opened.sent == [b"\x8a\x03999", b"\x8a\x05again"]


def test_a_server_that_ends_cuts_off_who_has_closed_and_does_not_take_the_rest() -> None:
    opened = Opened()
    opened.line.data_received(frame(b"\x03\xe8", Opcode.CLOSE))
    assert (opened.closing, opened.aborted) == (True, False)
    opened.line.shutdown()
    assert opened.aborted


def over() -> Any:
    """The task of a socket that has ended."""
    return object()


def test_who_does_not_take_the_rest_of_a_closed_connection_is_cut_off_after_a_while() -> None:
    opened = Opened()
    opened.line.on_task_complete(over())
    opened.clock.pass_to(109.0)
    assert not opened.aborted
    opened.clock.pass_to(110.0)
    assert opened.aborted


def test_who_is_silent_and_takes_nothing_is_cut_off_after_a_while() -> None:
    opened = Opened()
    for now in (111.0, 119.0):
        opened.clock.pass_to(now)
    assert (opened.closing, opened.aborted) == (True, False)
    opened.clock.pass_to(119.0 + opened.line.close_timeout)
    assert opened.aborted


def test_a_connection_that_is_gone_is_not_waited_for() -> None:
    opened = Opened()
    opened.line.on_task_complete(over())
    opened.line.connection_lost(None)
    assert opened.clock.timers == []


class Asking:
    """Who asks something of a line."""

    def told(self, seconds: float) -> None:
        pass

    def heard(self, text: bytes) -> bool:
        return False


def test_a_line_that_is_lost_keeps_nobody_who_asks_it_only_then() -> None:
    opened, asking = Opened(), Asking()
    opened.line.connection_lost(None)
    opened.line.measure(asking.told)
    opened.line.answer(asking.heard)
    asked = weakref.ref(asking)
    del asking
    assert asked() is None


def test_a_server_without_lines_sends_in_asgis_way() -> None:
    line = line_of({"extensions": {}})
    assert isinstance(line, NoLine)
    line.measure(lambda seconds: None)
    line.answer(lambda text: True)
    assert not line.put(b"{}")
