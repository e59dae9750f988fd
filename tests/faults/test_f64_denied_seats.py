"""F64: a server treats a player as a viewer, and deals the hand without the player's share.

The browser remembers its seat. It complains if it gets cards of such a hand, or if it only watches
a hand to which it has contributed.
"""

from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from games.protocol import table
from games.seats import SeatNumber
from games.sockets import encoded_views
from games.store import Snapshot
from games.tables import view
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    ACCOMPLICE,
    VICTIM,
    deal_with_accomplice,
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, open_share
from tests.services import wait_for

pytestmark = pytest.mark.browser

HIDDEN_DEAL = "was shuffled while the site said that you weren’t playing it"
DENIED_SEAT = "the site says that you’re only watching, but this browser took part in the hand"
SIGNED_OUT = "You’re signed out"


class DenyingServer:
    """Server that shows the victim a viewer's view while `on` is True."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, pages: bool = True) -> None:
        self.on = True
        self._honest = view.own_part
        for module in (view, encoded_views) if pages else (encoded_views,):
            monkeypatch.setattr(module, "own_part", self._build_denied_part)

    def _build_denied_part(
        self, snapshot: Snapshot, seat: SeatNumber | None, now: datetime, **more: Any
    ) -> table.PersonalPart:
        denied = self.on and seat == VICTIM
        return self._honest(snapshot, None if denied else seat, now, **more)


@pytest.fixture
def denying_server(monkeypatch: pytest.MonkeyPatch) -> DenyingServer:
    return DenyingServer(monkeypatch)


def has_committed(match: Match) -> bool:
    return VICTIM in match.hands.get(number=1).deals.current.commitments


def open_dealt_hand(open_page: Windows, match: Match) -> Page:
    """Open Asha's page and deal the first hand honestly."""
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    commit_to_share(match, ACCOMPLICE)
    services.start_match(match)
    open_share(match, ACCOMPLICE)
    wait_for(lambda: match.hands.get(number=1).dealt_at is not None, "the deal")
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    return page


def request_view(page: Page) -> None:
    """Make the page request its view again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_player_shown_as_a_viewer_until_the_deal_is_warned(
    open_page: Windows, denying_server: DenyingServer
) -> None:
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    expect(page.locator("#table[data-viewer]")).to_be_attached()
    deal_with_accomplice(match)
    expect(page.locator("#alarm")).to_be_hidden()
    denying_server.on = False
    request_view(page)
    expect_complaint(page, HIDDEN_DEAL)
    assert not has_committed(match)
    expect_confirmed_complaint(page, match, HIDDEN_DEAL)


def test_player_signed_out_until_the_deal_is_warned(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, denial = make_unstarted_match(), DenyingServer(monkeypatch, pages=False)
    page: Page = open_page(match.seats.get(number=VICTIM).user, path=match.get_absolute_url())
    expect(page.locator("#banner")).to_contain_text(SIGNED_OUT)
    deal_with_accomplice(match)
    denial.on = False
    page.reload()
    expect(page.locator(".card-button")).to_have_count(3)
    expect_complaint(page, HIDDEN_DEAL)
    assert not has_committed(match)
    expect_confirmed_complaint(page, match, HIDDEN_DEAL)


def test_player_shown_as_a_viewer_during_a_hand_is_warned(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    page = open_dealt_hand(open_page, match)
    DenyingServer(monkeypatch)
    page.reload()
    expect(page.locator("#table[data-viewer]")).to_be_attached()
    expect_complaint(page, DENIED_SEAT)
    expect_confirmed_complaint(page, match, DENIED_SEAT)


def test_player_shown_as_a_viewer_before_the_deal_is_warned(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Show the viewer's page before the second hand is dealt, and the player's page afterwards."""
    match = make_unstarted_match(hand_limit=2)
    page = open_dealt_hand(open_page, match)
    denial = DenyingServer(monkeypatch)
    services.redo_hand(match, "A card was shown.")
    page.reload()
    expect(page.locator("#table[data-viewer][data-live]")).to_be_attached()

    def is_list_closed() -> bool:
        services.tick()
        return match.hands.get(number=2).deals.closed

    commit_to_share(match, ACCOMPLICE)
    wait_for(is_list_closed, "the list")
    open_share(match, ACCOMPLICE)
    wait_for(lambda: match.hands.get(number=2).dealt_at is not None, "the second hand")
    denial.on = False
    page.reload()
    expect(page.locator(".card-button").first).to_be_visible()
    expect_complaint(page, f"Hand 2 {HIDDEN_DEAL}")


def test_player_who_confirms_having_signed_out_gets_the_check_mark(open_page: Windows) -> None:
    match = make_unstarted_match()
    page = open_dealt_hand(open_page, match)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.reload()
    expect_complaint(page, DENIED_SEAT)
    page.get_by_role("button", name="I signed out or gave up my seat").click()
    expect(page.locator("#alarm")).to_be_hidden()
    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    page.reload()
    expect(page.locator(".card-button")).to_have_count(3)
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "fits")
