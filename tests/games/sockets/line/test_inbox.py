"""Tests that incoming messages are read in order, regardless of when they arrive."""

import asyncio

import pytest

from games.sockets.line.inbox import Inbox

pytestmark = pytest.mark.asyncio


async def test_messages_are_read_in_order() -> None:
    inbox = Inbox()
    for number in (1, 2, 3):
        inbox.put_nowait(number)
    assert [await inbox.get() for _ in range(2)] == [1, 2]
    assert not inbox.empty()
    assert await inbox.get() == 3
    assert inbox.empty()


async def test_later_messages_are_read_after_earlier_ones() -> None:
    inbox, found = Inbox(), list[int]()
    for number in range(0, 9, 3):
        for more in range(3):
            inbox.put_nowait(number + more)
        found.append(await inbox.get())
    while not inbox.empty():
        found.append(await inbox.get())
    assert found == [*range(9)]


async def test_reader_waits_for_the_first_message() -> None:
    inbox = Inbox()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    assert not reading.done()
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert [await reading, await inbox.get()] == ["first", "second"]


async def test_cancelled_read_loses_no_message() -> None:
    inbox = Inbox()
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    reading.cancel()
    inbox.put_nowait("kept")
    with pytest.raises(asyncio.CancelledError):
        await reading
    inbox.put_nowait("and this")
    assert [await inbox.get(), await inbox.get()] == ["kept", "and this"]
