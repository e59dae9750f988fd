"""Tests of the server's side of a connection, with frames sent over a real socket."""

import base64
import gc
import json
import socket
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.utils import translation
from django.utils.translation import gettext
from websockets.frames import Close, Frame, Opcode
from websockets.streams import StreamReader

from games.models import Match
from games.sockets.base import MAX_MESSAGES, PER_SECONDS
from games.sockets.entrance import arrival
from games.sockets.line.line import MAX_FRAMES
from games.sockets.messages import MAX_BYTES
from tests.games.helpers import begin
from tests.games.windows import SECONDS, list_table_sockets, open_window, wait_for_condition
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)

PING = b'{"type":"ping","version":0}'


class RawConnection:
    """Open WebSocket connection to which a test writes individual bytes."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._reader = connection, StreamReader()

    def send(self, data: bytes, pieces: int = 0) -> None:
        for at in range(0, len(data), pieces or len(data)):
            self._connection.sendall(data[at : at + (pieces or len(data))])

    def read_frame(self) -> Frame:
        parsing = Frame.parse(self._reader.read_exact, mask=False)
        try:
            while True:
                next(parsing)
                self._reader.feed_data(self._connection.recv(65_536))
        except StopIteration as parsed:
            found: Frame = parsed.value
            return found

    def read_message(self, kind: str) -> dict[str, object]:
        """Return the next message of this type."""
        while True:
            frame = self.read_frame()
            assert frame.opcode is Opcode.TEXT, frame
            message: dict[str, object] = json.loads(bytes(frame.data))
            if message["type"] == kind:
                return message

    def read_close_code(self) -> int:
        return self.read_close_frame().code

    def read_close_frame(self) -> Close:
        """Return the server's close frame."""
        while (frame := self.read_frame()).opcode is not Opcode.CLOSE:
            pass
        return Close.parse(frame.data)


