"""Layout and accessibility tests of every page, on a phone and on a desktop."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from games.services import request_review
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.doubts import make_bracket_in_play, make_event_with_close_cut
from tests.browser.reading import LIST_BROKEN_WORDS, find_overflow
from tests.factories import make_event, make_user
from tests.games.helpers import reload
from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.staging import first_table, play, player_at, running_round
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.models import Event, Round
from tournament.results.services import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = Axe().axe_script
NARROW: ViewportSize = {"width": 320, "height": 568}
LANDSCAPE: ViewportSize = {"width": 740, "height": 360}
# Finishes all transitions. Finishing one may start another in a nested element.
WAIT_FOR_COLORS = """() => {
  const changing = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
  for (let depth = 0; depth < 20; depth++) changing().forEach((each) => each.finish());
  return changing().length;
}"""
COLOR_RULES = ("color-contrast", "link-in-text-block")
SIZES = (NARROW, PHONE, LANDSCAPE, DESKTOP)

# Targets smaller than 24 pixels (WCAG 2.2). Links within sentences and lists are exempt.
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input, summary, select")]
  .filter((each) => !each.closest("p, li, td, th, dd, label"))
  .filter((each) => !each.matches(".visually-hidden, .skip-link, [type=hidden]"))
  .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
  .filter(([, box]) => box.width && box.height && (box.width < 24 || box.height < 24))
  .map(([html]) => html)"""
# Fields with small text. An iPhone zooms into these and does not zoom out again.
FIELDS_THAT_ZOOM = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((each) => !each.matches("[type=checkbox], [type=radio], [type=hidden], [type=range]"))
  .filter((each) => each.checkVisibility() && parseFloat(getComputedStyle(each).fontSize) < 16)
  .map((each) => each.outerHTML.slice(0, 90))"""


@pytest.fixture
def finished_event() -> None:
    """Create a finished event with a second round and a winner."""
    event, organizer = make_organized_event(8, slug="past", title="Past")
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    announce_winner(event, organizer)


@pytest.fixture
def close_cut_event(few_deals: None) -> Event:
    return make_event_with_close_cut()


@pytest.fixture
def bracket_in_play() -> Event:
    return make_bracket_in_play()


@pytest.fixture
def round_in_play(
    finished_event: None, close_cut_event: Event, bracket_in_play: Event, few_deals: None
) -> Round:
    """Provide a round with one finished table and one table in its second hand."""
    played = running_round(8, slug="cards", hand_limit=2, place="Reading hall")
    Event.objects.filter(slug="cards").update(capacity=8)
    first, second = played.tables.order_by("number")
    play(first)
    play(second, hands=1)
    request_review(reload(sure(first.match)))
    make_event(slug="soon", title="Soon")
    return played


VISITOR_PAGES = [
    "/",
    "/e/cards/",
    "/e/cards/leaderboard/",
    "/e/cards/leaderboard/?view=hall",
    "/e/cards/tables/",
    "/e/cards/tables/?by=name",
    "/e/cards/tables/?view=hall",
    "/e/cards/tables/?view=hall&by=name",
    "/e/cards/bracket/",
    "/e/cards/players/",
    "/e/cards/players/1/",
    "/e/cards/leaderboard/?view=print",
    "/e/cards/results/",
    "/e/cards/rules/",
    "/e/cards/leaderboard/?stage=1",
    "/e/past/",
    "/e/past/bracket/",
    "/e/past/podium/",
    "/e/past/leaderboard/",
    "/e/past/results/",
    "/e/doubtful/",
    "/e/doubtful/leaderboard/",
    "/e/doubtful/leaderboard/?view=hall",
    "/e/doubtful/leaderboard/embed/",
    "/e/cup/bracket/",
    "/e/soon/",
    "/rules/",
    "/rules/ocho/",
    "/accounts/login/",
    "/accounts/login/code/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/sign-in/",
    "/practice/",
    "/privacy/",
]
PLAYER_PAGES = [
    "/e/cards/",
    "/e/cards/my-table/",
    "/e/cards/register/",
    "/e/cards/withdraw/",
    "/e/soon/register/",
    "/my-events/",
    "/practice/",
    "/accounts/profile/",
    "/accounts/2fa/",
    "/accounts/2fa/webauthn/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]


def list_past_match_paths(day: Round) -> list[str]:
    """Return the paths of a finished match's result, deals, review and replay."""
    match = first_table(day).match
    assert match is not None
    key = match.public_id
    pages = [reverse(f"games:{name}", args=[key]) for name in ("result", "fair", "review")]
    return [*pages, reverse("games:replay", args=[key, 1])]


