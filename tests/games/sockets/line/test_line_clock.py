"""Tests of a connection's timers, with a fake clock."""

import gc
import weakref
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any

import pytest
from uvicorn import Config
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode

from games.sockets.line.line import MAX_FRAMES, Line, LineProtocol, line_of

HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: example.org\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def make_frame(data: bytes, opcode: Opcode, *, fin: bool = True) -> bytes:
    return Frame(opcode, data, fin=fin).serialize(mask=True)


class IdleTask:
    """Task that never runs."""

    def add_done_callback(self, call: Any) -> None:
        pass


class FakeLoop:
    """Fake event loop with only a clock and timers."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Any]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, call: Any) -> Any:
        timer = (self.now + seconds, call)
        self.timers.append(timer)
        return SimpleNamespace(cancel=lambda: self.timers.remove(timer))

    def create_task(self, work: Coroutine[Any, Any, None]) -> IdleTask:
        work.close()
        return IdleTask()

    def advance_to(self, now: float) -> None:
        for at, call in sorted(self.timers, key=lambda timer: timer[0]):
            if at <= now:
                self.now = at
                self.timers.remove((at, call))
                call()
        self.now = now


class OpenConnection:
    """Open connection that records everything it has sent."""

    def __init__(self, *, accepted: bool = True) -> None:
        self.sent: list[bytes] = []
        self.closing = self.aborted = False
        config = Config("", interface="asgi3", ws_ping_interval=11.0, ws_ping_timeout=8.0)
        config.loaded = True
        config.loaded_app = Line  # never called
        self.clock = FakeLoop()
        self.line = LineProtocol(config, ServerState(), {}, self.clock)  # type: ignore[arg-type]
        self.line.connection_made(self)  # type: ignore[arg-type]
        self.line.data_received(HANDSHAKE)
        if accepted:
            with pytest.raises(StopIteration):
                self.line.send({"type": "websocket.accept"}).send(None)
        self.sent.clear()

    # Methods of the line's transport, which only records written data.

    def get_extra_info(self, name: str) -> None:
        return None

    def pause_reading(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def is_closing(self) -> bool:
        return self.closing or self.aborted

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.aborted = True

    # Helpers for tests

    def count_pings(self) -> int:
        """Count the pings sent since the last call."""
        sent, self.sent[:] = b"".join(self.sent), []
        return sent.count(b"\x89\x04")

    def answer_ping(self) -> None:
        payload = self.line.pending_ping_payload
        assert payload is not None
        self.line.data_received(make_frame(payload, Opcode.PONG))


def test_data_after_the_close_frame_is_ignored() -> None:
    opened = OpenConnection()
    opened.line.data_received(b"\x83\x80\0\0\0\0" + make_frame(b"x", Opcode.PING) * 5)
    opened.line.data_received(make_frame(b"x", Opcode.PING))
    assert b"".join(opened.sent) == Frame(
        Opcode.CLOSE, Close(1002, "invalid opcode").serialize()
    ).serialize(mask=False)


def test_frame_allowance_refills_over_time() -> None:
    opened = OpenConnection()
    opened.line.stop_keepalive()
    for now in (121.0, 141.5):
        opened.clock.advance_to(now)
        opened.line.data_received(make_frame(b"", Opcode.PING) * MAX_FRAMES)
    assert b"".join(opened.sent).count(b"\x8a\0") == 2 * MAX_FRAMES


def test_frames_over_the_limit_are_not_parsed() -> None:
    opened = OpenConnection()
    opened.line.data_received(make_frame(b"", Opcode.PING) * 10 * MAX_FRAMES)
    assert opened.closing
    assert b"".join(opened.sent).count(b"\x8a\0") <= 2 * MAX_FRAMES


def test_fragments_of_an_unfinished_message_are_limited_however_slowly_they_arrive() -> None:
    opened = OpenConnection()
    opened.line.data_received(make_frame(b"", Opcode.TEXT, fin=False))
    for now in (110.0, 140.0):
        opened.line.stop_keepalive()
        opened.clock.advance_to(now)
        opened.line.data_received(make_frame(b"", Opcode.CONT, fin=False) * (MAX_FRAMES // 2))
    assert opened.closing


def test_client_that_does_not_read_gets_no_pongs() -> None:
    opened = OpenConnection()
    opened.line.pause_writing()
    opened.line.data_received(make_frame(b"x", Opcode.PING) * 3)
    assert b"".join(opened.sent) == b""
    opened.line.resume_writing()
    opened.line.data_received(make_frame(b"y", Opcode.PING))
    assert b"".join(opened.sent) == b"\x8a\x01y"


@pytest.mark.parametrize(
    "data",
    [
        Frame(Opcode.TEXT, b"x").serialize(mask=False),
        make_frame(b"", Opcode.PING) * 2 * MAX_FRAMES,
        make_frame(b"\xff", Opcode.TEXT),
        make_frame(b"\x03\xe8", Opcode.CLOSE),
    ],
    ids=["unmasked", "too many", "not UTF-8", "close"],
)
def test_data_before_the_handshake_is_answered_ends_the_connection(data: bytes) -> None:
    opened = OpenConnection(accepted=False)
    opened.line.data_received(data)
    assert (opened.aborted, opened.sent) == (True, [])


def test_due_ping_is_sent_with_the_next_message_and_measured() -> None:
    opened, trips = OpenConnection(), list[float]()
    opened.line.measure(trips.append)
    assert opened.count_pings() == 1
    opened.clock.advance_to(100.25)
    opened.answer_ping()
    opened.line.data_received(make_frame(b"x", Opcode.PONG))
    for now, pings in ((103.9, 0), (104.1, 1), (104.2, 0)):
        opened.clock.advance_to(now)
        opened.line.try_send(b"{}")
        assert opened.count_pings() == pings
    opened.clock.advance_to(104.5)
    opened.answer_ping()
    assert trips == [pytest.approx(0.25), pytest.approx(0.4)]


def test_idle_measured_line_is_still_pinged() -> None:
    opened = OpenConnection()
    opened.line.measure(lambda seconds: None)
    opened.answer_ping()
    assert opened.count_pings() == 1
    opened.clock.advance_to(106.0)
    assert opened.count_pings() == 1


def test_unanswered_ping_is_not_followed_by_another() -> None:
    opened = OpenConnection()
    opened.line.measure(lambda seconds: None)
    opened.clock.advance_to(107.0)
    opened.line.try_send(b"{}")
    assert opened.count_pings() == 1
    opened.clock.advance_to(108.0)
    assert opened.line.close_sent


def test_active_client_is_not_pinged_until_it_falls_silent() -> None:
    opened = OpenConnection()
    for now in (110.0, 120.0):
        opened.clock.advance_to(now)
        opened.line.data_received(make_frame(b"", Opcode.PONG))
        assert opened.count_pings() == 0
    opened.clock.advance_to(130.9)
    assert opened.count_pings() == 0
    opened.clock.advance_to(131.0)
    assert opened.count_pings() == 1
    opened.clock.advance_to(139.0)
    assert opened.line.close_sent


def test_stopping_server_cuts_off_clients_that_do_not_finish_closing() -> None:
    opened = OpenConnection()
    opened.line.data_received(make_frame(b"\x03\xe8", Opcode.CLOSE))
    assert (opened.closing, opened.aborted) == (True, False)
    opened.line.shutdown()
    assert opened.aborted


def make_ended_task() -> Any:
    """Return a stand-in for the task of a socket that has ended."""
    return object()


def test_client_that_does_not_finish_closing_is_cut_off_after_a_timeout() -> None:
    opened = OpenConnection()
    opened.line.on_task_complete(make_ended_task())
    opened.clock.advance_to(109.0)
    assert not opened.aborted
    opened.clock.advance_to(110.0)
    assert opened.aborted


def test_silent_client_that_reads_nothing_is_cut_off_after_a_timeout() -> None:
    opened = OpenConnection()
    for now in (111.0, 119.0):
        opened.clock.advance_to(now)
    assert (opened.closing, opened.aborted) == (True, False)
    opened.clock.advance_to(119.0 + opened.line.close_timeout)
    assert opened.aborted


def test_lost_connection_leaves_no_timers() -> None:
    opened = OpenConnection()
    opened.line.on_task_complete(make_ended_task())
    opened.line.connection_lost(None)
    assert opened.clock.timers == []


def test_connection_lost_before_acceptance_leaves_no_garbage() -> None:
    opened = OpenConnection(accepted=False)
    opened.line.connection_lost(None)
    line = weakref.ref(opened.line)
    gc.disable()
    del opened.line
    gc.enable()
    assert line() is None


class LineListener:
    """Listener whose methods a line calls."""

    def receive_delay(self, seconds: float) -> None:
        pass

    def handle_text(self, text: bytes) -> bool:
        return False


def test_lost_line_keeps_no_reference_to_later_listeners() -> None:
    opened, asking = OpenConnection(), LineListener()
    opened.line.connection_lost(None)
    opened.line.measure(asking.receive_delay)
    opened.line.handle_short_texts(asking.handle_text)
    asked = weakref.ref(asking)
    del asking
    assert asked() is None


def test_server_without_lines_sends_through_asgi() -> None:
    line = line_of({"extensions": {}})
    assert type(line) is Line
    line.measure(lambda seconds: None)
    line.handle_short_texts(lambda text: True)
    assert not line.try_send(b"{}")
