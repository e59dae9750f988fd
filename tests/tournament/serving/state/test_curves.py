"""Curves of a value for each minute."""

import pytest

from tournament.serving.state.curves import HEIGHT, TOP_MARGIN, WIDTH, HourCurve


def make_curve(*values: float | None) -> HourCurve:
    return HourCurve("title", "text", values)


@pytest.mark.parametrize(
    ("highest", "top"), [(0, 1), (0.3, 1), (1, 1), (7.2, 8), (43, 50), (100, 100), (1234, 2000)]
)
def test_top_of_the_scale_is_a_round_number(highest: float, top: float) -> None:
    assert make_curve(0, highest, None).top == top


def test_line_spans_the_whole_width() -> None:
    assert make_curve(0, 10).segments == [f"0.0,{HEIGHT:.1f} {WIDTH:.1f},{TOP_MARGIN:.1f}"]


def test_minute_without_data_breaks_the_line() -> None:
    assert [len(piece.split()) for piece in make_curve(1, 2, None, 3, 4, 5, None, 6).segments] == [
        2,
        3,
        2,
    ]
    assert make_curve(None, None).segments == []
