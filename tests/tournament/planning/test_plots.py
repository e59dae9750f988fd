"""Tests of the bar chart of event durations: bars, labels and the time limit on one axis."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.planning.plots import AXIS_HEIGHT, MAX_STEPS, PANEL_HEIGHT, WIDTH_UNITS, Bar, plot
from tournament.pure.simulation.answers import WIDTH, PlanAnswer


def make_plan_answer(*bars: tuple[int, int], median: float = 0) -> PlanAnswer:
    return PlanAnswer("It", median, 0, 0, 0, 0, 0, bars)


def test_axis_spans_from_the_first_bar_to_the_last() -> None:
    """Check that the axis spans from the first bar to the last.

    The two bars, with a gap between them, span 15 minutes on an axis of 640 units.
    """
    found = plot([make_plan_answer((60, 3), (70, 1), median=62.5)], 0)
    scale = WIDTH_UNITS / 15
    [panel] = found.panels
    assert panel.bars == [
        Bar(0.5, PANEL_HEIGHT - 66, 5 * scale - 1, 66, True, "60–65 minutes: 75%"),
        Bar(10 * scale + 0.5, PANEL_HEIGHT - 22, 5 * scale - 1, 22, True, "70–75 minutes: 25%"),
    ]
    assert (panel.top, panel.bottom, panel.median) == (0, PANEL_HEIGHT, 2.5 * scale)
    assert (found.width, found.height, found.limit) == (
        WIDTH_UNITS,
        PANEL_HEIGHT + AXIS_HEIGHT,
        None,
    )
    assert (found.full_width, found.bottom) == (WIDTH_UNITS + 24, PANEL_HEIGHT)


def test_each_panel_is_scaled_to_its_highest_bar() -> None:
    found = plot([make_plan_answer((60, 100)), make_plan_answer((60, 1), (65, 4))], 62)
    one, other = found.panels
    assert [bar.height for bar in one.bars] == [66]
    assert [bar.height for bar in other.bars] == [66 / 4, 66]
    assert [(each.top, each.bottom) for each in found.panels] == [(0, 92), (92, 184)]
    assert found.height == 2 * PANEL_HEIGHT + AXIS_HEIGHT


@pytest.mark.parametrize(
    ("minutes", "late"),
    [
        (59, [True, True, True]),
        (60, [True, True, True]),
        (61, [False, True, True]),
        (65, [False, True, True]),
        (70.5, [False, False, False]),
    ],
)
def test_bars_past_the_available_time_are_marked_late(minutes: float, late: list[bool]) -> None:
    [panel] = plot([make_plan_answer((60, 1), (65, 1), (70, 1))], minutes).panels
    assert [bar.late for bar in panel.bars] == late


@pytest.mark.parametrize(
    ("minutes", "first", "last"),
    [
        (150, 100, 155),  # the axis includes the time limit, with room for a bar
        (80, 75, 105),
        (40, 100, 105),  # an hour before the first bar, so the axis does not begin there
        (41, 36, 105),
    ],
)
def test_axis_shows_the_available_time_when_it_is_near(
    minutes: float, first: int, last: int
) -> None:
    found = plot([make_plan_answer((100, 1))], minutes)
    scale = WIDTH_UNITS / (last - first)
    shown = first <= minutes <= last
    assert found.limit == ((minutes - first) * scale if shown else None)
    assert found.panels[0].bars[0].x == (100 - first) * scale + 0.5


@pytest.mark.parametrize(
    ("length", "step"),
    [
        (5, 5),
        (40, 5),
        (45, 10),
        (80, 10),
        (120, 15),
        (125, 30),
        (245, 60),
        (485, 120),
        (965, 240),
        (1925, 480),
        (3845, 1440),
    ],
)
def test_labels_are_as_dense_as_space_allows(length: int, step: int) -> None:
    found = plot([make_plan_answer((1440, 1), (1440 + length - WIDTH, 1))], 0)
    assert [minutes - 1440 for _x, minutes in found.marks] == list(range(0, length + 1, step))
    assert found.marks[0] == (0, 1440)


bars = st.lists(
    st.tuples(st.integers(0, 200).map(lambda n: n * WIDTH), st.integers(1, 900)),
    min_size=1,
    max_size=12,
    unique_by=lambda bar: bar[0],
).map(lambda found: make_plan_answer(*sorted(found), median=min(found)[0] + 1.5))


@settings(max_examples=30)
@given(st.lists(bars, min_size=1, max_size=2), st.floats(5, 6000))
def test_drawing_stays_within_its_bounds(answers: list[PlanAnswer], minutes: float) -> None:
    found = plot(answers, minutes)
    assert len(found.panels) == len(answers)
    for panel in found.panels:
        for bar in panel.bars:
            assert 0 < bar.x < WIDTH_UNITS
            assert bar.x + bar.width <= WIDTH_UNITS + 1
            assert bar.y + bar.height == pytest.approx(panel.bottom)
            assert panel.top < bar.y < panel.bottom
        assert 0 <= panel.median <= WIDTH_UNITS
    assert 1 <= len(found.marks) <= MAX_STEPS + 1
    assert all(0 <= x <= WIDTH_UNITS + 0.001 for x, _minutes in found.marks)
    assert found.limit is None or 0 <= found.limit <= WIDTH_UNITS