def iter_pages(open_page: Windows, day: Round, **options: Any) -> Iterator[tuple[str, Page]]:
    """Open every page as a visitor or as a player, and yield its path and the page."""
    for user, paths in (
        (None, [*VISITOR_PAGES, *list_past_match_paths(day)]),
        (player_at(first_table(day)), PLAYER_PAGES),
    ):
        page = open_page(user, path="/healthz", **options)
        for path in paths:
            page.goto(path)
            yield path, page


def find_violations(page: Page, *rules: str) -> list[str]:
    """Return axe's violations of these rules, or of all rules."""
    page.evaluate(AXE)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = page.evaluate("(how) => axe.run(how).then((told) => told.violations)", options)
    return [
        f"{fault['impact']} {fault['id']}: {node['target']}"
        for fault in found
        for node in fault["nodes"]
    ]


def find_violations_in_both_themes(page: Page) -> list[str]:
    """Return axe's violations in the light theme, and those of colour rules in the dark theme."""
    set_color_scheme(page, "dark")
    of_colors = find_violations(page, *COLOR_RULES)
    set_color_scheme(page, "light")
    return [*find_violations(page), *of_colors]


def set_color_scheme(page: Page, scheme: Literal["dark", "light"]) -> None:
    """Switch the page to this colour scheme and finish all transitions."""
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(WAIT_FOR_COLORS) == 0


def find_size_problems(page: Page, size: ViewportSize) -> list[str]:
    """Return the elements that are too small to tap or to type into, and any extra width."""
    wide = page.evaluate("document.documentElement.scrollWidth") - size["width"]
    small = [*page.evaluate(SMALL_TARGETS), *page.evaluate(FIELDS_THAT_ZOOM)]
    return [*([f"{wide} px too wide"] if wide else []), *small]


def find_overflow_at_double_text_size(page: Page) -> list[str]:
    root = "document.documentElement.style.fontSize"
    page.evaluate(f"{root} = '200%'")
    found = [*find_overflow(page), *page.evaluate(LIST_BROKEN_WORDS)]
    page.evaluate(f"{root} = ''")
    return found


def test_u31_every_page_fits_and_is_accessible(
    open_page: Windows, shot: TakeScreenshot, round_in_play: Round
) -> None:
    """Open each page once, and check it at every size."""
    # Without motion, because axe would check a pulsing mark in an arbitrary colour.
    for number, (path, page) in enumerate(iter_pages(open_page, round_in_play, size=NARROW)):
        for size in SIZES:
            page.set_viewport_size(size)
            shot(page, f"pages-{number:02}")
            found = find_size_problems(page, size)
            if size == PHONE:
                found += [
                    *find_violations_in_both_themes(page),
                    *find_overflow_at_double_text_size(page),
                ]
            elif size == DESKTOP:
                found += find_violations(page)
            assert (path, size["width"], found) == (path, size["width"], [])
        page.set_viewport_size(NARROW)


def test_days_until_the_start_are_on_the_line_of_the_date(open_page: Windows) -> None:
    make_event(starts_at=timezone.now() + timedelta(days=8), place="Terrace")
    line = open_page(path="/").locator(".tile p").first
    expect(line).to_have_text(re.compile(r" \(in \d days.*\)\s· Terrace$"))
    expect(line.locator("small")).to_have_css("display", "inline")


