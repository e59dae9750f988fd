"""The server's side of a line: frames as they may come, cut anywhere, over a real socket."""

import base64
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from games.live.line import NoLine, line_of
from games.live.messages import MAX_BYTES
from tests.games.helpers import begin
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
        while (frame := self.frame()).opcode is not Opcode.CLOSE:
            pass
        return int.from_bytes(frame.data[:2], "big")


@contextmanager
def connected(site: LiveSite) -> Iterator[Raw]:
    """A visitor's socket at a table, with its first view."""
    match, where = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), urlsplit(site.url)
    key = base64.b64encode(bytes(16)).decode()
    head = (
        f"GET /ws/match/{match.public_id}/ HTTP/1.1\r\nHost: {where.netloc}\r\n"
        f"Origin: {site.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(head.encode())
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


def test_a_server_without_lines_sends_in_asgis_way() -> None:
    line = line_of({"extensions": {}})
    assert isinstance(line, NoLine)
    line.measure(lambda seconds: None)
    line.answer(lambda text: True)
    assert not line.put(b"{}")
