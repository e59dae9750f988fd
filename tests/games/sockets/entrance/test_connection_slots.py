"""The windows of an account, over all processes."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from django.core.cache import cache

from games.process import Process
from games.sockets.entrance import connection_slots
from games.sockets.entrance.connection_slots import MOST, Places

ASHA, BEN = 1, 2


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


async def take(many: int, of: Places, account: int = ASHA) -> list[str | None]:
    return [await of.take(account, f"w{number}") for number in range(many)]


def test_an_account_has_twenty_and_no_more() -> None:
    taken = run(take(21, Places()))
    assert (len(set(taken)), taken[-1]) == (21, None)
    assert run(take(1, Places(), BEN)) == ["window:2:0"]


def test_two_processes_share_them() -> None:
    here, there = Places(), Places()
    run(take(15, here))
    assert run(take(6, there)).count(None) == 1


def test_a_window_that_closes_makes_room_at_the_other_process() -> None:
    here, there = Places(), Places()
    taken = run(take(MOST, here))
    here.leave(taken[7])
    run(here.settle())
    assert run(take(2, there)) == [taken[7], None]


def test_who_comes_back_at_once_finds_its_place() -> None:
    here = Places()
    taken = run(take(MOST, here))
    here.leave(taken[0])
    assert run(take(1, here)) == [taken[0]]


def test_leaving_twice_takes_nobody_else_s_place() -> None:
    here, there = Places(), Places()
    [place] = run(take(1, here))
    here.leave(place)
    run(here.settle())
    run(take(1, there))
    here.leave(place)
    run(here.settle())
    assert cache.get(place) == "w0"


def test_places_of_a_process_that_died_are_free_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection_slots, "KEPT_SECONDS", 1)
    run(take(MOST, Places()))  # and is never heard of again
    other = Places()
    assert run(take(1, other)) == [None]

    async def take_after_expiry() -> list[str | None]:
        await asyncio.sleep(1.1)
        return await take(1, other)

    assert run(take_after_expiry()) == ["window:1:0"]


def test_windows_that_stay_open_keep_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_slots, "KEPT_SECONDS", 1)

    async def day() -> list[str | None]:
        here = Places()
        await take(MOST, here)
        for _ in range(4):
            await asyncio.sleep(0.4)
            await here.renew()
        return await take(1, Places())

    assert run(day()) == [None]


def test_a_process_that_ends_leaves_them_all() -> None:
    process = Process()
    with process.enter():
        run(take(MOST, process.part(Places)))
        process.close()
    assert run(take(1, Places())) == ["window:1:0"]
