"""Figures of one hour, added up over several processes."""

from datetime import UTC, datetime, timedelta

import pytest

from tournament.serving.state.hour import Hour, ProcessMinute, compute_quantiles, sum_level

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)
NAME = "lastcard_answer_seconds"


def make_process_minute(process: str = "a", ago: float = 0.5, **figures: float) -> ProcessMinute:
    return ProcessMinute(process, NOW - timedelta(minutes=ago), {}, figures)


def make_minute_with_durations(
    *steps: tuple[str, float], process: str = "a", ago: float = 0.5
) -> ProcessMinute:
    counts = {f'{NAME}_bucket{{le="{le}",message="action"}}': number for le, number in steps}
    return ProcessMinute(process, NOW - timedelta(minutes=ago), counts, {})


def test_level_is_the_sum_of_the_latest_values_of_all_processes() -> None:
    hour = Hour(
        NOW,
        [
            make_process_minute(ago=1.5, n=9),
            make_process_minute(n=2),
            make_process_minute("b", n=3),
            make_process_minute("gone", 30, n=50),
        ],
    )
    assert hour.sum_levels("n") == 5
    assert sum_level(hour.samples, "n") == 55
    assert sum_level(hour.samples, "m") is None


def test_durations_are_interpolated_between_buckets_of_all_processes() -> None:
    one = make_minute_with_durations(("0.02", 50), ("0.05", 100), ("0.1", 100), ("+Inf", 100))
    other = make_minute_with_durations(
        ("0.02", 50), ("0.05", 100), ("0.1", 100), ("+Inf", 100), process="b"
    )
    found = compute_quantiles([one, other], NAME, {"message": "action"})
    assert found is not None
    assert (found.number, found.half) == (200, 0.02)
    assert found.most == pytest.approx(0.0494)
    assert compute_quantiles([one], NAME, {"message": "share"}) is None


def test_quantile_is_above_the_lower_bound_of_its_bucket() -> None:
    steps = [("0.05", 10.0), ("0.1", 10.0), ("+Inf", 10.0)]
    found = compute_quantiles([make_minute_with_durations(*steps)], NAME, {})
    assert found is not None
    assert 0.02 < found.half <= 0.05


def test_durations_beyond_the_last_bucket_are_reported_as_its_lower_bound() -> None:
    found = compute_quantiles([make_minute_with_durations(("+Inf", 3))], NAME, {})
    assert found is not None
    assert (found.half, found.most) == (5.0, 5.0)


def test_counts_are_grouped_by_label_in_descending_order() -> None:
    counts = [{'r_total{code="a"}': 1.0}, {'r_total{code="b"}': 5.0, 'r_total{code="a"}': 1.0}]
    hour = Hour(NOW, [ProcessMinute("a", NOW, each, {}) for each in counts])
    assert list(hour.count_by_label("r_total", "code").items()) == [("b", 5), ("a", 2)]


def test_samples_are_grouped_by_minute() -> None:
    hour = Hour(
        NOW,
        [
            make_process_minute(ago=59.9),
            make_process_minute(ago=1.2),
            make_process_minute("b", 1.7),
            make_process_minute(ago=61),
        ],
    )
    assert [len(each) for each in hour.minutes()] == [1, *[0] * 57, 2, 0]
