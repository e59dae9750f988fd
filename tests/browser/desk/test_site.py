"""Browser test of the site status page."""

from datetime import timedelta
from math import sin

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import ViewportSize, expect

from games.models import Sample, SampledFigures
from games.process.figures import STEPS
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_look import find_violations
from tests.browser.senses.test_layout import MEASURE_SCROLL
from tests.tournament.helpers import make_organized_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES: list[ViewportSize] = [PHONE, {"width": 768, "height": 1024}, DESKTOP]
CURVE_BOTTOMS = (
    "[...document.querySelectorAll('.curves svg')].map((e) => e.getBoundingClientRect())"
)


def create_hour_of_samples() -> None:
    """Create an hour of samples from two processes.

    The number of actions rises and falls, and the number of sockets grows. One action in twenty
    takes about a tenth of a second.
    """
    now = timezone.now()
    for minute in range(60):
        number = 200 + int(180 * sin(minute / 12))
        name = "lastcard_answer_seconds_bucket"
        share = {step: 0.95 if step < 0.1 else 1.0 for step in (*STEPS, float("inf"))}
        counts = {
            f'{name}{{le="{step}",message="action"}}': number * part for step, part in share.items()
        }
        counts['lastcard_refusals_total{code="not-your-turn"}'] = 2.0
        levels = {"lastcard_sockets": 90.0 + minute, "process_resident_memory_bytes": 9e7}
        for process in ("one", "two"):
            at = now - timedelta(minutes=59 - minute, seconds=5)
            Sample.objects.create(process=process, at=at, figures=SampledFigures(counts, levels))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size["width"])
def test_charts_of_the_last_hour_are_aligned_and_fit_the_window(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize
) -> None:
    event, organizer = make_organized_event(4)
    create_hour_of_samples()
    page = open_page(organizer, size, reverse("admin:event-desk", args=[event.pk]))
    page.get_by_role("link", name="Site status").click()
    expect(page.get_by_role("heading", name="Site status")).to_be_visible()
    expect(page.locator(".curves polyline")).to_have_count(3)
    expect(page.locator(".refused")).to_have_text("not-your-turn 240")
    assert page.evaluate(MEASURE_SCROLL)[0] == 0
    boxes = page.evaluate(CURVE_BOTTOMS)
    rows = {round(box["top"]) for box in boxes}
    assert len(rows) == len({round(box["bottom"]) for box in boxes}), "curves of a row stand level"
    assert len(rows) == (1 if size["width"] == DESKTOP["width"] else len(rows))
    shot(page, "site")
    assert find_violations(page) == []
