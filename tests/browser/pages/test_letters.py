"""Browser tests of the fonts for names, on a machine with fonts only for European scripts."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import Windows
from tests.browser.pages.fontless import list_fonts, make_latin_environment
from tests.browser.senses import test_layout
from tests.factories import make_event, make_user
from tests.tournament.names_of_scripts import NAMES
from tournament.registration.services import register

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Names by the font that draws them.
NAMES_BY_FONT = {
    **{f"Noto Sans {script.title()}": names.split("|") for script, names in NAMES.items()},
    "Noto Sans Arabic": [*NAMES["arabic"].split("|"), "رخسانہ", "ٹیپو ڈار"],
    "Noto Sans Gurmukhi": ["ਗੁਰਪ੍ਰੀਤ"],
    "Noto Sans Gujarati": ["હિતેશ"],
    "Noto Sans Oriya": ["ଶ୍ରୀମତୀ"],
    "Noto Sans Kannada": ["ಶ್ರೀನಿವಾಸ್"],
}
DEVICE_FONTS = {"Noto Sans Latin", "Noto Sans Greek", "Noto Sans Cyrillic"}
LETTERS_LOADED = """() => document.fonts.status === 'loaded' &&
  [...document.fonts].some(each => each.status === 'loaded')"""
FONT_REQUEST = re.compile(r"/(fonts[./]|letters\.)")


@pytest.fixture(scope="module")
def browser_environment(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str | float | bool]:
    return make_latin_environment(tmp_path_factory.mktemp("machine"))


def make_people_page(names: list[str]) -> str:
    """Create an event with players of these names, and return the address of its players' page."""
    event = make_event(capacity=len(names))
    for number, name in enumerate(names):
        register(event, make_user(), roll_number=f"R{number}", name=name)
    return reverse("event-people", args=[event.slug])


def list_fetched_fonts(page: Page) -> list[str]:
    """Return the site's fonts that the page has fetched."""
    names = "() => performance.getEntriesByType('resource').map(each => each.name)"
    return sorted(re.findall(r"/fonts/(\w+)\.\w+\.woff2", " ".join(page.evaluate(names))))


def open_people(open_page: Windows, names: list[str]) -> Page:
    page = open_page(path=make_people_page(names))
    expect(page.locator(".people li")).to_have_count(len(names))
    wait_for_letters(page)
    return page


def wait_for_letters(page: Page) -> None:
    """Wait until the page has loaded the fonts that the device lacks."""
    expect(page.locator("link[disabled]")).to_have_count(0)
    page.wait_for_function(LETTERS_LOADED)
    page.wait_for_load_state("networkidle")


def test_every_name_is_drawn_with_the_font_of_its_script(open_page: Windows) -> None:
    names = {name: font for font, found in NAMES_BY_FONT.items() for name in found}
    page = open_people(open_page, list(names))
    drawn = list_fonts(page, ".people bdi")
    shown = page.locator(".people bdi").all_inner_texts()
    wanted = [find_fonts(each, names[each]) for each in shown]
    assert [each for each in zip(shown, drawn, wanted, strict=True) if each[1] != each[2]] == []


def find_fonts(name: str, font: str) -> set[str]:
    """Return the fonts that should draw a name. Spaces in a name use a font of the device."""
    if font in DEVICE_FONTS:
        return {"Noto Sans"}
    return {f"+{font}", "Noto Sans"} if " " in name else {f"+{font}"}


def test_only_fonts_for_scripts_of_the_page_are_fetched(open_page: Windows) -> None:
    assert list_fetched_fonts(open_people(open_page, ["রবি", "র‍্যাচেল", "Asha 👩‍👩‍👧", "王伟"])) == [
        "bengali"
    ]
    page = open_people(open_page, ["Asha", "زينب"])
    assert list_fetched_fonts(page) == ["arabic"]


def test_fonts_for_letters_that_appear_later_are_fetched(open_page: Windows) -> None:
    page = open_page(path=make_people_page(["Asha"]))
    expect(page.locator(".people li")).to_have_count(1)
    page.evaluate("() => { document.querySelector('.people bdi').textContent = 'ಶ್ರೀನಿವಾಸ್'; }")
    page.wait_for_function("() => document.fonts.check('16px Letters', 'ಶ')")
    assert list_fonts(page, ".people bdi") == [{"+Noto Sans Kannada"}]


def test_table_fetches_fonts_after_its_first_load(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(test_layout, "PEOPLE", ["Asha", "র‍্যাচেল"])
    match = test_layout.make_table(2)
    page = open_page(match.seats.get(number=0).user, path="about:blank")
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert [each for each in urls if FONT_REQUEST.search(each)] == []
    wait_for_letters(page)
    assert list_fetched_fonts(page) == ["bengali"]
