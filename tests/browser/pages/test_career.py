"""Browser tests of a player's public page and the setting that publishes it."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from games import queries
from games.queries import CareerFigures
from games.reviews.careers import FastestCatch, ReviewedLuck
from tests.browser.conftest import TakeScreenshot, Windows
from tests.browser.pages.test_look import find_violations_in_both_themes
from tests.browser.reading import find_overflow
from tests.factories import make_user
from tests.tournament.careers.events import make_announced_event
from tournament.models import Event, PublicProfile, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES: tuple[ViewportSize, ...] = ({"width": 360, "height": 740}, {"width": 1280, "height": 800})
FIGURES = CareerFigures(
    hands=148,
    won=43,
    catches=12,
    fastest=FastestCatch(0.9, "/m/replay/"),
    luck=ReviewedLuck(96, 2.84, 3.1),
)
TITLES = ["Autumn League 2026", "Winter Cup", "Inter-department Championship of Chemistry", "Cup"]


@pytest.fixture
def user(monkeypatch: pytest.MonkeyPatch) -> User:
    """Provide a player with five finished events, one of them under another name."""
    monkeypatch.setattr(queries, "career_figures", lambda *_given: FIGURES)
    user = make_user("Asha Chattopadhyay")
    for number, place in enumerate((1, 3, 2, 1, 4)):
        event = make_announced_event(user, place=place)
        title = TITLES[number % len(TITLES)]
        starts_at = timezone.now() - timedelta(days=30 * number)
        Event.objects.filter(pk=event.pk).update(title=title, starts_at=starts_at)
    event.registrations.filter(user=user).update(name="Asha C.")
    return user


def check_layout_and_accessibility(page: Page, shot: TakeScreenshot, name: str) -> None:
    for size in SIZES:
        page.set_viewport_size(size)
        shot(page, name)
        assert find_overflow(page) == []
        assert find_violations_in_both_themes(page) == []


def test_player_publishes_the_page_and_unpublishes_it(
    open_page: Windows, shot: TakeScreenshot, user: User
) -> None:
    page = open_page(user, path=reverse("profile"))
    expect(page.get_by_label("Show my public page")).not_to_be_checked()
    page.get_by_label("Show my public page").check()
    page.get_by_role("button", name="Save choice").click()
    check_layout_and_accessibility(page, shot, "account-public-page")
    page.get_by_role("link", name="Open your public page").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Asha Chattopadhyay")
    expect(page.get_by_role("listitem").filter(has_text="as Asha C.")).to_be_visible()
    address = page.url
    page.get_by_role("link", name="your account").click()
    page.get_by_label("Show my public page").uncheck()
    page.get_by_role("button", name="Save choice").click()
    expect(page.get_by_text("Its address no longer works.")).to_be_visible()
    open_page.expect("404")
    page.context.clear_cookies()
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 404


def test_public_page_fits_and_is_accessible_to_visitors(
    open_page: Windows, shot: TakeScreenshot, user: User
) -> None:
    opened = PublicProfile.objects.create(user=user)
    page = open_page(path=reverse("player-career", args=[opened.public_id]))
    check_layout_and_accessibility(page, shot, "career")
