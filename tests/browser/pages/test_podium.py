"""Browser tests of the podium page."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import PHONE, TakeScreenshot, Windows
from tests.browser.reading import LIST_CUT_OFF_TEXTS
from tests.browser.tables import finish_animations
from tests.tournament.helpers import make_finished_final
from tournament.models import Event, Registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
NAMES = ["Chandrasekaran Venkatraman", "অনন্যা বন্দ্যোপাধ্যায়", "हर्षवर्धन श्रीवास्तव", "عبد الرحمن الفاروقي"]
# The place and the box of each block, from left to right.
MEASURE_STEPS = """() => [...document.querySelectorAll(".podium .step")].map((each) => {
  const { left, right, bottom, height } = each.getBoundingClientRect();
  return { place: each.querySelector("strong").lastChild.data, left, right, bottom, height };
}).sort((a, b) => a.left - b.left)"""
# Names and faces that extend beyond their column.
LIST_OVERFLOWS = """() => [...document.querySelectorAll(".podium ol > li")].flatMap((column) => {
  const { left, right } = column.getBoundingClientRect();
  return [...column.querySelectorAll("bdi, .face")].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility() && (box.left < left - 1 || box.right > right + 1);
  }).map((each) => each.textContent);
})"""


def open_podium(open_page: Windows, points: list[int]) -> Page:
    event = make_finished_final(points)
    for row, name in zip(event.registrations.order_by("queue_number"), NAMES * 3, strict=False):
        Registration.objects.filter(pk=row.pk).update(name=name)
    Event.objects.filter(pk=event.pk).update(
        title="Winter Cup", place="Reading hall", starts_at=timezone.now()
    )
    return open_page(path=f"/e/{event.slug}/podium/")


def iter_sizes(page: Page) -> Iterator[ViewportSize]:
    for size in (PHONE, PROJECTOR):
        page.set_viewport_size(size)
        finish_animations(page)
        yield size


def test_podium_has_three_blocks_with_first_place_in_the_middle(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    page = open_podium(open_page, [400, 300, 0, 0])
    for size in iter_sizes(page):
        shot(page, "podium", full_page=False)
        blocks = page.evaluate(MEASURE_STEPS)
        assert [each["place"] for each in blocks] == ["2", "1", "3"], size
        assert all(a["right"] <= b["left"] for a, b in pairwise(blocks)), size
        assert len({round(each["bottom"]) for each in blocks}) == 1, size
        second, first, third = (each["height"] for each in blocks)
        assert first > second > third, size
        assert page.evaluate(LIST_OVERFLOWS) == [], size
        assert page.evaluate(LIST_CUT_OFF_TEXTS) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


@pytest.mark.parametrize(
    ("points", "order"),
    [
        ([400, 400, 200, 100], ["1", "3"]),
        ([0] * 10, ["1"]),
        ([900, 800] + [100] * 6, ["2", "1", "3"]),
        ([900, 800, 700, 600, 500, 400], ["2", "1", "3"]),
    ],
    ids=["two winners", "all alike", "six thirds", "also in the final"],
)
def test_tied_players_are_in_order_and_fit_on_the_podium(
    open_page: Windows, shot: TakeScreenshot, points: list[int], order: list[str]
) -> None:
    page = open_podium(open_page, points)
    for size in iter_sizes(page):
        shot(page, f"podium-{len(points)}-{points[1]}", full_page=False)
        assert [each["place"] for each in page.evaluate(MEASURE_STEPS)] == order, size
        assert page.evaluate(LIST_OVERFLOWS) == [], size
        assert page.evaluate(LIST_CUT_OFF_TEXTS) == [], size
