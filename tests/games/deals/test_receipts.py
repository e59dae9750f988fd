"""Tests of receipts: the signatures with which the site confirms messages for a deal."""

import pytest

from games import queries, services
from games.json_values.deals import Deals
from games.play.site_key import site_key
from games.rules.fair.deal import DealKey
from games.rules.fair.receipts import commitment_receipt_text, list_receipt_text, share_receipt_text
from games.rules.fair.signatures import DeviceSignature, key_fingerprint
from games.store import load
from tests.games.dealing import (
    SHARE,
    commit_to_share,
    get_deal_facts,
    get_prepared_hand,
    make_commitment,
    make_share_target,
    open_share,
)
from tests.games.helpers import make_match
from tests.typed import sure

pytestmark = pytest.mark.django_db


def test_accepted_commitment_always_gets_a_receipt() -> None:
    match = make_match()
    draw, server = DealKey(match.public_id, 1, 1), get_prepared_hand(match).deals.current.commitment
    for _ in range(2):
        receipt = sure(commit_to_share(match, 0).receipt)
        assert receipt.key == site_key()
        assert receipt.verifies(commitment_receipt_text(draw, 0, make_commitment(match, 0), server))
        assert not receipt.verifies(
            commitment_receipt_text(draw, 1, make_commitment(match, 0), server)
        )


def test_share_list_and_each_share_get_a_receipt() -> None:
    match = make_match(hand_limit=1)
    for seat in (0, 1):
        commit_to_share(match, seat)
    assert get_deal_facts(match)["receipt"] is None
    services.start_match(match)
    draw, message = DealKey(match.public_id, 1, 1), get_deal_facts(match)
    digest = sure(message["digest"])
    assert DeviceSignature.from_json(message["receipt"]).verifies(list_receipt_text(draw, digest))
    assert get_deal_facts(match, None)["receipt"] == message["receipt"]
    opened = sure(open_share(match, 0).receipt)
    assert opened.verifies(share_receipt_text(draw, 0, digest, SHARE))
    assert get_deal_facts(match)["receipt"] == message["receipt"]


def test_refusals_and_ready_messages_get_no_receipt() -> None:
    match = make_match()
    commit_to_share(match, 0)
    with pytest.raises(services.RefusedError):
        commit_to_share(match, 0, "6b" * 32)
    assert services.Ack(1).receipt is None


def test_page_lists_current_and_earlier_site_keys() -> None:
    match = make_match()
    hand = get_prepared_hand(match)
    assert hand.deals.current.site == site_key()
    assert queries.fair_deal_page(load(match.pk), None)["fair"]["keys"] == [site_key()]
    data = hand.deals.to_json()
    data["attempts"][0]["site"] = "04" + "ab" * 64
    hand.deals = Deals.from_json(data)
    hand.save()
    page = queries.fair_deal_page(load(match.pk), None)
    assert page["fair"]["keys"] == [site_key(), "04" + "ab" * 64]
    assert page["site_keys"] == [(key_fingerprint(key), key) for key in page["fair"]["keys"]]


@pytest.mark.parametrize("site", ["zz", "04ab", "04" + "AB" * 64, 7])
def test_invalid_site_key_is_rejected(site: object) -> None:
    match = make_match()
    data = get_prepared_hand(match).deals.to_json()
    data["attempts"][0]["site"] = site
    with pytest.raises(ValueError, match="site"):
        Deals.from_json(data)


def test_old_attempts_have_no_site_key() -> None:
    match = make_match()
    data = get_prepared_hand(match).deals.to_json()
    del data["attempts"][0]["site"]
    assert Deals.from_json(data).current.site == ""
    assert make_share_target(match, 0).hand == 1
