"""F72: a server silently discards a player's commitment or share."""

import pytest
from playwright.sync_api import expect

from games import services
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    deal_with_accomplice,
    expect_complaint,
    expect_confirmed_complaint,
    leave_unanswered,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, open_share
from tests.services import wait_for

pytestmark = pytest.mark.browser

UNANSWERED = "reached the server, which didn’t answer and went on without it"
CALLED_OFF = "reached the server, which didn’t answer and called off the shuffle"


def test_unanswered_commitment_is_reported_at_the_table_and_on_the_page(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    leave_unanswered(monkeypatch)
    page = open_ashas_window(open_page, match)
    deal_with_accomplice(match)
    expect_complaint(page, UNANSWERED)
    expect(page.locator(".card-button")).to_have_count(3)
    expect_confirmed_complaint(page, match, UNANSWERED)


def test_discarded_share_is_reported_when_its_attempt_is_cancelled(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    leave_unanswered(monkeypatch, "open")
    page = open_ashas_window(open_page, match)
    commit_to_share(match, 1)
    hand = match.hands.get
    wait_for(lambda: len(hand(number=1).deals.current.commitments) == 2, "the commitments")
    services.start_match(match)
    open_share(match, 1)

    def has_void_attempt() -> bool:
        services.tick()
        return bool(hand(number=1).deals.void)

    wait_for(has_void_attempt, "the end of the attempt")
    expect_complaint(page, CALLED_OFF)
    expect_confirmed_complaint(page, match, CALLED_OFF)
