"""F74: a player's commitment is signed by another device."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from games import queries, services, store
from games.models import Match
from games.protocol.messages import Commit
from games.rules import record
from games.rules.fair.deal import DealKey
from games.rules.fair.signatures import DeviceSignature
from games.seats import SeatNumber
from tests.browser.conftest import Windows
from tests.faults.hostile import make_unstarted_match, open_ashas_window
from tests.games.dealing import commit_to_share, deal_first_hand, make_commitment, open_share
from tests.games.dealing import get_prepared_hand as prepared_hand
from tests.games.helpers import make_match, reload
from tests.rules.fair.test_edge_signatures import (
    is_valid_by_script,
    is_valid_in_records,
    is_valid_on_server,
)
from tests.rules.fair_edge_signatures import TEXT, list_cases
from tests.services import wait_for
from tests.signing import DEVICES, DeviceSigner, make_ed25519_device
from tests.typed import sure

pytestmark = pytest.mark.django_db


def sign_commitment(match: Match, seat: int, device: DeviceSigner) -> DeviceSignature:
    draw = DealKey(match.public_id, 1, 1)
    return device(draw, seat, make_commitment(match, seat))


@pytest.mark.parametrize("make", DEVICES)
def test_commitment_signed_by_its_device_is_accepted(make: Callable[[], DeviceSigner]) -> None:
    match = make_match()
    signed = sign_commitment(match, 0, make())
    commit_to_share(match, 0, signed=signed)
    assert prepared_hand(match).deals.current.signed == {0: signed}


@pytest.mark.parametrize("make", DEVICES)
def test_signature_of_another_seat_is_refused(make: Callable[[], DeviceSigner]) -> None:
    match = make_match()
    theirs = sign_commitment(match, 1, make())
    with pytest.raises(services.RefusedError) as refused:
        commit_to_share(match, 0, signed=theirs)
    assert refused.value.code == "wrong-signature"
    assert prepared_hand(match).deals.current.commitments == {}


def test_no_player_can_make_an_honest_record_look_forged() -> None:
    """Check that keys on which verifiers disagree are refused and never enter a record."""
    match = make_match()
    for case in list_cases():
        signed = DeviceSignature(case.key, case.signature)
        if len(case.key) == 64 and "small order" in case.name:
            with pytest.raises(services.RefusedError) as refused:
                commit_to_share(match, 0, signed=signed)
            assert refused.value.code == "wrong-signature"
    assert prepared_hand(match).deals.current.commitments == {}


def test_late_signature_does_not_change_the_stored_commitment() -> None:
    match = make_match()
    commit_to_share(match, 0)
    commit_to_share(match, 0, signed=sign_commitment(match, 0, make_ed25519_device()))
    assert prepared_hand(match).deals.current.signed == {}


@pytest.mark.parametrize("part", [{"key": "00" * 32}, {"key": "x", "signature": "00" * 64}])
def test_incomplete_signature_is_malformed(part: dict[str, str]) -> None:
    message: Commit = {"type": "commit", "id": "s", "hand": 1, "attempt": 1, "commitment": "00"}
    with pytest.raises(services.RefusedError) as refused:
        services.read_device_signature({**message, **part})
    assert refused.value.code == "malformed"
    assert services.read_device_signature({**message}) is None


def test_record_detects_a_signature_replaced_in_the_database() -> None:
    match = make_match(hand_limit=1)
    for seat in (0, 1):
        commit_to_share(match, seat, signed=sign_commitment(match, seat, make_ed25519_device()))
    services.start_match(match)
    for seat in (0, 1):
        open_share(match, seat)
    services.play_out(reload(match))
    hand = match.hands.get()
    exported = json.loads(json.dumps(queries.hand_record(hand)))
    assert (exported["format"], record.check(exported)) == ("hand-record/3", None)
    current = hand.deals.current
    signed: dict[int, DeviceSignature] = {0: current.signed[1], 1: current.signed[0]}
    hand.deals = hand.deals.replace_attempt(replace(current, signed=signed))
    hand.save()
    exported = json.loads(json.dumps(queries.hand_record(match.hands.get())))
    text = "fair: attempt 1: the signature of seat 0 does not fit its key"
    assert record.check(exported) == text


def test_unsigned_hand_keeps_the_old_record_format() -> None:
    match = make_match(hand_limit=1)
    deal_first_hand(match)
    services.play_out(reload(match))
    assert queries.hand_record(match.hands.get())["format"] == "hand-record/2"


SIGNATURE_CHECK = """async ({address, text, cases}) => {
  const { isSigned } = await import(address);
  const bytes = new TextEncoder().encode(text);
  return Promise.all(cases.map((each) => isSigned(each, bytes)));
}"""


@pytest.mark.browser
def test_all_verifiers_agree_on_edge_case_signatures(
    open_page: Windows,
) -> None:
    page = open_ashas_window(open_page, make_unstarted_match())
    found = page.evaluate(
        SIGNATURE_CHECK,
        {
            "address": "/static/js/fair/device.js",
            "text": TEXT.decode(),
            "cases": [case._asdict() for case in list_cases()],
        },
    )
    for case, in_page in zip(list_cases(), found, strict=True):
        answers = (
            is_valid_on_server(case),
            is_valid_in_records(case),
            is_valid_by_script(case),
            in_page,
        )
        assert (case.name, *answers) == (case.name, *[case.fits] * 4)


@pytest.mark.browser
def test_invalid_signature_gets_no_check_mark_on_the_page(open_page: Windows) -> None:
    """Forge the signature of another player's commitment."""
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for(lambda: 0 in match.hands.get().deals.current.commitments, "Asha's commitment")
    commit_to_share(match, 1, signed=sign_commitment(match, 1, make_ed25519_device()))
    services.start_match(match)
    open_share(match, 1)
    wait_for(lambda: match.hands.get().dealt_at is not None, "the deal")
    hand = match.hands.get()
    current = hand.deals.current
    draw = sure(current.agreed).draw
    forged = make_ed25519_device()(draw, 1, current.commitments[SeatNumber(0)])
    hand.deals = hand.deals.replace_attempt(replace(current, signed={**current.signed, 1: forged}))
    hand.save()
    store.forget(match.pk)
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "wrong")
    expect(page.locator(".fair-wrong")).to_contain_text(
        "the signature on Ben’s contribution doesn’t match its key"
    )


@pytest.mark.browser
def test_page_signs_and_detects_a_replaced_signature(open_page: Windows) -> None:
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for(lambda: 0 in match.hands.get().deals.current.commitments, "Asha's commitment")
    commit_to_share(match, 1)
    services.start_match(match)
    open_share(match, 1)
    wait_for(lambda: match.hands.get().dealt_at is not None, "the deal")
    hand = match.hands.get()
    assert record.check(json.loads(json.dumps(queries.hand_record(hand)))) is None
    key = hand.deals.current.signed[0].fingerprint
    expect(page.locator(".card-button")).to_have_count(3)
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "fits")
    expect(page.locator(".fair-bytes dt")).to_have_text(
        ["Server", f"You, signed by the device with key {key}", "Ben, not signed"]
    )
    current = match.hands.get().deals.current
    draw = sure(current.agreed).draw
    forged = make_ed25519_device()(draw, 0, current.commitments[SeatNumber(0)])
    hand.deals = hand.deals.replace_attempt(replace(current, signed={SeatNumber(0): forged}))
    hand.save()
    store.forget(match.pk)
    page.reload()
    expect(page.locator(".fair-wrong")).to_contain_text("the signature is missing")
