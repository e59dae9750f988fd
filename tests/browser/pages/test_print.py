"""What comes out of the printer."""

import pytest

from tests.browser.conftest import DESKTOP, Windows
from tests.tournament.helpers import organized, qualified, started
from tournament.advancing.services import draw_bracket
from tournament.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Sides of A4 in points, as a PDF has them.
UPRIGHT, ACROSS = b"/MediaBox [0 0 595", b"/MediaBox [0 0 841"


def drawn_bracket(players: int = 32, **fields: int) -> Event:
    event, organizer = organized(players, **fields)
    started(draw_bracket(qualified(event, organizer, players), organizer), organizer)
    return event


@pytest.mark.parametrize(("players", "table_size"), [(32, 4), (64, 4), (96, 6)])
def test_u69_a_bracket_of_up_to_sixteen_first_tables_is_one_page_across(
    open_page: Windows, players: int, table_size: int
) -> None:
    event = drawn_bracket(players, table_size=table_size)
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/bracket/?view=print")
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert (printed.count(ACROSS), printed.count(UPRIGHT)) == (1, 0)


def test_u69_standings_begin_on_the_first_page_and_repeat_their_head(open_page: Windows) -> None:
    event = drawn_bracket()
    page = open_page(size=DESKTOP, path=f"/e/{event.slug}/leaderboard/?view=print")
    assert page.pdf(format="A4").count(UPRIGHT) == 2
    page.emulate_media(media="print")
    head, row = page.locator(".board thead"), page.locator(".board tbody tr").first
    assert head.evaluate("e => getComputedStyle(e).display") == "table-header-group"
    assert row.evaluate("e => getComputedStyle(e).breakInside") == "avoid"
    table = page.locator(".board")
    assert table.evaluate("e => getComputedStyle(e).breakInside") == "auto"
