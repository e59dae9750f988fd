"""Tests of device signatures in the rules, the script and records of version 3."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from games.rules import record
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import DealIngredients, DealKey
from games.rules.fair.signatures import DeviceSignature, signed_text
from games.rules.ruleset import rulesets
from games.rules.untrusted_json import InvalidJsonError
from tests.rules.fair_deals import make_deal_with_shares, play_fair_hand
from tests.rules.verifying import MATCH_SCRIPT, load_module, verdict
from tests.signing import DEVICES, DeviceSigner, make_ed25519_device, make_p256_device

DEAL_KEY = DealKey("table-7", 1, 1)
# RFC 8032, 7.1, test 3: key, text, signature.
RFC_8032 = (
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
)


def verify_by_script(signed: DeviceSignature, text: bytes) -> bool:
    key, made = bytes.fromhex(signed.key), bytes.fromhex(signed.signature)
    return bool(load_module(MATCH_SCRIPT).signed(key, text, made))


@pytest.mark.parametrize("make", DEVICES)
def test_signature_fits_only_its_own_commitment(make: Callable[[], DeviceSigner]) -> None:
    signed, other = make()(DEAL_KEY, 0, "ab"), make()(DEAL_KEY, 0, "ab")
    assert signed.fits(DEAL_KEY, 0, "ab")
    assert verify_by_script(signed, signed_text(DEAL_KEY, 0, "ab"))
    for draw, seat, commitment in (
        (DEAL_KEY, 1, "ab"),
        (DEAL_KEY, 0, "ac"),
        (replace(DEAL_KEY, attempt=2), 0, "ab"),
        (replace(DEAL_KEY, match="table-8"), 0, "ab"),
    ):
        assert not signed.fits(draw, seat, commitment)
        assert not verify_by_script(signed, signed_text(draw, seat, commitment))
    assert not replace(signed, key=other.key).fits(DEAL_KEY, 0, "ab")


def test_example_signature_of_the_standard_is_valid() -> None:
    key, text, made = map(bytes.fromhex, RFC_8032)
    assert load_module(MATCH_SCRIPT).signed(key, text, made)
    assert not load_module(MATCH_SCRIPT).signed(key, text + b"x", made)


@pytest.mark.parametrize("key", ["00", "05" * 65, "04" * 64, "zz" * 32, 7, None])
def test_invalid_key_is_rejected(key: object) -> None:
    with pytest.raises(InvalidJsonError):
        DeviceSignature.from_json({"key": key, "signature": "00" * 64})


def test_arbitrary_bytes_are_not_a_valid_signature() -> None:
    for key in ("ff" * 32, "02" + "00" * 31, "04" + "11" * 64):
        for made in ("00" * 64, "ff" * 64):
            assert not DeviceSignature(key, made).fits(DEAL_KEY, 0, "ab")


def test_signature_at_the_point_at_infinity_is_rejected() -> None:
    """Check that a signature is rejected if verifying it leads to the point at infinity.

    The private key is 1 and r = -z, so the point to compare is not a valid one.
    """
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    key = ec.derive_private_key(1, ec.SECP256R1()).public_key()
    point = serialization.PublicFormat.UncompressedPoint
    z = int.from_bytes(hashlib.sha256(signed_text(DEAL_KEY, 0, "ab")).digest(), "big")
    made = (-z % order).to_bytes(32, "big") + (1).to_bytes(32, "big")
    signed = DeviceSignature(key.public_bytes(serialization.Encoding.X962, point).hex(), made.hex())
    assert not signed.fits(DEAL_KEY, 0, "ab")
    assert not verify_by_script(signed, signed_text(DEAL_KEY, 0, "ab"))


# --- records


def make_signed_record(
    change: Callable[[DealIngredients], DealIngredients] = lambda opened: opened,
) -> dict[str, Any]:
    """Return the record of a hand of Asha, Ben and a bot, signed by Asha's and Ben's devices."""
    deal = make_deal_with_shares(rulesets.RULE_SETS["ocho"], range(3), 0)
    entries = dict(deal.dealt.list.entries)
    devices = {0: make_ed25519_device(), 1: make_p256_device()}
    signed = {seat: sign(DEAL_KEY, seat, entries[seat]) for seat, sign in devices.items()}
    made = play_fair_hand("ocho", FairDeal(change(replace(deal.dealt, signed=signed))))
    return json.loads(json.dumps({**made, "names": ["Asha", "Ben", "Bot"]}))  # type: ignore[no-any-return]


def get_script_verdict(data: object) -> str:
    found: dict[str, str] = load_module(MATCH_SCRIPT).beyond({"it": data}, {"it": verdict(data)})
    return found["it"]


def test_signed_record_has_version_3_and_lists_the_signers() -> None:
    data = make_signed_record()
    keys = [
        DeviceSignature.from_json(data["fair"]["signed"][seat]).fingerprint for seat in ("0", "1")
    ]
    assert (data["format"], record.check(data)) == ("hand-record/3", None)
    assert get_script_verdict(data).endswith(
        f"; Asha (seat 0) signed by the device with key {keys[0]},"
        f" Ben (seat 1) signed by the device with key {keys[1]}"
    )
    assert record.describe_signers(data) == (
        f"; Asha signed by the device with key {keys[0]},"
        f" Ben signed by the device with key {keys[1]}"
    )


def test_unsigned_seats_are_listed_as_unsigned() -> None:
    data = make_signed_record(lambda opened: replace(opened, signed={0: opened.signed[0]}))
    assert record.check(data) is None
    assert get_script_verdict(data).endswith(", Ben (seat 1) not signed")
    assert record.describe_signers(data).endswith(", Ben not signed")


def test_unsigned_record_keeps_version_2() -> None:
    data = make_signed_record(lambda opened: replace(opened, signed={}))
    assert (data["format"], record.check(data), record.describe_signers(data)) == (
        "hand-record/2",
        None,
        "",
    )
    assert get_script_verdict(data) == verdict(data)


def test_wrong_signature_is_found_by_every_checker() -> None:
    def swap_signatures(opened: DealIngredients) -> DealIngredients:
        return replace(opened, signed={0: opened.signed[1], 1: opened.signed[0]})

    data = make_signed_record(swap_signatures)
    assert record.check(data) == "fair: attempt 1: the signature of seat 0 does not fit its key"
    assert get_script_verdict(data) == "FAIL attempt 1: seat 0 has a signature that is none"


def test_signature_without_a_commitment_makes_the_record_invalid() -> None:
    data = make_signed_record()
    data["fair"]["signed"]["2"] = data["fair"]["signed"]["0"]
    assert record.check(data) == ("fair: signed: '2' is not a seat with a commitment in the list")
    old = make_signed_record() | {"format": "hand-record/2"}
    assert record.check(old) == "fair: signed: hand-record/2 has none"
