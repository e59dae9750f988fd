"""Browser tests of the page that shows players their final place."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.pages.test_moment import (
    LONG_TIMEOUT_MS,
    list_seated_names,
    make_unannounced_final,
)
from tests.browser.reading import LIST_CUT_OFF_TEXTS
from tests.browser.tables import finish_animations
from tests.typed import sure
from tournament.advancing.services import announce_winner
from tournament.models import Event, Registration, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Shapes that overlap text.
LIST_COVERED_WORDS = """() => {
  const words = [...document.querySelectorAll(".own-moment > :is(h2, p, div.cluster)")];
  const lines = words.map((each) => each.getBoundingClientRect());
  return [...document.querySelectorAll(".own-sky .shape")].filter((shape) => {
    const a = shape.getBoundingClientRect();
    return a.width && lines.slice(1).some((b) => a.top < b.bottom && b.top < a.bottom
      && a.left < b.right && b.left < a.right);
  }).map((shape) => [...shape.parentNode.children].indexOf(shape) + 1);
}"""


# Number of rows that the tabs occupy.
COUNT_TAB_ROWS = """() => new Set([...document.querySelectorAll("#event-tabs > *")]
  .filter((each) => each.checkVisibility()).map((each) => Math.round(each.offsetTop / 20))).size"""


def get_finalist_account(event: Event, number: int) -> User:
    """Return the account of the finalist with this index in seat order."""
    names = Registration.objects.filter(event=event, seats__table__round__is_final=True)
    return sure(names.order_by("seats__number")[number].user)


def test_waiting_player_sees_the_result_automatically(open_page: Windows) -> None:
    event, organizer = make_unannounced_final([400, 300])
    winner, other = (
        open_page(get_finalist_account(event, number), path=f"/e/{event.slug}/my-table/")
        for number in (0, 1)
    )
    waits = "All rounds have been played. The organizers will announce the winner here."
    expect(winner.locator("#mine .call-text")).to_have_text(waits)
    assert winner.evaluate(COUNT_TAB_ROWS) == 1
    announce_winner(event, organizer)
    expect(winner.locator(".own-moment h2")).to_have_text("You won!", timeout=LONG_TIMEOUT_MS)
    expect(other.locator(".winner h2")).to_have_text(
        f"{list_seated_names(event)[0]} wins", timeout=LONG_TIMEOUT_MS
    )
    expect(other.locator(".own-place strong").first).to_have_text("2")
    expect(other.get_by_role("link", name="Podium", exact=True)).to_be_visible(
        timeout=LONG_TIMEOUT_MS
    )
    assert other.evaluate(COUNT_TAB_ROWS) == 1
    other.goto(f"/e/{event.slug}/register/")
    assert other.evaluate(COUNT_TAB_ROWS) == 1


@pytest.mark.parametrize("points", [[400, 300, 200], [400, 400, 400, 100]], ids=["alone", "shared"])
def test_result_fits_the_first_screen(
    open_page: Windows, shot: TakeScreenshot, points: list[int]
) -> None:
    event, organizer = make_unannounced_final(points)
    announce_winner(event, organizer)
    page = open_page(get_finalist_account(event, 0), path=f"/e/{event.slug}/")
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        finish_animations(page)
        shot(page, f"own-end-{len(points)}", full_page=False)
        assert page.evaluate(LIST_CUT_OFF_TEXTS) == [], size
        assert page.evaluate(LIST_COVERED_WORDS) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        place = sure(page.locator(".own-of").bounding_box())
        assert place["y"] + place["height"] <= size["height"]
    finalist = event.registrations.get(user=get_finalist_account(event, 0))
    page.goto(f"/e/{event.slug}/players/{finalist.queue_number}/")
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        finish_animations(page)
        shot(page, f"own-end-player-{len(points)}", full_page=False)
        assert page.evaluate(LIST_CUT_OFF_TEXTS) == [], size
