"""Browser tests of reactions between players at a table."""

import pytest
from playwright.sync_api import Page, expect

from games.models import Reaction
from tests.browser.conftest import TakeScreenshot, Windows
from tests.browser.senses.test_layout import MEASURE_SCROLL, MEASURE_TARGETS
from tests.tournament.staging import first_table, match_of, running_round
from tests.typed import sure
from tournament.models import Table

pytestmark = pytest.mark.browser


@pytest.fixture
def table(transactional_db: None) -> Table:
    return first_table(running_round(4))


def open_seat_page(open_page: Windows, table: Table, number: int) -> Page:
    match = match_of(table)
    user = match.seats.get(number=number).user
    page: Page = open_page(user, path=match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    return page


def test_u59_reaction_is_sent_from_one_phone_to_the_other(
    open_page: Windows, table: Table, shot: TakeScreenshot
) -> None:
    mine, theirs = (open_seat_page(open_page, table, number) for number in (0, 1))
    mine.get_by_role("button", name="React").click()
    choices = mine.locator(".stage .reaction-choice")
    expect(choices).to_have_count(9)
    for target in mine.evaluate(MEASURE_TARGETS, ".stage .reaction-choice"):
        assert target["open"], target
        assert min(target["width"], target["height"]) >= 44, target
    assert mine.evaluate(MEASURE_SCROLL) == [0, 0]
    shot(mine, "reactions", full_page=False)
    mine.get_by_role("button", name="Laughter").click()
    expect(theirs.locator('.reaction[data-shown="laugh"]')).to_be_visible()
    shot(theirs, "reaction", full_page=False)
    expect(choices).to_have_count(0)
    said = theirs.locator("#polite p", has_text="Laughter")
    expect(said).to_have_count(1)
    assert Reaction.objects.count() == 1


def test_reaction_button_covers_no_letter_of_a_name(open_page: Windows, table: Table) -> None:
    page = open_seat_page(open_page, table, 0)
    expect(page.locator(".me .reaction-sign")).to_be_visible()
    face, count, words = (
        sure(page.locator(f".me {part}").bounding_box())
        for part in (".reaction-sign", ".count", ".seat-words")
    )
    assert max(box["x"] + box["width"] for box in (face, count)) <= words["x"]


def test_u59_hidden_reactions_stay_hidden(open_page: Windows, table: Table) -> None:
    mine, theirs = (open_seat_page(open_page, table, number) for number in (0, 1))
    theirs.get_by_role("button", name="Menu").click()
    theirs.get_by_role("checkbox", name="Reactions").uncheck()
    theirs.get_by_role("button", name="Close").click()
    theirs.reload()
    expect(theirs.locator("#table[data-live]")).to_be_attached()
    expect(theirs.get_by_role("button", name="React")).to_have_count(0)
    mine.get_by_role("button", name="React").click()
    mine.get_by_role("button", name="Heart").click()
    expect(mine.locator(".reaction")).to_be_visible()
    expect(theirs.locator(".reaction")).to_have_count(0)
