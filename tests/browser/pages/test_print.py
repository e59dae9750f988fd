"""Browser tests of printed pages."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.tournament.helpers import make_organized_event, make_second_stage, start_drafted_round
from tests.tournament.staging import first_table, play, player_at, running_round
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Round, Stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# How a PDF describes an A4 page in portrait and in landscape.
PORTRAIT, LANDSCAPE = b"/MediaBox [0 0 595", b"/MediaBox [0 0 841"


def make_drawn_bracket(players: int = 32, **fields: int) -> Event:
    event, organizer = make_organized_event(players, **fields)
    stage = make_second_stage(event, organizer, players)
    Stage.objects.filter(pk=stage.pk).update(advance=min(2, event.table_size - 1))
    stage.refresh_from_db()
    start_drafted_round(draw_bracket(stage, organizer), organizer)
    return event


@pytest.mark.parametrize(("players", "table_size"), [(32, 2), (32, 4), (64, 4), (96, 6)])
def test_u69_bracket_of_up_to_sixteen_first_round_tables_prints_on_one_page(
    open_page: Windows, players: int, table_size: int
) -> None:
    event = make_drawn_bracket(players, table_size=table_size)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/bracket/")
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert (printed.count(LANDSCAPE), printed.count(PORTRAIT)) == (1, 0)


def test_u69_printed_standings_start_on_the_first_page_and_repeat_their_header(
    open_page: Windows,
) -> None:
    event = make_drawn_bracket()
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/leaderboard/")
    assert page.pdf(format="A4").count(PORTRAIT) == 2
    page.emulate_media(media="print")
    head, row = page.locator(".board thead"), page.locator(".board tbody tr").first
    assert head.evaluate("e => getComputedStyle(e).display") == "table-header-group"
    assert row.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    table = page.locator(".board")
    assert table.evaluate("e => getComputedStyle(e).breakInside") == "auto"


# A4 in portrait within the usual margins, in CSS pixels.
PAPER_SIZE: ViewportSize = {"width": 718, "height": 1047}

PAGES = ["leaderboard", "tables", "tables/?by=name", "bracket", "results"]
# Elements that are useless on paper but still printed.
SCREEN_ELEMENTS = """() => [...document.querySelectorAll("nav, form, button, .button, .messages")]
  .filter((each) => each.checkVisibility()).map((each) => each.outerHTML.slice(0, 90))"""
# Rows and cards that a page break may cut.
ROW_SELECTOR = ".board tr, .table-card, .seats li, .names li, .tree-cell"
LIST_CUT_ROWS = """(rows) => [...document.querySelectorAll(rows)]
  .filter((each) => each.checkVisibility() && getComputedStyle(each).breakInside !== "avoid")
  .map((each) => each.outerHTML.slice(0, 90))"""
SKIP_PRINT_DIALOG = """() => { window.print = () => dispatchEvent(new Event("beforeprint")); }"""
LONG_AGO = "Thu 1 January 2026, 00:00 UTC"


@pytest.fixture
def half_finished_round(few_deals: None) -> Round:
    """Provide a round with one finished table and one that is still being played."""
    played = running_round(8, slug="cards", hand_limit=2)
    first, second = played.tables.order_by("number")
    play(first)
    play(second, hands=1)
    return played


def read_printed_text(page: Page) -> str:
    page.emulate_media(media="print")
    text: str = page.evaluate("document.body.innerText")
    return text


def test_printed_page_has_a_header_and_no_controls(
    open_page: Windows, half_finished_round: Round
) -> None:
    page = open_page(player_at(first_table(half_finished_round)), size=DESKTOP, path="/healthz")
    for path in PAGES:
        page.emulate_media(media="screen")
        page.goto(f"/e/cards/{path}")
        head = page.locator(".printed")
        expect(head).to_be_hidden()
        page.emulate_media(media="print")
        expect(head.get_by_role("img")).to_be_visible()
        expect(head).to_contain_text(f"/e/cards/{path.partition('?')[0].strip('/')}/")
        assert (path, page.evaluate(SCREEN_ELEMENTS)) == (path, [])
        assert (path, page.evaluate(LIST_CUT_ROWS, ROW_SELECTOR)) == (path, [])


def test_printed_standings_have_a_heading_and_all_columns(
    open_page: Windows, half_finished_round: Round
) -> None:
    page = open_page(path="/e/cards/leaderboard/")
    page.emulate_media(media="print")
    for size in (PHONE, PAPER_SIZE, DESKTOP):
        page.set_viewport_size(size)
        expect(page.get_by_role("heading", name="Leaderboard")).to_be_in_viewport()
        expect(page.get_by_role("columnheader", name="Won")).to_be_visible()


def test_printed_bracket_has_no_controls(open_page: Windows) -> None:
    page = open_page(size=DESKTOP, path=f"/e/{make_drawn_bracket().slug}/bracket/")
    page.emulate_media(media="print")
    expect(page.locator(".printed")).to_be_visible()
    assert page.evaluate(SCREEN_ELEMENTS) == []
    assert page.evaluate(LIST_CUT_ROWS, ROW_SELECTOR) == []


@pytest.mark.parametrize("path", ["leaderboard", "bracket"])
def test_print_shortcut_and_button_print_the_same_page_with_the_current_time(
    open_page: Windows, path: str
) -> None:
    address = f"/e/{make_drawn_bracket().slug}/{path}/"
    by_keys, by_button = (open_page(size=DESKTOP, path=address) for _ in range(2))
    for page in (by_keys, by_button):
        page.locator("[data-zone]").evaluate("(shown, then) => shown.textContent = then", LONG_AGO)
    by_keys.pdf(format="A4")
    by_button.evaluate(SKIP_PRINT_DIALOG)
    by_button.get_by_role("button", name="Print", exact=True).click()
    moment = re.compile(r"As of \w{3} \d+ \w+ \d{4}, \d\d:\d\d UTC\.")
    texts = [read_printed_text(page) for page in (by_keys, by_button)]
    assert all(moment.search(text) and LONG_AGO not in text for text in texts)
    assert len({moment.sub("", text) for text in texts}) == 1


def test_print_page_without_javascript_has_no_button_and_shows_server_time(
    open_page: Windows,
) -> None:
    address = f"/e/{make_drawn_bracket().slug}/bracket/"
    page = open_page(size=DESKTOP, path=address, java_script_enabled=False)
    expect(page.get_by_text("Print", exact=True)).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator(".printed")).to_contain_text(re.compile(r"As of \w{3} \d+ \w+ \d{4},"))
