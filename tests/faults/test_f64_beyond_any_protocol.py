"""F64: attacks that no protocol can distinguish from bad luck.

docs/fair-deal.md lists these cases. The page states what happened, and the record is correct.
"""

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from games.protocol import ClientMessage
from games.rules.fair.deal import DealKey
from games.sockets.base import SocketClosedError
from games.sockets.consumers import PlayerRequest, TableSocket
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    ACCOMPLICE,
    VICTIM,
    check_record,
    deal_with_accomplice,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, make_commitment, open_share
from tests.services import wait_for
from tests.signing import make_ed25519_device

pytestmark = pytest.mark.browser


def wait_for_commitment(match: Match) -> None:
    def has_committed() -> bool:
        return VICTIM in match.hands.get(number=1).deals.current.commitments

    wait_for(has_committed, "Asha's commitment")


def expect_hand_state(page: Page, match: Match, state: str, *words: str) -> None:
    """Check that the deal verification page shows the hand with this state and these words."""
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    hand = page.locator(".fair-hand")
    expect(hand).to_have_attribute("data-state", state)
    for each in words:
        expect(hand).to_contain_text(each)
    check_record(match)


def test_accomplice_who_fails_twice_is_named_with_the_void_attempts(
    open_page: Windows,
) -> None:
    match = make_unstarted_match(share_seconds=1)
    page = open_ashas_window(open_page, match)
    hand = match.hands.get
    wait_for_commitment(match)
    commit_to_share(match, ACCOMPLICE)
    services.start_match(match)

    def has_void_attempts(count: int) -> bool:
        services.tick()
        return len(hand(number=1).deals.void) == count

    wait_for(lambda: has_void_attempts(1), "the end of the first attempt")
    commit_to_share(match, ACCOMPLICE)
    wait_for(lambda: has_void_attempts(2), "the end of the second attempt")

    def is_dealt() -> bool:
        services.tick()
        return hand(number=1).dealt_at is not None

    wait_for(is_dealt, "the deal")
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    late = "2 earlier attempts were called off because no contribution arrived from Ben"
    expect_hand_state(
        page, match, "fits", "Shuffled by the server and you.", "Not included: Ben.", late
    )


def test_share_signed_by_the_server_is_shown_with_its_key(
    open_page: Windows,
) -> None:
    match, device = make_unstarted_match(), make_ed25519_device()
    page = open_ashas_window(open_page, match)
    wait_for_commitment(match)
    draw = DealKey(match.public_id, 1, 1)
    signed = device(draw, ACCOMPLICE, make_commitment(match, ACCOMPLICE))
    commit_to_share(match, ACCOMPLICE, signed=signed)
    services.start_match(match)
    open_share(match, ACCOMPLICE)
    wait_for(lambda: match.hands.get(number=1).dealt_at is not None, "the deal")
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    expect_hand_state(page, match, "fits", f"signed by the device with key {signed.fingerprint}")


def cut_connection(monkeypatch: pytest.MonkeyPatch, match: Match) -> None:
    """Close Asha's connection whenever her commitment arrives, until the cards are dealt.

    Her pings are handled after the commitment, because an earlier pong would reveal its arrival.
    """
    honest, instantly = TableSocket.handle_request, TableSocket.handle_immediately
    dealt = match.hands.filter(dealt_at=None).aexists

    async def act_dishonestly(self: TableSocket, message: PlayerRequest) -> None:
        if self.seat == VICTIM and message["type"] == "commit" and await dealt():
            raise SocketClosedError(1011, "")
        await honest(self, message)

    def delay_pings(self: TableSocket, message: ClientMessage) -> bool:
        return message["type"] != "ping" and instantly(self, message)

    monkeypatch.setattr(TableSocket, "handle_request", act_dishonestly)
    monkeypatch.setattr(TableSocket, "handle_immediately", delay_pings)


def test_connection_lost_until_the_deal_is_marked_amber_with_the_sent_messages(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the browser raises no alarm, because its share may never have arrived."""
    match = make_unstarted_match()
    cut_connection(monkeypatch, match)
    page: Page = open_page(match.seats.get(number=VICTIM).user, path=match.get_absolute_url())
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    late = "Your browser sent its contribution, but the server said it came too late."
    expect_hand_state(page, match, "without", late)
