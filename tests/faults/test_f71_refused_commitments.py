"""F71: a server refuses a player's commitment, in order to deal with shares that it knows."""

import pytest
from playwright.sync_api import expect

from games import services
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    VICTIM,
    deal_with_accomplice,
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
    refuse_commitments,
)
from tests.games.dealing import commit_to_share, open_share

pytestmark = pytest.mark.browser

REFUSED_CONTRIBUTION = (
    "the server refused your contribution to the shuffle although it was still accepting "
    "contributions"
)


@pytest.mark.parametrize("code", ["not-listed", "closed", "other-deal", "other-share", "malformed"])
def test_refused_commitment_is_reported_at_the_table_and_on_the_page(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    match = make_unstarted_match()
    refuse_commitments(monkeypatch, code)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, REFUSED_CONTRIBUTION)
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    expect_confirmed_complaint(page, match, REFUSED_CONTRIBUTION)


def test_honest_refusal_raises_no_complaint(open_page: Windows) -> None:
    """Close the list of shares before Asha arrives."""
    match = make_unstarted_match(share_seconds=0)
    commit_to_share(match, 1)
    services.start_match(match)
    page = open_ashas_window(open_page, match)
    open_share(match, 1)
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    assert match.seats.get(number=VICTIM).user
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "without")
    expect(page.get_by_role("status")).to_have_text(
        "1 hand was dealt without your browser’s contribution."
    )
