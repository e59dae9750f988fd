"""F64: the table reports a deal that does not match the commitments."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import queries, services, store
from games.json_values.deals import Deals
from games.models import Match
from games.rules.fair import deal as fair
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    check_record,
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, open_share
from tests.games.helpers import set_shuffled_deck
from tests.services import wait_for

pytestmark = pytest.mark.browser


def open_committed_match(open_page: Windows) -> tuple[Match, Page]:
    """Create a match whose players have committed to the first hand, and open Asha's page."""
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    commit_to_share(match, 1)
    wait_for(lambda: 0 in get_deals(match).current.commitments, "Asha's commitment")
    return match, page


def get_deals(match: Match) -> Deals:
    return match.hands.get(number=1).deals


def open_dealt_match(open_page: Windows) -> tuple[Match, Page]:
    """Create a match whose first hand has been dealt honestly, and open Asha's page."""
    match, page = open_committed_match(open_page)
    services.start_match(match)
    open_share(match, 1)
    wait_for(lambda: match.hands.get(number=1).dealt_at is not None, "the deal")
    expect(page.locator(".card-button")).to_have_count(3)
    return match, page


def test_hand_without_shares_is_reported_as_soon_as_it_is_dealt(open_page: Windows) -> None:
    match, page = open_committed_match(open_page)
    hand = match.hands.get(number=1)
    rules = rulesets.make(match.ruleset, match.options)
    hand.dealer = SeatNumber(0)
    set_shuffled_deck(hand, rules.pack.notations(rules.cards()))
    store.forget(match.pk)
    services.start_match(match)
    expect_complaint(page, "is playing the hand without ever asking for it")
    words = "attempt 1, which isn’t in the record"
    expect_confirmed_complaint(page, match, words, by_script="this is no record of a fair deal")


def reverse_deck(match: Match) -> None:
    hand = match.hands.get(number=1)
    hand.deck = hand.deck[::-1]
    hand.save()


def replace_secret(match: Match) -> None:
    hand = match.hands.get(number=1)
    hand.deals = hand.deals.replace_attempt(
        replace(hand.deals.current, secret=bytes(fair.SECRET_BYTES))
    )
    hand.save()


@pytest.mark.parametrize(
    ("cheat", "words", "faults"),
    [
        (reverse_deck, "the deck differs from the one these contributions produce", "deck"),
        (replace_secret, "the server’s secret isn’t the one it had committed to", "secret"),
    ],
)
def test_score_sheet_reports_silent_tampering(
    open_page: Windows, cheat: Callable[[Match], None], words: str, faults: str
) -> None:
    match, page = open_dealt_match(open_page)
    cheat(match)
    services.abandon_match(match, "power")
    proof = page.locator(".sheet-proof")
    expect(proof).to_contain_text("Shuffle: 1 hand doesn’t check out")
    expect(proof.get_by_role("button", name="Download the evidence")).to_be_visible()
    expect_complaint(page, "doesn’t match what was fixed before the deal")
    expect_confirmed_complaint(page, match, words, faults=faults, by_script="FAIL")


def test_honest_hand_shows_one_quiet_line_to_players_and_viewers(
    open_page: Windows,
) -> None:
    match, page = open_dealt_match(open_page)
    watching: Page = open_page(path=match.get_absolute_url())
    services.abandon_match(match, "power")
    for each in (page, watching):
        expect(each.locator(".sheet-proof")).to_have_text("Shuffle: 1 hand checks out")
        expect(each.locator("#alarm")).to_be_hidden()
    check_record(match)


OTHER_RECORD = "Attempt 1 belongs to another match or hand"
RECORD_ERROR = "The server sent an error instead of the hand’s record"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": 500, "body": "{}"}, RECORD_ERROR),
        ({"status": 404, "body": "{}"}, RECORD_ERROR),
        ({"status": 200, "body": "no record"}, RECORD_ERROR),
    ],
)
def test_error_instead_of_a_record_is_a_fault(
    open_page: Windows, answer: dict[str, Any], words: str
) -> None:
    match, page = open_dealt_match(open_page)
    open_page.expect("the server responded with a status of")
    page.route("**/hands/1.json", lambda route: route.fulfill(**answer))
    services.abandon_match(match, "power")
    expect(page.locator(".sheet-proof")).to_contain_text("Shuffle: 1 hand doesn’t check out")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "wrong")
    expect(page.locator(".fair-hand")).to_contain_text(words)


def test_record_of_another_hand_is_a_fault(open_page: Windows) -> None:
    other, page = open_dealt_match(open_page)
    services.abandon_match(other, "power")
    text = json.dumps(queries.hand_record(other.hands.get()))
    match, page = open_dealt_match(open_page)
    page.route("**/hands/1.json", lambda route: route.fulfill(body=text))
    services.abandon_match(match, "power")
    expect(page.locator(".sheet-proof")).to_contain_text("Shuffle: 1 hand doesn’t check out")
    expect_confirmed_complaint(page, match, OTHER_RECORD)


def test_hands_of_another_match_prove_nothing(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Show the hands of another match on the deal verification page."""
    other, _ = open_dealt_match(open_page)
    services.abandon_match(other, "power")
    match, _ = open_dealt_match(open_page)
    services.abandon_match(match, "power")
    honest = queries.fair_deal_page
    monkeypatch.setattr(
        queries, "fair_deal_page", lambda _shown, you: honest(store.load(other.pk), you)
    )
    page: Page = open_page(path=f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "wrong")
    expect(page.locator(".fair-wrong")).to_contain_text(OTHER_RECORD)
