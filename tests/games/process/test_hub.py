"""Tests of pokes inside one process."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer

from games.process import hub as relaying
from games.process.hub import Hub, Relay

Work = Callable[[], Coroutine[Any, Any, object]]
RunOnLoop = Callable[[Work], object]


@pytest.fixture
def hub() -> Hub:
    return Hub(Relay())


@pytest.fixture
def run_on_hub_loop(hub: Hub) -> RunOnLoop:
    """Return a function that runs a coroutine function on an event loop with a running hub."""

    def run(work: Work) -> object:
        async def run_with_hub() -> object:
            hub.start()
            try:
                return await work()
            finally:
                hub.stop()

        return asyncio.run(run_with_hub())

    return run


async def let_tasks_run() -> None:
    await asyncio.sleep(0.05)


def test_poke_reaches_only_the_subscribers_of_its_topic(
    hub: Hub, run_on_hub_loop: RunOnLoop
) -> None:
    heard: list[object] = []

    async def run_steps() -> None:
        hub.subscribe("match:1", lambda version: heard.append(("a", version)))
        hub.subscribe("match:1", lambda version: heard.append(("b", version)))
        hub.subscribe("match:2", lambda version: heard.append(("c", version)))
        hub.poke("match:1", 7)
        hub.poke("event:1")
        await let_tasks_run()

    run_on_hub_loop(run_steps)
    assert heard == [("a", 7), ("b", 7)]


def test_pokes_can_be_sent_from_any_thread(hub: Hub, run_on_hub_loop: RunOnLoop) -> None:
    heard: list[object] = []

    async def run_steps() -> None:
        here = threading.get_ident()
        hub.subscribe("t", lambda version: heard.append(threading.get_ident() == here))
        await asyncio.to_thread(hub.poke, "t", 1)
        await let_tasks_run()

    run_on_hub_loop(run_steps)
    assert heard == [True]


def test_unsubscribed_listener_gets_no_pokes_and_empty_topics_are_dropped(
    hub: Hub, run_on_hub_loop: RunOnLoop
) -> None:
    heard: list[object] = []

    async def run_steps() -> list[str]:
        leave = hub.subscribe("t", heard.append)
        hub.subscribe("u", heard.append)
        leave()
        leave()
        hub.poke("t", 1)
        await let_tasks_run()
        return hub.topics()

    assert run_on_hub_loop(run_steps) == ["u"]
    assert heard == []


def test_listener_can_unsubscribe_during_a_poke(hub: Hub, run_on_hub_loop: RunOnLoop) -> None:
    heard: list[object] = []

    async def run_steps() -> None:
        def hear_once(version: int | None) -> None:
            heard.append(version)
            leave()

        leave = hub.subscribe("t", hear_once)
        hub.subscribe("t", heard.append)
        hub.poke("t", 1)
        hub.poke("t", 2)
        await let_tasks_run()

    run_on_hub_loop(run_steps)
    assert heard == [1, 1, 2]


def test_poke_without_a_loop_or_channel_layer_is_ignored(hub: Hub) -> None:
    hub.poke("t", 1)


def test_simultaneous_pokes_are_relayed_in_one_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    layer = InMemoryChannelLayer()
    monkeypatch.setattr(relaying, "get_channel_layer", lambda: layer)
    sent, send = [], layer.group_send

    async def record_and_send(group: str, message: dict[str, Any]) -> None:
        sent.append(message["pokes"])
        await send(group, message)

    monkeypatch.setattr(layer, "group_send", record_and_send)
    monkeypatch.setattr(relaying, "PACE_SECONDS", 0.5)
    heard: list[tuple[str, str, int | None]] = []

    async def run_steps() -> None:
        here, there = Relay(), Relay()
        running = [
            asyncio.ensure_future(here.run(lambda *poke: heard.append(("here", *poke)))),
            asyncio.ensure_future(there.run(lambda *poke: heard.append(("there", *poke)))),
        ]
        await let_tasks_run()
        for version in (1, 2, 3):
            here.publish("match:1", version)
            here.publish(f"match:{version + 1}", version)
            await asyncio.sleep(0)
        while ("there", "match:4", 3) not in heard:
            await let_tasks_run()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    asyncio.run(run_steps())
    assert len(sent) <= 2
    assert sorted(poke for poke in heard if poke != ("there", "match:1", 1)) == [
        ("there", "match:1", 3),
        *(("there", f"match:{version + 1}", version) for version in (1, 2, 3)),
    ]


def test_each_poke_raises_the_version_once_immediately(
    hub: Hub, run_on_hub_loop: RunOnLoop
) -> None:
    async def run_steps() -> list[int]:
        found = [hub.version("event:1")]
        hub.poke("event:1")
        found.append(hub.version("event:1"))
        await let_tasks_run()
        found.append(hub.version("event:1"))
        hub.deliver("event:1", None)
        hub.poke("event:2")
        return [*found, hub.version("event:1"), hub.version("event:2")]

    assert run_on_hub_loop(run_steps) == [0, 1, 1, 2, 0]
