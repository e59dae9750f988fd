"""Tests of values that are computed once for all readers, until they are too old."""

from itertools import count

import pytest

from games.process import fresh_values
from games.process.fresh_values import FreshValues


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(fresh_values, "monotonic", lambda: now[0])
    return now


def test_expired_value_is_computed_again(clock: list[float]) -> None:
    values, numbers = FreshValues[int](), count(1)
    found = []
    for clock[0] in (0.0, 0.9, 1.0, 1.5):
        found.append(values.find("key", 1.0, lambda: next(numbers)))
    assert found == [1, 1, 2, 2]


def test_value_that_is_not_current_is_computed_again() -> None:
    values, numbers = FreshValues[int](), count(1)
    wanted = [values.find("key", 60, lambda: next(numbers), lambda n: n >= 3) for _ in range(5)]
    assert wanted == [1, 2, 3, 3, 3]


def test_value_not_computed_for_a_minute_is_dropped(clock: list[float]) -> None:
    values = FreshValues[str]()
    values.find("old", 1, str)
    clock[0] = fresh_values.DROPPED_SECONDS
    values.find("recent", 1, str)
    assert list(values._kept) == ["old", "recent"]
    clock[0] += 1
    values.find("new", 1, str)
    assert list(values._kept) == ["recent", "new"]
