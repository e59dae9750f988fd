"""Tests of the limits shared by all visitors from one address."""

import asyncio
import time

import pytest
from pytest_django import Settings

from games.sockets.entrance import anonymous_limits
from games.sockets.entrance.anonymous_limits import (
    FREE_MESSAGES,
    OPENING,
    SPARE_MESSAGES,
    OpeningLimit,
    VisitorCounts,
)

HALL, HOME = "203.0.113.9", "198.51.100.7"


@pytest.fixture
def visitor_counts(settings: Settings) -> VisitorCounts:
    settings.ANONYMOUS_SOCKETS = 2
    return VisitorCounts()


def test_setting_limits_the_number_of_visitors(visitor_counts: VisitorCounts) -> None:
    assert [visitor_counts.arrive(HALL) for _ in range(4)] == [True, True, False, False]
    assert visitor_counts.arrive(HOME)


def test_departing_visitor_frees_a_place(visitor_counts: VisitorCounts) -> None:
    for _ in range(3):
        visitor_counts.arrive(HALL)
    visitor_counts.leave(HALL)
    visitor_counts.leave(HALL)
    assert visitor_counts.arrive(HALL)


def test_refused_visitor_does_not_free_a_place_on_leaving(visitor_counts: VisitorCounts) -> None:
    for _ in range(3):
        visitor_counts.arrive(HALL)
    visitor_counts.leave(HALL)
    assert not visitor_counts.arrive(HALL)


def test_default_limit_is_2000_visitors_per_address() -> None:
    everybody = VisitorCounts()
    assert [everybody.arrive(HALL) for _ in range(2001)] == [True] * 2000 + [False]


def test_normal_message_rate_uses_none_of_the_shared_allowance() -> None:
    visitors = VisitorCounts()
    visitors.arrive(HALL)
    sent = [visitors.may_send(HALL, number) for number in range(1, FREE_MESSAGES + 1)]
    assert all(sent * 100)
    assert visitors.may_send(HALL, FREE_MESSAGES + 1)


def test_excess_messages_draw_on_a_shared_allowance_per_address() -> None:
    visitors = VisitorCounts()
    visitors.arrive(HALL)
    visitors.arrive(HOME)
    sent = [visitors.may_send(HALL, FREE_MESSAGES + 1) for _ in range(SPARE_MESSAGES + 2)]
    assert sent == [True] * SPARE_MESSAGES + [False] * 2
    assert visitors.may_send(HALL, FREE_MESSAGES), "other sockets of the address may still send"
    assert visitors.may_send(HOME, FREE_MESSAGES + 1), "sockets of other addresses may send as well"


def test_shared_allowance_refills_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(anonymous_limits, "PER_SECONDS", 0.05)
    visitors = VisitorCounts()
    for _ in range(SPARE_MESSAGES):
        visitors.may_send(HALL, 99)
    time.sleep(0.06)
    assert visitors.may_send(HALL, 99)


def test_unused_address_is_forgotten() -> None:
    visitors = VisitorCounts()
    visitors.arrive(HALL)
    visitors.may_send(HALL, 99)
    visitors.leave(HALL)
    assert (visitors._sockets, visitors._used) == ({}, {})


def test_excess_handshakes_wait_in_order() -> None:
    inside: list[int] = []

    async def enter_and_leave(limit: OpeningLimit, index: int) -> None:
        turn = await limit.enter()
        inside.append(index)
        await asyncio.sleep(0.01)
        assert len(inside) <= OPENING + index
        turn.end()
        turn.end()

    async def enter_all() -> None:
        limit = OpeningLimit()
        waiting = [
            asyncio.create_task(enter_and_leave(limit, index)) for index in range(3 * OPENING)
        ]
        await asyncio.sleep(0)
        assert inside == [*range(OPENING)]
        await asyncio.gather(*waiting)

    asyncio.run(enter_all())
    assert inside == [*range(3 * OPENING)]
