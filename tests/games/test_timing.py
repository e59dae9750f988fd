"""Arithmetic on the clocks of a match."""

from datetime import UTC, datetime, timedelta

from games.clocks.timing import milliseconds

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_a_millisecond_later_is_one_later_whatever_stands_behind_it() -> None:
    for microseconds in range(2000):
        moment = NOON + timedelta(microseconds=microseconds)
        assert milliseconds(moment + timedelta(milliseconds=1)) == milliseconds(moment) + 1


def test_what_is_counted_is_the_time_since_1970() -> None:
    assert milliseconds(NOON + timedelta(microseconds=1999)) == NOON.timestamp() * 1000 + 1
