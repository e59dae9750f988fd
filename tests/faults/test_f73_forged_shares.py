"""F73: a server forges a share in a player's name."""

import pytest
from playwright.sync_api import expect

from games import services
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, open_share
from tests.services import wait_for

pytestmark = pytest.mark.browser

NOT_YOURS = "there’s a contribution to the shuffle in your name that this browser didn’t send"


def test_forged_share_is_reported_at_the_table_and_on_the_page(open_page: Windows) -> None:
    match = make_unstarted_match()
    for seat in (0, 1):
        commit_to_share(match, seat)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, NOT_YOURS)
    services.start_match(match)
    for seat in (0, 1):
        open_share(match, seat)
    wait_for(lambda: match.hands.get().dealt_at is not None, "the deal")
    expect(page.locator(".card-button")).to_have_count(3)
    expect_confirmed_complaint(page, match, NOT_YOURS)


def test_second_window_of_a_browser_raises_no_alarm(open_page: Windows) -> None:
    match = make_unstarted_match()
    first = open_ashas_window(open_page, match)
    deals = match.hands.get
    wait_for(lambda: 0 in deals().deals.current.commitments, "Asha's commitment")
    second = first.context.new_page()
    second.goto(match.get_absolute_url())
    expect(second.locator("#table[data-live]")).to_be_attached()
    expect(second.locator("#alarm")).to_be_hidden()
