"""Tests of waiting for a database connection, which ends if the server is unavailable."""

from typing import Any

import pytest
from django.db.backends.postgresql import base as django_base
from psycopg_pool import PoolTimeout

from tournament.site.postgres import base


class BusyPool:
    """Pool that provides a connection after `busy` timeouts of one second each."""

    def __init__(self, busy: int, *, failing: bool = False) -> None:
        self.busy, self.failing = busy, failing
        self.now, self.errors, self.asked = 0.0, 3, 0

    def get_stats(self) -> dict[str, int]:
        return {"connections_errors": self.errors} if self.errors else {}

    def get(self, _parameters: object) -> str:
        self.asked += 1
        if self.asked > self.busy:
            return "a connection"
        self.now += 1
        self.errors += self.failing
        raise PoolTimeout


@pytest.fixture
def connect_through_pool(monkeypatch: pytest.MonkeyPatch) -> Any:
    def connect_through(pool: BusyPool | None) -> Any:
        given = pool or BusyPool(0)
        monkeypatch.setattr(django_base.DatabaseWrapper, "get_new_connection", given.get)
        monkeypatch.setattr(base.DatabaseWrapper, "pool", pool)
        monkeypatch.setattr(base, "monotonic", lambda: given.now)
        wrapper = base.DatabaseWrapper({"OPTIONS": {}, "CONN_HEALTH_CHECKS": True}, "default")
        return wrapper.get_new_connection({})

    return connect_through


def test_idle_connection_is_handed_out_immediately(connect_through_pool: Any) -> None:
    assert connect_through_pool(BusyPool(0)) == "a connection"


def test_connecting_without_a_pool_does_not_wait(connect_through_pool: Any) -> None:
    assert connect_through_pool(None) == "a connection"


def test_request_waits_for_a_busy_pool(connect_through_pool: Any) -> None:
    pool = BusyPool(5)
    assert (connect_through_pool(pool), pool.asked) == ("a connection", 6)


def test_wait_for_a_connection_times_out(connect_through_pool: Any) -> None:
    pool = BusyPool(100)
    with pytest.raises(PoolTimeout):
        connect_through_pool(pool)
    assert pool.asked == base.LONGEST_WAIT


def test_request_does_not_wait_for_an_unavailable_server(connect_through_pool: Any) -> None:
    pool = BusyPool(100, failing=True)
    with pytest.raises(PoolTimeout):
        connect_through_pool(pool)
    assert pool.asked == 1
