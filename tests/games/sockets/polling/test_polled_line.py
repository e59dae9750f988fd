"""A polled line without a server."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from games.sockets.polling import polled_line
from games.sockets.polling.polled_line import ROOM_BYTES, PolledLine

pytestmark = pytest.mark.asyncio


async def read(line: PolledLine) -> Any:
    return await asyncio.wait_for(line.receive(), 5)


def make_line(forget: Callable[[PolledLine], None] = lambda line: None) -> PolledLine:
    return PolledLine("session", forget)


def never() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


async def test_texts_are_kept_until_the_client_confirms_them() -> None:
    line = make_line()
    assert line.put(b"a", b"b")
    assert line.batch() == (0, [b"a", b"b"])
    line.confirm(1)
    assert line.batch() == (1, [b"b"])
    line.confirm(0)
    assert line.batch() == (1, [b"b"])
    line.confirm(9)
    assert line.batch() == (2, [])


async def test_full_line_takes_no_text_until_the_client_has_read() -> None:
    line = make_line()
    await line.send({"type": "websocket.accept"})
    assert line.put(b"x" * ROOM_BYTES)
    assert not line.put(b"y")
    sending = asyncio.create_task(line.send({"type": "websocket.send", "text": "z"}))
    await asyncio.sleep(0.01)
    assert not sending.done()
    line.confirm(1)
    await asyncio.wait_for(sending, 5)
    assert line.batch() == (1, [b"z"])


async def test_text_to_a_client_that_has_gone_fails() -> None:
    line = make_line()
    line.put(b"x" * ROOM_BYTES)
    sending = asyncio.create_task(line.send({"type": "websocket.send", "text": "z"}))
    await asyncio.sleep(0)
    line.close(1001)
    with pytest.raises(ConnectionResetError):
        await sending


async def test_poll_waits_until_there_is_something() -> None:
    line = make_line()
    waiting = asyncio.create_task(line.wait(25, never()))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    line.put(b"a")
    await asyncio.wait_for(waiting, 5)
    assert line.batch() == (0, [b"a"])


async def test_poll_gathers_what_follows_immediately() -> None:
    line = make_line()
    waiting = asyncio.create_task(line.wait(25, never()))
    await asyncio.sleep(0)
    line.put(b"a")
    await asyncio.sleep(0)
    line.put(b"b")
    await asyncio.wait_for(waiting, 5)
    assert line.batch() == (0, [b"a", b"b"])


async def test_poll_without_news_ends_in_time() -> None:
    line, since = make_line(), time.monotonic()
    await line.wait(0.05, never())
    assert time.monotonic() - since < 5
    assert line.batch() == (0, [])


async def test_newer_poll_ends_the_one_before() -> None:
    line = make_line()
    older = asyncio.create_task(line.wait(25, never()))
    await asyncio.sleep(0)
    newer = asyncio.create_task(line.wait(25, never()))
    await asyncio.wait_for(older, 5)
    assert not newer.done()
    line.put(b"a")
    await asyncio.wait_for(newer, 5)


async def test_poll_ends_when_the_client_has_gone() -> None:
    line, gone = make_line(), never()
    waiting = asyncio.create_task(line.wait(25, gone))
    await asyncio.sleep(0)
    gone.set_result(None)
    await asyncio.wait_for(waiting, 5)


async def test_messages_arrive_in_order_and_once() -> None:
    line = make_line()
    line.take(0, ["a", "b"])
    line.take(0, ["a", "b", "c"])
    line.take(3, ["d"])
    assert [(await read(line)).get("text") for _ in range(5)] == [None, "a", "b", "c", "d"]


async def test_missing_message_ends_the_line() -> None:
    line = make_line()
    line.take(1, ["b"])
    assert line.closed == (1012, "")


async def test_message_that_the_socket_answers_on_arrival_is_not_read_again() -> None:
    line = make_line()
    line.answer(lambda text: text == b"ping")
    line.take(0, ["ping", "act"])
    assert [(await read(line)).get("text") for _ in range(2)] == [None, "act"]


async def test_too_many_unread_messages_end_the_line() -> None:
    line = make_line()
    line.take(0, ["a"] * 101)
    assert line.closed == (1008, "")


async def test_too_many_requests_end_the_line() -> None:
    line = make_line()
    for _ in range(1001):
        line.begin_request()
        line.end_request()
    assert line.closed == (1008, "")


async def test_line_without_requests_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polled_line, "ABANDONED_SECONDS", 0.02)
    gone: list[PolledLine] = []
    line = make_line(gone.append)
    line.begin_request()
    await asyncio.sleep(0.05)
    assert not line.gone
    line.end_request()
    await asyncio.sleep(0.05)
    assert (gone, line.closed) == ([line], (1001, ""))
    assert [(await read(line))["type"] for _ in range(2)] == [
        "websocket.connect",
        "websocket.disconnect",
    ]


async def test_server_that_stops_says_goodbye() -> None:
    line = make_line()
    line.farewell(lambda: b"bye")
    waiting = asyncio.create_task(line.wait(25, never()))
    await asyncio.sleep(0)
    line.shut_down()
    await asyncio.wait_for(waiting, 5)
    assert (line.batch(), line.closed) == ((0, [b"bye"]), (1012, ""))
