"""Browser tests of a player whose seat a bot takes over before the deal.

The page must not accuse the site of leaving out the player's share.
"""

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from games.seats import SeatNumber
from games.services import SeatSpec
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    VICTIM,
    deal_with_accomplice,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.helpers import reload
from tests.services import wait_for
from tests.typed import sure

pytestmark = pytest.mark.browser

ASHA_SEAT = SeatNumber(VICTIM)


def get_commitment(match: Match) -> str | None:
    """Return Asha's commitment to the first hand, or None if there is none."""
    return match.hands.get(number=1).deals.current.commitments.get(ASHA_SEAT)


def open_with_commitment(open_page: Windows, match: Match) -> tuple[Page, str]:
    """Open Asha's page, and return it with the commitment that it has sent."""
    page = open_ashas_window(open_page, match)
    wait_for(lambda: get_commitment(match) is not None, "Asha's commitment")
    return page, sure(get_commitment(match))


def replace_by_bot(match: Match) -> None:
    services.change_seat(match, ASHA_SEAT, SeatSpec("Asha", bot="plain"))


def test_withdrawn_share_is_marked_amber_and_is_no_fault(open_page: Windows) -> None:
    match = make_unstarted_match()
    page, _made = open_with_commitment(open_page, match)
    page.goto("about:blank")
    replace_by_bot(match)
    deal_with_accomplice(match)
    services.play_out(reload(match))
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "without")
    expect(page.locator(".fair-told > p").first).to_contain_text(
        "another player took over your seat, so your contribution was dropped"
    )
    expect(page.get_by_role("button", name="Download the evidence").first).to_be_visible()


def test_share_counts_when_the_seat_is_returned_before_the_deal(open_page: Windows) -> None:
    match = make_unstarted_match()
    page, made = open_with_commitment(open_page, match)
    asha = match.seats.get(number=ASHA_SEAT).user
    replace_by_bot(match)
    services.change_seat(match, ASHA_SEAT, SeatSpec("Asha", user=asha))
    page.reload()
    wait_for(lambda: get_commitment(match) == made, "the same once more")
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
