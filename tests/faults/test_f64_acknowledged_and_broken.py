"""F64: a server breaks a promise that it signed.

The server signs its acknowledgements, so a player's evidence proves the broken promise to anyone.
The page reports an acknowledgement without a valid signature.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services, store
from games.json_values.deals import Deals
from games.models import Match
from games.play import dealing, site_key
from games.play.answers import Ack
from games.protocol.deals import DealFacts
from games.rules.fair.deal import NO_NONE, ShareList
from games.rules.fair.signatures import DeviceSignature
from games.seats import SeatNumber
from games.tables import deal as deal_query
from games.tables import view
from tests.browser.conftest import Windows
from tests.browser.tables import open_seat
from tests.faults.hostile import (
    VICTIM,
    deal_with_accomplice,
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
    verify_by_script,
)
from tests.services import wait_for
from tests.signing import make_p256_signer
from tests.typed import sure

pytestmark = pytest.mark.browser

OMITTED_CONTRIBUTION = (
    "your contribution was left out of the shuffle although the server had accepted it"
)
SIGNED_PROOF = "it contains the site’s own signatures, which prove the problem to anyone"
MISSING_SIGNATURE = "acknowledged a step of the shuffle but didn’t sign the acknowledgement"
INVALID_SIGNATURE = "acknowledged a step of the shuffle with an invalid signature"
OTHER_KEY = "the site now signs its acknowledgements with a different key"

STORED_NOTES = """Object.entries(localStorage).filter(([name]) => name.startsWith("lastcard-deal "))
  .map(([, text]) => text)"""


def download_evidence(page: Page, folder: Path) -> Path:
    """Download the evidence at the table, and return its path."""
    with page.expect_download() as waiting:
        page.locator("#alarm").get_by_role("button", name="Download the evidence").click()
    path = folder / "evidence.json"
    waiting.value.save_as(path)
    return path


def wait_for_commitment(match: Match) -> None:
    wait_for(lambda: VICTIM in match.hands.get().deals.current.commitments, "the commitment")


def test_receipt_proves_an_omitted_share_to_a_third_party(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    honest = dealing._build_list_entry

    def act_dishonestly(snapshot: store.Snapshot, deals: Deals, seat: SeatNumber) -> str:
        return NO_NONE if seat == VICTIM else honest(snapshot, deals, seat)

    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for_commitment(match)
    monkeypatch.setattr(dealing, "_build_list_entry", act_dishonestly)
    deal_with_accomplice(match)
    expect_complaint(page, OMITTED_CONTRIBUTION)
    expect(page.locator("#alarm")).to_contain_text(SIGNED_PROOF)
    output, status = verify_by_script(download_evidence(page, tmp_path))
    proof = "hand 1, attempt 1: it accepted seat 0, and then left it out (right only if"
    assert f"PROVEN match {match.public_id}, {proof}" in output
    assert f"signed by key {site_key.site_key()}" in output
    assert status == 1
    expect_confirmed_complaint(
        page, match, "your contribution is missing although the server had accepted it"
    )


def test_honest_site_signs_and_gives_no_proof_of_fraud(open_page: Windows, tmp_path: Path) -> None:
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for_commitment(match)
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator("#alarm")).to_be_hidden()
    [note] = [json.loads(text) for text in page.evaluate(STORED_NOTES)]
    keys = [note["receipt"]["key"], *(each["receipt"]["key"] for each in note["sent"])]
    assert keys == [site_key.site_key()] * 3


def change_receipts(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[DeviceSignature], DeviceSignature | None]
) -> None:
    """Change the receipt in the server's acknowledgements of commitments."""
    honest = services.commit_share

    def act_dishonestly(
        match_id: int, meant: services.ShareTarget, commitment: str, **more: Any
    ) -> Ack:
        ack = honest(match_id, meant, commitment, **more)
        return replace(ack, receipt=change(sure(ack.receipt)))

    monkeypatch.setattr(services, "commit_share", act_dishonestly)


def return_none(_: DeviceSignature) -> None:
    return None


def sign_something_else(_: DeviceSignature) -> DeviceSignature:
    return site_key.sign_receipt(b"something else")


