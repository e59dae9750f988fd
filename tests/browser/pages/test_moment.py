"""Browser tests of the winner's hall screen."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_podium import LIST_OVERFLOWS, NAMES
from tests.browser.reading import LIST_CUT_OFF_TEXTS
from tests.services import wait_for
from tests.tournament.hall.test_winner_screen import reload
from tests.tournament.helpers import make_finished_final
from tests.typed import sure
from tournament.advancing.services import announce_winner, reopen_event
from tournament.models import Event, Registration, Table, TableSeat, User
from tournament.results.services import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.motion, pytest.mark.django_db(transaction=True)]

PROJECTOR: ViewportSize = {"width": 1920, "height": 1080}
SIZES = [PHONE, DESKTOP, PROJECTOR]
LONG_TIMEOUT_MS = 30_000
# Milliseconds until the last animation has finished.
REMAINING_ANIMATION_MS = """() => Math.max(0, ...document.getAnimations().map((each) =>
  Number(each.effect.getComputedTiming().endTime)))"""
# Loads all fonts and hides the controls, without skipping the animations.
WAIT_WITHOUT_SKIPPING = "document.fonts.ready.then(() => document.body.classList.add('idle'))"
# The box of every element. It must be the same with and without motion.
MEASURE_BOXES = """() => [...document.querySelectorAll(".moment *")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join(" ");
})"""
# Shapes that overlap text.
LIST_COVERED_WORDS = """() => {
  const words = [...document.querySelectorAll(".moment-told bdi, .moment .person bdi, .moment-of")];
  const lines = words.flatMap((each) => [...each.getClientRects()]);
  return [...document.querySelectorAll(".moment-sky .shape")].filter((shape) => {
    const a = shape.getBoundingClientRect();
    return a.width && lines.some((b) => a.left < b.right - 4 && b.left < a.right - 4
      && a.top < b.bottom - 8 && b.top < a.bottom - 8);
  }).map((shape) => [...shape.parentNode.children].indexOf(shape) + 1);
}"""


def make_unannounced_final(points: list[int]) -> tuple[Event, User]:
    """Create an event whose final is over and whose winner is not announced."""
    event = make_finished_final(points)
    for row, name in zip(event.registrations.order_by("queue_number"), NAMES * 3, strict=False):
        Registration.objects.filter(pk=row.pk).update(name=name)
    fields = {"title": "Winter Cup", "place": "Reading hall", "starts_at": timezone.now()}
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING, **fields)
    return reload(event), event.organizers.get()


def list_seated_names(event: Event) -> list[str]:
    seats = TableSeat.objects.filter(table__round__stage__event=event).order_by("number")
    return [sure(seat.registration).name for seat in seats]


def wait_for_winner(page: Page, *names: str) -> None:
    expect(page.locator(".moment-names bdi")).to_have_text(list(names), timeout=LONG_TIMEOUT_MS)


@pytest.mark.parametrize(
    "path", ["hall/?pages=leaderboard,winner&seconds=600", "tables/?view=hall"]
)
def test_winner_screen_appears_follows_corrections_and_disappears(
    open_page: Windows, path: str
) -> None:
    event, organizer = make_unannounced_final([400, 300, 200, 100])
    one, two, *_others = list_seated_names(event)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/{path}")
    expect(page.locator("[data-screen]")).not_to_have_attribute("data-screen", "winner")
    announce_winner(event, organizer)
    wait_for_winner(page, one)
    table = Table.objects.get(round__stage__event=event)
    enter_result(table, organizer, [200, 300, 100, 0], "Counted again.", override=True)
    wait_for_winner(page, two)
    reopen_event(reload(event), organizer, "Not yet.")
    expect(page.locator(".moment")).to_have_count(0, timeout=LONG_TIMEOUT_MS)
    expect(page.locator("[data-screen]")).to_be_visible()


def test_winner_screen_stays_until_another_page_is_chosen(open_page: Windows) -> None:
    event, organizer = make_unannounced_final([400, 300])
    announce_winner(event, organizer)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/leaderboard/?view=hall")
    wait_for_winner(page, list_seated_names(event)[0])
    page.get_by_role("link", name="Leaderboard").click()
    expect(page.locator("tr[data-rank]")).to_have_count(2)
    page.get_by_role("link", name="Rotate all").click()
    wait_for_winner(page, list_seated_names(event)[0])
    expect(page.locator("[data-next]")).to_have_attribute("data-next", re.compile("at=1&past="))


@pytest.mark.parametrize("size", SIZES, ids=lambda s: s["width"])
@pytest.mark.parametrize(
    "points",
    [[400, 300, 200, 100], [300, 400, 300, 400], [0] * 10, [900, 800, 700, 600, 500, 400], [9, 5]],
    ids=["three", "two and two", "all alike", "six", "two"],
)
def test_winner_screen_is_complete_with_and_without_motion(
    open_page: Windows, shot: TakeScreenshot, size: ViewportSize, points: list[int]
) -> None:
    event, organizer = make_unannounced_final(points)
    announce_winner(event, organizer)
    page = open_page(size=size, path=f"/e/{event.slug}/hall/", reduced_motion="reduce")
    page.evaluate(WAIT_WITHOUT_SKIPPING)
    shot(page, f"moment-{len(points)}-{points[1]}", full_page=False)
    assert page.evaluate(LIST_CUT_OFF_TEXTS) == []
    assert page.evaluate(LIST_OVERFLOWS) == []
    assert page.evaluate(LIST_COVERED_WORDS) == []
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    if size != PHONE:
        assert page.evaluate("document.documentElement.scrollHeight") == size["height"]
    moving = open_page(size=size, path=f"/e/{event.slug}/hall/")
    assert 2_000 < moving.evaluate(REMAINING_ANIMATION_MS) <= 5_000
    moving.evaluate(WAIT_WITHOUT_SKIPPING)
    moving.evaluate("document.getAnimations().forEach((each) => each.finish())")
    wait_for(
        lambda: moving.evaluate(MEASURE_BOXES) == page.evaluate(MEASURE_BOXES), "the same picture"
    )