def test_long_name_does_not_widen_the_page(open_page: Windows) -> None:
    event = running_round(4, slug="cards").stage.event
    longest = event.registrations.order_by("pk").first()
    event.registrations.filter(pk=sure(longest).pk).update(name="Venkatanarasimharajuvaripeta" * 2)
    page = open_page(size=NARROW, path="/e/cards/tables/?by=name")
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    figures = page.locator(".names .figures")
    heights = figures.evaluate_all("(all) => all.map((each) => each.offsetHeight)")
    assert (len(heights), len(set(heights))) == (4, 1)


def test_u31_axe_finds_nothing_on_chances_of_advancing(
    open_page: Windows, close_cut_event: Event, bracket_in_play: Event
) -> None:
    page = open_page(path="/e/doubtful/leaderboard/")
    expect(page.locator(".chance")).to_have_text(
        ["safe", "60%", "eliminated why?", "eliminated", "safe why?", "40%", *["eliminated"] * 2]
    )
    expect(page.locator(".last-place")).to_have_attribute("data-rank", "3")
    assert find_violations_in_both_themes(page) == []
    page.get_by_text("eliminated why?").click()
    assert find_violations_in_both_themes(page) == []
    page.goto("/e/cup/bracket/")
    expect(page.locator(".chance")).to_have_text(["safe", "60%", "40%", "eliminated"] * 2)
    assert find_violations_in_both_themes(page) == []


def test_u31_axe_finds_nothing_on_the_error_page(open_page: Windows) -> None:
    open_page.expect("404")
    assert find_violations(open_page(path="/nothing/")) == []


def test_u31_axe_finds_nothing_on_sign_in_and_rejected_forms(open_page: Windows) -> None:
    """Check pages that are reached through a form, and forms with errors."""
    open_page.expect("400")
    user = make_user("Asha")
    make_event(slug="listed", eligibility_required=True)
    page = open_page(path="/accounts/login/code/")
    page.get_by_label("Email address").fill(user.email)
    page.get_by_role("button", name="Send me a code").click()
    assert find_violations(page) == []
    page.get_by_label("Code").fill("XXXX-XXXX")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Incorrect code.")).to_be_visible()
    assert find_violations(page) == []
    page = open_page(user, path="/e/listed/register/")
    page.get_by_label("Roll number").fill("CHE-1")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_text("don’t match an entry")).to_be_visible()
    assert find_violations(page) == []


def test_phone_shows_a_few_tabs_and_puts_the_others_under_more(
    open_page: Windows, round_in_play: Round
) -> None:
    page = open_page(path="/e/cards/leaderboard/")
    shown = page.locator(".tabs > :visible")
    assert shown.count() <= 5
    expect(shown.last).to_be_in_viewport(ratio=1)
    bracket = page.locator(".more-tabs").get_by_role("link", name="Bracket")
    expect(bracket).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    bracket.click()
    expect(page.locator(".more-tabs summary")).to_have_text("Bracket")
    wide = open_page(size=DESKTOP, path="/e/cards/")
    expect(wide.locator(".tabs").get_by_role("link", name="History")).to_be_visible()
    expect(wide.locator(".more-tabs")).to_be_hidden()


def test_tabs_of_a_finished_event_fit_one_line_on_a_phone(
    open_page: Windows, round_in_play: Round
) -> None:
    Event.objects.filter(slug="cards").update(state=Event.State.FINISHED)
    page = open_page(path="/e/cards/tables/")
    tops = page.locator(".tabs > :visible").evaluate_all("all => all.map(each => each.offsetTop)")
    assert len(set(tops)) == 1
    expect(page.locator(".more-tabs summary")).to_have_text("Tables")