@pytest.mark.parametrize(
    ("change", "words"),
    [(return_none, MISSING_SIGNATURE), (sign_something_else, INVALID_SIGNATURE)],
)
def test_unsigned_receipt_is_reported_and_play_continues(
    open_page: Windows,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[DeviceSignature], DeviceSignature | None],
    words: str,
) -> None:
    match = make_unstarted_match()
    change_receipts(monkeypatch, change)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, words)
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    assert VICTIM in match.hands.get(number=1).deals.current.shares
    expect_confirmed_complaint(page, match, words)


def test_separate_key_for_one_player_is_reported_at_the_table_and_on_the_page(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a site that could later deny having signed the receipts."""
    match, sign = make_unstarted_match(), make_p256_signer()
    monkeypatch.setattr("games.deals.shares.sign_receipt", sign)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, OTHER_KEY)
    deal_with_accomplice(match)
    expect(page.locator(".card-button")).to_have_count(3)
    expect_confirmed_complaint(page, match, "with a key it doesn’t publish")


def test_site_without_a_key_or_signatures_is_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the page requires receipts even if the site names no key."""
    match = make_unstarted_match()
    monkeypatch.setattr("games.queries.site_key", lambda: "")
    monkeypatch.setattr("games.tables.deal._build_receipt", lambda agreed: None)
    change_receipts(monkeypatch, return_none)
    page = open_ashas_window(open_page, match)
    expect(page.locator("#table[data-site]")).to_have_count(0)
    expect_complaint(page, MISSING_SIGNATURE)
    deal_with_accomplice(match)
    expect_confirmed_complaint(page, match, MISSING_SIGNATURE)


def test_share_list_without_a_receipt_is_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    monkeypatch.setattr("games.tables.deal._build_receipt", lambda agreed: None)
    page = open_ashas_window(open_page, match)
    wait_for_commitment(match)
    expect(page.locator("#alarm")).to_be_hidden()
    deal_with_accomplice(match)
    expect_complaint(page, MISSING_SIGNATURE)
    expect_confirmed_complaint(page, match, MISSING_SIGNATURE)


def test_different_lists_for_two_players_are_proven_by_their_evidence(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Show and sign different lists for Asha and Ben."""

    def act_dishonestly(snapshot: store.Snapshot, seat: SeatNumber | None) -> DealFacts | None:
        facts = deal_query.deal_facts(snapshot, seat)
        if facts and facts["list"] and seat == VICTIM:
            facts["list"]["seats"].reverse()
            agreed = ShareList.from_json(facts["list"])
            signed = site_key.list_receipt(agreed.draw, agreed.digest().hex())
            facts["digest"] = agreed.digest().hex()
            facts["receipt"] = {"key": signed.key, "signature": signed.signature}
        return facts

    match = make_unstarted_match()
    monkeypatch.setattr(dealing, "OPEN_FOR", dealing.OPEN_FOR * 10)
    monkeypatch.setattr(view, "deal_facts", act_dishonestly)
    asha, ben = open_ashas_window(open_page, match), open_seat(open_page, match, 1)
    hand = match.hands.get
    wait_for(lambda: len(hand().deals.current.commitments) == 2, "both commitments")
    services.start_match(match)
    expect_complaint(asha, "the server refused your contribution to the shuffle although it was")
    wait_for(lambda: 1 in match.hands.get().deals.current.shares, "Ben's share")
    services.abandon_match(match, "power")
    ben.goto(f"/m/{match.public_id}/fair/")
    paths = [tmp_path / "asha.json", tmp_path / "ben.json"]
    for page, place, path in zip((asha, ben), ("#alarm", ".fair-evidence"), paths, strict=True):
        with page.expect_download() as waiting:
            page.locator(place).get_by_role("button", name="Download the evidence").click()
        waiting.value.save_as(path)
    output, status = verify_by_script(*paths)
    proof = f"PROVEN match {match.public_id}, hand 1, attempt 1: it closed 2 lists"
    assert f"{proof}; signed by key {site_key.site_key()}" in output
    assert status == 1
    for path in paths:  # each list is valid on its own
        assert "PROVEN" not in verify_by_script(path)[0]
    expect_confirmed_complaint(asha, match, "the server refused your contribution to the shuffle")
