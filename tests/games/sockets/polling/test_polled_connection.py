"""Tests of polled connections without a server."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest

from games.sockets.polling import polled_connection
from games.sockets.polling.polled_connection import ROOM_BYTES, PolledConnection

pytestmark = pytest.mark.asyncio


async def read_event(connection: PolledConnection) -> Any:
    return await asyncio.wait_for(connection.receive(), 5)


def make_connection(
    forget: Callable[[PolledConnection], None] = lambda connection: None,
) -> PolledConnection:
    return PolledConnection("session", forget)


def make_future() -> asyncio.Future[Any]:
    return asyncio.get_running_loop().create_future()


async def test_texts_are_kept_until_the_client_confirms_them() -> None:
    connection = make_connection()
    assert connection.try_send(b"a", b"b")
    assert connection.list_unconfirmed() == (0, [b"a", b"b"])
    connection.confirm(1)
    assert connection.list_unconfirmed() == (1, [b"b"])
    connection.confirm(0)
    assert connection.list_unconfirmed() == (1, [b"b"])
    connection.confirm(9)
    assert connection.list_unconfirmed() == (2, [])


async def test_full_connection_accepts_no_text_until_the_client_confirms() -> None:
    connection = make_connection()
    await connection.send({"type": "websocket.accept"})
    assert connection.try_send(b"x" * ROOM_BYTES)
    assert not connection.try_send(b"y")
    sending = asyncio.create_task(connection.send({"type": "websocket.send", "text": "z"}))
    await asyncio.sleep(0.01)
    assert not sending.done()
    connection.confirm(1)
    await asyncio.wait_for(sending, 5)
    assert connection.list_unconfirmed() == (1, [b"z"])


async def test_sending_to_a_disconnected_client_fails() -> None:
    connection = make_connection()
    connection.try_send(b"x" * ROOM_BYTES)
    sending = asyncio.create_task(connection.send({"type": "websocket.send", "text": "z"}))
    await asyncio.sleep(0)
    connection.close(1001)
    with pytest.raises(ConnectionResetError):
        await sending


async def test_poll_waits_for_a_text() -> None:
    connection = make_connection()
    waiting = asyncio.create_task(connection.wait(25, make_future()))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    connection.try_send(b"a")
    await asyncio.wait_for(waiting, 5)
    assert connection.list_unconfirmed() == (0, [b"a"])


async def test_poll_includes_texts_that_follow_immediately() -> None:
    connection = make_connection()
    waiting = asyncio.create_task(connection.wait(25, make_future()))
    await asyncio.sleep(0)
    connection.try_send(b"a")
    await asyncio.sleep(0)
    connection.try_send(b"b")
    await asyncio.wait_for(waiting, 5)
    assert connection.list_unconfirmed() == (0, [b"a", b"b"])


async def test_poll_without_news_times_out() -> None:
    connection, since = make_connection(), time.monotonic()
    await connection.wait(0.05, make_future())
    assert 0.04 <= time.monotonic() - since < 5
    assert connection.list_unconfirmed() == (0, [])


async def test_newer_poll_ends_the_previous_poll() -> None:
    connection = make_connection()
    older = asyncio.create_task(connection.wait(25, make_future()))
    await asyncio.sleep(0)
    newer = asyncio.create_task(connection.wait(25, make_future()))
    await asyncio.wait_for(older, 5)
    assert not newer.done()
    connection.try_send(b"a")
    await asyncio.wait_for(newer, 5)


async def test_poll_ends_when_the_client_disconnects() -> None:
    connection, gone = make_connection(), make_future()
    waiting = asyncio.create_task(connection.wait(25, gone))
    await asyncio.sleep(0)
    gone.set_result(None)
    await asyncio.wait_for(waiting, 5)


async def test_messages_arrive_in_order_and_once() -> None:
    connection = make_connection()
    connection.accept_messages(0, ["a", "b"])
    connection.accept_messages(0, ["a", "b", "c"])
    connection.accept_messages(3, ["d"])
    assert [(await read_event(connection)).get("text") for _ in range(5)] == [
        None,
        "a",
        "b",
        "c",
        "d",
    ]


async def test_missing_message_closes_the_connection() -> None:
    connection = make_connection()
    connection.accept_messages(1, ["b"])
    assert connection.closed == (1012, "")


async def test_message_answered_on_arrival_is_not_queued() -> None:
    connection = make_connection()
    connection.handle_short_texts(lambda text: text == b"ping")
    connection.accept_messages(0, ["ping", "act"])
    assert [(await read_event(connection)).get("text") for _ in range(2)] == [None, "act"]


async def test_too_many_unread_messages_close_the_connection() -> None:
    connection = make_connection()
    connection.accept_messages(0, ["a"] * 101)
    assert connection.closed == (1008, "")


async def test_too_many_requests_close_the_connection() -> None:
    connection = make_connection()
    for _ in range(1001):
        connection.begin_request()
        connection.end_request()
    assert connection.closed == (1008, "")


async def test_connection_without_requests_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(polled_connection, "ABANDONED_SECONDS", 0.02)
    gone: list[PolledConnection] = []
    connection = make_connection(gone.append)
    connection.begin_request()
    await asyncio.sleep(0.05)
    assert not connection.gone
    connection.end_request()
    await asyncio.sleep(0.05)
    assert (gone, connection.closed) == ([connection], (1001, ""))
    assert [(await read_event(connection))["type"] for _ in range(2)] == [
        "websocket.connect",
        "websocket.disconnect",
    ]


async def test_stopping_server_sends_the_farewell() -> None:
    connection = make_connection()
    connection.set_farewell(lambda: b"bye")
    waiting = asyncio.create_task(connection.wait(25, make_future()))
    await asyncio.sleep(0)
    connection.shut_down()
    await asyncio.wait_for(waiting, 5)
    assert (connection.list_unconfirmed(), connection.closed) == ((0, [b"bye"]), (1012, ""))