def test_tabs_of_a_finished_event_fit_one_line_on_a_desktop(
    open_page: Windows, finished_event: None
) -> None:
    page = open_page(size=DESKTOP, path="/e/past/leaderboard/")
    links = page.locator(".tabs > a, .tabs > span > a")
    boxes = [sure(link.bounding_box()) for link in links.all()]
    assert len({(box["y"], box["height"]) for box in boxes}) == 1


def test_player_tabs_fit_one_line_on_every_phone_page(
    open_page: Windows,
) -> None:
    played = running_round(4, slug="cards")
    page = open_page(player_at(first_table(played)), path="/healthz")
    for path in ("tables", "bracket", "results", "rules", "history", "register"):
        page.goto(f"/e/cards/{path}/")
        tabs = page.locator(".tabs > :visible")
        tops = tabs.evaluate_all("all => all.map(each => each.offsetTop)")
        assert (path, len(tops), len(set(tops))) == (path, 4, 1)


def test_leaderboard_starts_in_the_upper_third_on_a_phone(
    open_page: Windows, round_in_play: Round
) -> None:
    page = open_page(path="/e/cards/leaderboard/")
    assert get_first_row_position(page) < 1 / 3


def get_first_row_position(page: Page) -> float:
    """Return the top of the leaderboard's first row as a fraction of the window's height."""
    height: float = page.evaluate("innerHeight")
    return sure(page.locator(".board tbody tr").first.bounding_box())["y"] / height


@pytest.mark.parametrize("state", ["running", "finished"])
def test_leaderboard_stays_in_the_upper_third_with_stages_and_corrections(
    open_page: Windows, state: str
) -> None:
    event, organizer = make_organized_event(
        8, slug="winter", title="Winter Cup of the Chemistry Department"
    )
    second = make_second_stage(event, organizer, 8)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    final = start_drafted_round(draw_bracket(second, organizer), organizer)
    if state == "finished":
        finish_paper_round(final, organizer)
        announce_winner(event, organizer)
    player = sure(event.registrations.first()).user
    for corrected in (False, True):
        if corrected:
            points = [500, 400, 300, 200]
            enter_result(first_table(played), organizer, points, "Rows swapped.", override=True)
        for user in (None, player):
            page = open_page(user, path="/e/winter/leaderboard/")
            assert get_first_row_position(page) < 1 / 3
            tabs = page.locator(".tabs > :visible")
            assert tabs.count() <= 5
            expect(tabs.last).to_be_in_viewport(ratio=1)
    notice = page.get_by_text("Some results were corrected by hand").locator("visible=true")
    expect(notice).to_have_count(1)
    page.locator(".stage-menu summary").click()
    assert find_violations(page) == []
    page.locator(".stage-menu").get_by_role("link", name="Second round").click()
    expect(page.locator(".stage-menu summary")).to_contain_text("Second round")
    assert get_first_row_position(page) < 1 / 3


def test_leaderboard_stays_in_the_upper_third_below_the_cut_notice(
    open_page: Windows, close_cut_event: Event
) -> None:
    page = open_page(path="/e/doubtful/leaderboard/")
    expect(page.locator(".board-state")).to_contain_text("still playing.")
    assert get_first_row_position(page) < 1 / 3


def test_menu_opens_by_keyboard_and_closes_with_escape(open_page: Windows) -> None:
    page = open_page(make_user("Asha"))
    menu = page.locator("details.menu:not(.languages)")
    menu.locator("summary").press("Enter")
    assert menu.get_attribute("open") is not None
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_typed_password_is_shown_only_on_request(open_page: Windows) -> None:
    page = open_page(path="/accounts/login/")
    field = page.locator("input[name=password]")
    field.fill("seven-lucky-cards")
    assert field.get_attribute("type") == "password"
    page.get_by_role("button", name="Show password").click()
    assert field.get_attribute("type") == "text"
    page.get_by_role("button", name="Hide password").click()
    assert field.get_attribute("type") == "password"
