"""Tests of pokes between processes, over a fake channel layer."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from games.process import hub as module
from games.process.hub import GROUP, Relay


class FakeLayer:
    """Channel layer for one group. The next `failures` messages cannot be sent."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.channels: list[asyncio.Queue[Any]] = []
        self.failures = 0
        self.flushed = False

    async def group_send(self, group: str, message: Any) -> None:
        assert group == GROUP
        if self.failures:
            self.failures -= 1
            raise RedisConnectionError("nobody there")
        self.sent.append(message)
        for channel in self.channels:
            channel.put_nowait(message)

    async def new_channel(self) -> asyncio.Queue[Any]:
        return asyncio.Queue()

    async def group_add(self, group: str, channel: asyncio.Queue[Any]) -> None:
        assert group == GROUP
        self.channels.append(channel)

    async def receive(self, channel: asyncio.Queue[Any]) -> Any:
        return await channel.get()

    async def flush(self) -> None:
        self.flushed = True


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> FakeLayer:
    found = FakeLayer()
    monkeypatch.setattr(module, "get_channel_layer", lambda: found)
    monkeypatch.setattr(module, "RETRY_SECONDS", 0)
    return found


async def let_tasks_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def collect_pokes(*relays: Relay, then: Callable[[], object]) -> list[list[tuple[str, int | None]]]:
    """Call `then` while all relays are running, and return the pokes that each receives."""
    result: list[list[tuple[str, int | None]]] = [[] for _ in relays]

    async def run_steps() -> None:
        tasks = [
            asyncio.create_task(relay.run(lambda *poke, to=heard: to.append(poke)))
            for relay, heard in zip(relays, result, strict=True)
        ]
        await let_tasks_run()
        then()
        await let_tasks_run()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run_steps())
    return result


def list_pokes(layer: FakeLayer) -> list[Any]:
    return [message["pokes"] for message in layer.sent]


def test_relay_sends_pokes_to_other_processes_only(layer: FakeLayer) -> None:
    first, second, third = Relay(), Relay(), Relay()
    result = collect_pokes(first, second, third, then=lambda: first.publish("match:1", 7))
    assert result == [[], [("match:1", 7)], [("match:1", 7)]]
    assert layer.flushed


def test_simultaneous_pokes_are_batched_and_the_last_per_topic_wins(layer: FakeLayer) -> None:
    first, second = Relay(), Relay()

    def publish_several() -> None:
        first.publish("match:1", 7)
        first.publish("event:3", None)
        first.publish("match:1", 8)

    result = collect_pokes(first, second, then=publish_several)
    assert list_pokes(layer) == [[["match:1", 8], ["event:3", None]]]
    assert result == [[], [("match:1", 8), ("event:3", None)]]


def test_pokes_are_dropped_while_the_relay_is_not_running(layer: FakeLayer) -> None:
    quiet = Relay()
    quiet.publish("match:1", 7)
    collect_pokes(quiet, then=lambda: None)
    assert layer.sent == []


def test_pokes_are_lost_only_while_redis_is_down(
    layer: FakeLayer, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = Relay(), Relay()

    async def run_steps() -> list[tuple[str, int | None]]:
        heard: list[tuple[str, int | None]] = []
        tasks = [
            asyncio.create_task(first.run(lambda *poke: None)),
            asyncio.create_task(second.run(lambda *poke: heard.append(poke))),
        ]
        await let_tasks_run()
        layer.failures = 1
        first.publish("match:1", 7)
        await let_tasks_run()
        first.publish("match:1", 8)
        await let_tasks_run()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return heard

    with caplog.at_level(logging.WARNING):
        assert asyncio.run(run_steps()) == [("match:1", 8)]
    assert caplog.messages == ["Redis is away, sending pokes: nobody there"]


def test_command_without_a_loop_publishes_immediately(layer: FakeLayer) -> None:
    Relay().publish_blocking("match:1", 7)
    assert list_pokes(layer) == [[["match:1", 7]]]
    assert layer.sent[0]["type"] == "pokes"


def test_command_continues_while_redis_is_down(
    layer: FakeLayer, caplog: pytest.LogCaptureFixture
) -> None:
    layer.failures = 1
    with caplog.at_level(logging.WARNING):
        Relay().publish_blocking("match:1", 7)
    assert caplog.messages == ["Poke for match:1 not sent: nobody there"]


def test_single_process_site_relays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "get_channel_layer", lambda: None)
    alone = Relay()
    alone.publish_blocking("match:1", 7)
    asyncio.run(asyncio.wait_for(alone.run(lambda *poke: None), timeout=60))
    alone.publish("match:1", 7)


def test_error_in_one_relay_task_stops_the_other(
    layer: FakeLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def raise_error(_channel: object) -> Any:
        raise ValueError("no message")

    monkeypatch.setattr(layer, "receive", raise_error)

    async def run_relay() -> int:
        with pytest.raises(ExceptionGroup):
            await Relay().run(lambda _topic, _version: None)
        return len(asyncio.all_tasks())

    assert asyncio.run(run_relay()) == 1
