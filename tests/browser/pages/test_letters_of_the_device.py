"""Browser test of a machine that has fonts for all scripts."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Windows
from tests.browser.pages.fontless import list_fonts, make_environment
from tests.browser.pages.test_letters import DEVICE_FONTS, NAMES_BY_FONT, make_people_page
from tournament.pure.files.scripts import ARABIC, INDIC, RARE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module")
def browser_environment(
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str | float | bool]:
    fonts = [script.path for script in (RARE, *INDIC, ARABIC)]
    return make_environment(tmp_path_factory.mktemp("machine"), fonts)


def test_device_with_fonts_for_all_scripts_loads_none(open_page: Windows) -> None:
    names = [found[0] for found in NAMES_BY_FONT.values()]
    page = open_page(path=make_people_page(names))
    expect(page.locator(".people li")).to_have_count(len(names))
    page.wait_for_load_state("networkidle")
    assert page.locator("link[disabled]").count() == 1
    drawn = set().union(*list_fonts(page, ".people bdi"))
    assert drawn == {*NAMES_BY_FONT} - DEVICE_FONTS | {"Noto Sans"}
