"""Tests of the limit on the windows of an account in all processes."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from django.core.cache import cache

from games.process import Process
from games.sockets.entrance import connection_slots
from games.sockets.entrance.connection_slots import MAX_SLOTS, ConnectionSlots

ASHA, BEN = 1, 2


def run_async(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def take_slots(count: int, slots: ConnectionSlots, account: int = ASHA) -> list[str | None]:
    return [await slots.take(account, f"w{number}") for number in range(count)]


def test_account_has_at_most_20_connections() -> None:
    taken = run_async(take_slots(21, ConnectionSlots()))
    assert (len(set(taken)), taken[-1]) == (21, None)
    assert run_async(take_slots(1, ConnectionSlots(), BEN)) == ["window:2:0"]


def test_two_processes_share_the_connection_limit() -> None:
    here, there = ConnectionSlots(), ConnectionSlots()
    run_async(take_slots(15, here))
    assert run_async(take_slots(6, there)).count(None) == 1


def test_closed_window_frees_a_slot_for_another_process() -> None:
    here, there = ConnectionSlots(), ConnectionSlots()
    taken = run_async(take_slots(MAX_SLOTS, here))
    here.release(taken[7])
    run_async(here.remove_released())
    assert run_async(take_slots(2, there)) == [taken[7], None]


def test_reconnecting_window_finds_a_free_slot() -> None:
    here = ConnectionSlots()
    taken = run_async(take_slots(MAX_SLOTS, here))
    here.release(taken[0])
    assert run_async(take_slots(1, here)) == [taken[0]]


def test_releasing_twice_frees_only_one_slot() -> None:
    here, there = ConnectionSlots(), ConnectionSlots()
    [slot] = run_async(take_slots(1, here))
    here.release(slot)
    run_async(here.remove_released())
    run_async(take_slots(1, there))
    here.release(slot)
    run_async(here.remove_released())
    assert cache.get(slot) == "w0"


def test_slots_of_a_crashed_process_expire(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_slots, "KEPT_SECONDS", 1)
    run_async(take_slots(MAX_SLOTS, ConnectionSlots()))  # the process crashes after this
    other = ConnectionSlots()
    assert run_async(take_slots(1, other)) == [None]

    async def take_after_expiry() -> list[str | None]:
        await asyncio.sleep(1.1)
        return await take_slots(1, other)

    assert run_async(take_after_expiry()) == ["window:1:0"]


def test_open_windows_keep_their_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_slots, "KEPT_SECONDS", 1)

    async def keep_slots_in_use() -> list[str | None]:
        here = ConnectionSlots()
        await take_slots(MAX_SLOTS, here)
        for _ in range(4):
            await asyncio.sleep(0.4)
            await here.renew()
        return await take_slots(1, ConnectionSlots())

    assert run_async(keep_slots_in_use()) == [None]


def test_stopping_process_frees_all_its_slots() -> None:
    process = Process()
    with process.enter():
        run_async(take_slots(MAX_SLOTS, process.part(ConnectionSlots)))
        process.close()
    assert run_async(take_slots(1, ConnectionSlots())) == ["window:1:0"]