def make_handshake(site: LiveSite, match: Match, *headers: str) -> bytes:
    """Return the handshake that a visitor's browser sends to a table."""
    where, key = urlsplit(site.url), base64.b64encode(bytes(16)).decode()
    head = (
        f"GET /ws/match/{match.public_id}/ HTTP/1.1\r\nHost: {where.netloc}\r\n"
        f"Origin: {site.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    )
    return "".join([head, *(f"{one}\r\n" for one in headers), "\r\n"]).encode()


@contextmanager
def connect_visitor(site: LiveSite, *headers: str) -> Iterator[RawConnection]:
    """Open a visitor's socket at a table, and read its first view."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with socket.create_connection(("127.0.0.1", site.port), timeout=SECONDS) as connection:
        connection.sendall(make_handshake(site, match, *headers))
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += connection.recv(1)
        raw = RawConnection(connection)
        raw.read_message("view")
        yield raw


def make_frame(data: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


@pytest.mark.parametrize("pieces", [0, 1, 2, 5, 7])
def test_message_can_arrive_in_pieces(live_site: LiveSite, pieces: int) -> None:
    with connect_visitor(live_site) as raw:
        raw.send(make_frame(PING) * 3 + make_frame(b'{"type":"sync"}') + make_frame(PING), pieces)
        for _ in range(3):
            raw.read_message("pong")
        assert {raw.read_message("pong")["version"], raw.read_message("view")["version"]} == {1}


def test_message_can_span_several_frames(live_site: LiveSite) -> None:
    with connect_visitor(live_site) as raw:
        raw.send(make_frame(PING[:9], fin=False) + make_frame(b"x", Opcode.PING))
        assert raw.read_frame().opcode is Opcode.PONG
        raw.send(make_frame(PING[9:], Opcode.CONT) + make_frame(PING))
        assert [raw.read_message("pong")["version"] for _ in range(2)] == [1, 1]


def test_disconnect_during_session_lookup_is_not_an_error(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked, may_go, answered = (threading.Event() for _ in range(3))

    def answer_slowly(key: str) -> None:
        asked.set()
        may_go.wait(SECONDS)
        answered.set()

    monkeypatch.setattr(arrival, "identify", answer_slowly)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    connections = live_site.server.server_state.connections
    with socket.create_connection(("127.0.0.1", live_site.port), timeout=SECONDS) as connection:
        connection.sendall(make_handshake(live_site, match))
        assert asked.wait(SECONDS)
    wait_for_condition(lambda: not connections)
    may_go.set()
    wait_for_condition(lambda: answered.is_set() and not live_site.server.server_state.tasks)
    assert caplog.messages == []


def test_open_socket_keeps_no_headers_of_its_handshake(live_site: LiveSite) -> None:
    with connect_visitor(live_site):
        (server,) = list_table_sockets()
        line: Any = server.wire
        assert [*line.scope, *line.request.headers, *line.response.headers] == []


@pytest.mark.parametrize("size", [125, 126, MAX_BYTES - 1, MAX_BYTES])
def test_text_can_have_any_length_up_to_the_limit(live_site: LiveSite, size: int) -> None:
    with connect_visitor(live_site) as raw:
        raw.send(
            make_frame(PING.ljust(size)) + make_frame(b'{"type":"sync"}'.ljust(size)), pieces=50
        )
        assert [raw.read_message("pong")["version"], raw.read_message("view")["version"]] == [1, 1]


@pytest.mark.parametrize(
    ("frame_bytes", "code"),
    [
        (Frame(Opcode.TEXT, PING).serialize(mask=False), 1002),
        (make_frame(PING[:9], fin=False) + make_frame(PING), 1002),
        (b"\x83\x80\0\0\0\0", 1002),
        (make_frame(b"\xff\xfe"), 1007),
        (make_frame(b"\xff") * 2 + make_frame(b"\x03\xe8", Opcode.CLOSE), 1000),
        (make_frame(b"\xc3", fin=False) + make_frame(b"a", Opcode.CONT), 1007),
        (make_frame(b" " * (MAX_BYTES + 1)), 1009),
        (b"\x81\xff" + (2**40).to_bytes(8, "big") + b"\0\0\0\0", 1009),
        (make_frame(PING, Opcode.BINARY), 1003),
    ],
    ids=[
        "unmasked",
        "in a fragment",
        "reserved",
        "not UTF-8",
        "not UTF-8, closed",
        "not UTF-8 in fragments",
        "too long",
        "far too long",
        "binary",
    ],
)
def test_invalid_frames_close_the_connection(
    live_site: LiveSite, caplog: pytest.LogCaptureFixture, frame_bytes: bytes, code: int
) -> None:
    with connect_visitor(live_site) as raw:
        raw.send(make_frame(PING) + frame_bytes)
        assert raw.read_close_code() == code
    wait_for_condition(lambda: not live_site.server.server_state.tasks)
    logged = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert logged == ([f"Socket closed with {code}"] if code != 1000 else [])


@pytest.mark.parametrize(
    ("method", "headers", "answer"),
    [
        ("GET", [f"Cookie: other={'x' * 8_300}"], b"431"),
        ("GET", [f"X-{number}: 1" for number in range(140)], b"431"),
        ("GET", ["Content-Length: 3"], b"400"),
        ("POST", ["Transfer-Encoding: chunked"], b"400"),
        ("POST", [], b"405"),
    ],
    ids=["long cookie", "many headers", "body", "chunked body", "method"],
)
def test_invalid_handshakes_are_answered(
    live_site: LiveSite, method: str, headers: list[str], answer: bytes
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with socket.create_connection(("127.0.0.1", live_site.port), timeout=SECONDS) as connection:
        connection.sendall(
            make_handshake(live_site, match, *headers).replace(b"GET", method.encode())
        )
        assert connection.recv(65_536).split()[1] == answer
        while connection.recv(65_536):
            pass


def test_rate_limit_message_is_in_the_visitor_language(live_site: LiveSite) -> None:
    with connect_visitor(live_site, "Accept-Language: hi") as raw:
        raw.send(make_frame(PING) * (MAX_MESSAGES + 1))
        with translation.override("hi"):
            result = gettext("You can send at most {count} messages in {seconds:g} seconds.")
        wanted = result.format(count=MAX_MESSAGES, seconds=PER_SECONDS)
        assert raw.read_close_frame() == Close(1008, wanted)


@pytest.mark.parametrize("opcode", [Opcode.PING, Opcode.PONG, Opcode.CONT])
def test_excessive_frames_close_the_connection(live_site: LiveSite, opcode: Opcode) -> None:
    with connect_visitor(live_site) as raw:
        more = make_frame(b"", opcode, fin=opcode != Opcode.CONT) * MAX_FRAMES
        raw.send(make_frame(PING[:9], fin=False) + more)
        assert raw.read_close_frame() == Close(1008, "")


def test_stopping_server_sends_a_close_frame_first(live_site: LiveSite) -> None:
    with connect_visitor(live_site) as raw:
        live_site.server.should_exit = True
        assert raw.read_message("notice")["code"] == "restarting"
        assert raw.read_close_code() == 1012
    live_site.stop()
    live_site.start()


def are_all_collected(references: list[weakref.ref[Any]]) -> bool:
    return all(one() is None for one in references)


def test_closed_socket_leaves_no_garbage(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    player = match.seats.get(number=0).user
    gc.disable()
    try:
        for user in (player, None):
            with open_window(live_site, match, user) as window:
                window.wait_for("view")
                (server,) = list_table_sockets()
                line: Any = server.wire
                freed = (server, line, line.conn, server.table)
                left: list[weakref.ref[Any]] = [weakref.ref(one) for one in freed]
                del server, line, freed
            wait_for_condition(partial(are_all_collected, left))
    finally:
        gc.enable()
