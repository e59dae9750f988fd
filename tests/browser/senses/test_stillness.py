"""Browser tests that cards and piles keep their places during a hand."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games import services
from games.models import Match
from games.rules.ruleset.rulesets import RULE_SETS
from games.services import SeatSpec
from tests.browser.conftest import PHONE, Windows
from tests.browser.tables import PEOPLE, play_out
from tests.factories import make_user
from tests.games.helpers import create_match

pytestmark = [pytest.mark.browser, pytest.mark.motion]

MAX_MOVES = 2
MOST_ON_LOADING, MOST_A_MATCH = 0.02, 0.05
SMALLEST: ViewportSize = {"width": 320, "height": 568}
LANDSCAPE_PHONE: ViewportSize = {"width": 740, "height": 360}
TABLET: ViewportSize = {"width": 768, "height": 1024}
WIDE: ViewportSize = {"width": 1280, "height": 800}
SIZES = (SMALLEST, PHONE, LANDSCAPE_PHONE, TABLET, WIDE)
# Each size, number of seats and rule set occurs at least once. With --long, ALL_CASES are tested.
QUICK_CASES = [
    ("ocho", 2, PHONE),
    ("uno-400", 3, SMALLEST),
    ("ocho-cards", 4, LANDSCAPE_PHONE),
    ("crazy-eights", 5, TABLET),
    ("uno-500", 6, WIDE),
    ("uno-assignment", 7, SMALLEST),
    ("uno-400", 8, PHONE),
    ("ocho", 9, SMALLEST),
    ("ocho", 10, PHONE),
]
ALL_CASES = [("ocho", seats, size) for seats in range(2, 11) for size in SIZES]
ALL_CASES += [(ruleset, 4, PHONE) for ruleset in RULE_SETS]

# Records layout shifts and every position of the discard pile from the first paint on.
RECORD_SHIFTS = """() => {
  window.shifts = [];
  window.places = [];
  new PerformanceObserver((list) => {
    for (const each of list.getEntries())
      window.shifts.push([each.value, each.sources.map(({node}) => node?.className || node?.id || node?.nodeName)]);
  }).observe({type: 'layout-shift', buffered: true});
  const look = () => {
    const pile = document.querySelector('.discard');
    if (pile?.checkVisibility()) {
      const {x, y, width} = pile.getBoundingClientRect();
      const place = `${Math.round(x)} ${Math.round(y)} ${Math.round(width)}`;
      if (window.places.at(-1) !== place) window.places.push(place);
    }
    requestAnimationFrame(look);
  };
  document.addEventListener('DOMContentLoaded', look);
}"""  # noqa: E501
MEASURE_SIDEWAYS_SCROLL = """() => document.documentElement.scrollWidth - innerWidth"""
# Names and ticker texts that another element covers.
LIST_COVERED_TEXTS = """() => [...document.querySelectorAll('.seat-name, .ticker span')]
  .filter((element) => {
  const {left, top, width, height} = element.getBoundingClientRect();
  const seen = document.elementFromPoint(left + width / 2, top + height / 2);
  return width && !(seen?.contains(element) || element.contains(seen));
}).map((element) => element.textContent)"""


def open_table(ruleset: str, seats: int) -> Match:
    bots = [SeatSpec(name=f"{name} Krishnamurthy", bot="plain") for name in PEOPLE[1:seats]]
    return create_match(
        ruleset=ruleset,
        options={},
        seats=[SeatSpec(name="Asha", user=make_user("Asha")), *bots],
        title="Round 1, table 3",
        turn_seconds=60,
        bot_seconds=0.1,
        between_seconds=0,
        hand_limit=1,
    )


def open_measured_table(open_page: Windows, match: Match, **options: Any) -> Page:
    """Open a table whose layout is recorded from the first paint on."""
    user = match.seats.get(number=0).user
    page: Page = open_page(user, path="about:blank", **options)
    page.add_init_script(f"({RECORD_SHIFTS})()")
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    return page


def sum_layout_shifts(page: Page) -> float:
    values: list[float] = [value for value, _ in page.evaluate("window.shifts")]
    return sum(values)


def list_largest_shifts(page: Page) -> list[tuple[str, float]]:
    """Return the elements that shifted most, and by how much, to explain a failure."""
    found: Counter[str] = Counter()
    for value, sources in page.evaluate("window.shifts"):
        found[" + ".join(sorted(map(str, sources)))] += value
    return [(name, round(value, 4)) for name, value in found.most_common(12)]


def count_pile_moves(page: Page) -> int:
    """Return how often the discard pile has changed its place or size."""
    return len(page.evaluate("window.places")) - 1


def check_stillness(open_page: Windows, ruleset: str, seats: int, **options: Any) -> None:
    match = services.start_match(open_table(ruleset, seats))
    page = open_measured_table(open_page, match, **options)
    page.wait_for_timeout(300)
    assert sum_layout_shifts(page) < MOST_ON_LOADING, list_largest_shifts(page)
    assert page.evaluate(LIST_COVERED_TEXTS) == []
    assert page.evaluate(MEASURE_SIDEWAYS_SCROLL) == 0
    play_out(page)
    assert count_pile_moves(page) <= MAX_MOVES, page.evaluate("window.places")
    assert sum_layout_shifts(page) < MOST_A_MATCH, list_largest_shifts(page)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seats" not in metafunc.fixturenames:
        return
    cells = ALL_CASES if metafunc.config.getoption("--long") else QUICK_CASES
    ids = [f"{ruleset}-{seats}-{size['width']}" for ruleset, seats, size in cells]
    metafunc.parametrize(("ruleset", "seats", "size"), cells, ids=ids)


@pytest.mark.slow
def test_u54_layout_stays_still_with_any_rules_size_and_number_of_seats(
    open_page: Windows, ruleset: str, seats: int, size: ViewportSize
) -> None:
    check_stillness(open_page, ruleset, seats, size=size)


@pytest.mark.slow
def test_u54_layout_stays_still_with_double_size_text(open_page: Windows) -> None:
    match = services.start_match(open_table("ocho", 4))
    page = open_measured_table(open_page, match, size=PHONE)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.wait_for_timeout(300)
    assert page.evaluate(LIST_COVERED_TEXTS) == []
    assert page.evaluate(MEASURE_SIDEWAYS_SCROLL) == 0
    before = count_pile_moves(page)
    play_out(page)
    assert count_pile_moves(page) - before <= MAX_MOVES
