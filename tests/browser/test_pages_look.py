"""Every page on a phone and on a desk: nothing sticks out, nothing shuts anybody out."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESKTOP, PHONE
from tests.factories import make_event, make_user
from tests.tournament.staging import first_table, play, player_at, running_round
from tournament.models import Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NARROW = {"width": 320, "height": 568}
LYING = {"width": 740, "height": 360}

# WCAG 2.2 asks for 24 pixels; links within a sentence or a list are excepted.
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input, summary, select")]
  .filter((each) => !each.closest("p, li, td, th, dd"))
  .filter((each) => !each.matches(".visually-hidden, .skip-link, [type=hidden]"))
  .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.height && (box.width < 24 || box.height < 24))
  .map(([html]) => html)"""


@pytest.fixture
def day() -> Round:
    """An event in the middle of its first round: one table finished, one in its second hand."""
    played = running_round(8, slug="cards", hand_limit=2, place="Reading hall", capacity=8)
    first, second = played.tables.order_by("number")
    play(first)
    play(second, hands=1)
    make_event(slug="soon", title="Soon")
    return played


VISITORS_PAGES = [
    "/",
    "/e/cards/",
    "/e/cards/leaderboard/",
    "/e/cards/leaderboard/?view=hall",
    "/e/cards/tables/",
    "/e/cards/tables/?by=name",
    "/e/cards/tables/?view=hall",
    "/e/cards/bracket/",
    "/e/cards/results/",
    "/e/cards/rules/",
    "/rules/",
    "/rules/ocho/",
    "/accounts/login/",
    "/accounts/login/code/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]
PLAYERS_PAGES = [
    "/e/cards/",
    "/e/cards/my-table/",
    "/e/cards/register/",
    "/e/cards/withdraw/",
    "/e/soon/register/",
    "/my-table/",
    "/accounts/profile/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]


def each_page(open_page: Any, day: Round, **options: Any):
    """Every page, opened by a visitor or by a player with a seat."""
    for user, paths in (
        (None, VISITORS_PAGES),
        (player_at(first_table(day)), PLAYERS_PAGES),
    ):
        page = open_page(user, path="/healthz", **options)
        for path in paths:
            page.goto(path)
            yield path, page


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{fault['impact']} {fault['id']}: {node['target']}"
        for fault in found
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("size", [NARROW, PHONE, LYING, DESKTOP], ids=lambda s: s["width"])
def test_no_page_scrolls_sideways_and_targets_are_large(open_page, day, size):
    for path, page in each_page(open_page, day, size=size):
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert (path, wide) == (path, size["width"])
        assert (path, page.evaluate(SMALL_TARGETS)) == (path, [])


def test_no_page_scrolls_sideways_in_letters_of_twice_the_size(open_page, day):
    for path, page in each_page(open_page, day, bypass_csp=True):
        page.add_style_tag(content="html { font-size: 200% }")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert (path, wide) == (path, PHONE["width"])


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing(open_page, day, size, scheme):
    # At rest: a pulsing mark would be judged in whatever shade it has just then.
    options = {"size": size, "color_scheme": scheme, "reduced_motion": "reduce"}
    for path, page in each_page(open_page, day, **options):
        assert (path, faults(page)) == (path, [])


def test_axe_finds_nothing_on_the_page_of_an_error(open_page):
    open_page.expect("404")
    assert faults(open_page(path="/nothing/")) == []


def test_the_menu_opens_by_keyboard_and_closes_with_escape(open_page):
    page = open_page(make_user("Asha"))
    menu = page.locator("details.menu")
    menu.locator("summary").press("Enter")
    assert menu.get_attribute("open") is not None
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_after_signing_out_the_back_button_shows_nothing(open_page):
    page = open_page(make_user("Asha"), path="/accounts/profile/")
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert "Asha" not in page.content()


def test_a_typed_password_is_shown_on_request_only(open_page):
    page = open_page(path="/accounts/login/")
    field = page.locator("input[name=password]")
    field.fill("seven-lucky-cards")
    assert field.get_attribute("type") == "password"
    page.get_by_role("button", name="Show the password").click()
    assert field.get_attribute("type") == "text"
    page.get_by_role("button", name="Hide the password").click()
    assert field.get_attribute("type") == "password"


def test_the_first_tab_leads_past_the_navigation(open_page):
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip-link"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_pages_can_be_looked_at(open_page, shot, day, size):
    for number, (_, page) in enumerate(each_page(open_page, day, size=size)):
        shot(page, f"pages-{number:02}")
