"""Tests of template tags for positive and negative figures."""

import pytest

from games.templatetags.figures import bar, format_signed


@pytest.mark.parametrize(
    ("value", "text"), [(0.4, "+0.4"), (-3, "−3"), (0, "0"), (0.0, "0"), (-0.0, "0")]
)
def test_each_figure_has_its_sign(value: float, text: str) -> None:
    assert format_signed(value) == text


def test_figures_in_a_column_have_the_same_number_of_digits() -> None:
    assert [format_signed(value, 2) for value in (0.6, -0.08, 0.0)] == ["+0.60", "−0.08", "0"]


@pytest.mark.parametrize(
    ("value", "most", "less", "x", "width"),
    [
        (0.6, 1.2, False, 50.0, 25.0),
        (-1.2, 1.2, True, 0.0, 50.0),
        (-0.3, 1.2, True, 37.5, 12.5),
        (0.0, 0.0, False, 50.0, 0.0),
    ],
)
def test_bar_extends_right_or_left_of_the_middle(
    value: float, most: float, less: bool, x: float, width: float
) -> None:
    assert bar(value, most) == {"less": less, "x": x, "width": width}
