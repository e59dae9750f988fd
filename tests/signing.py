"""Signers with new keys: devices, which sign commitments as browsers do, and sites."""

from collections.abc import Callable

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils

from games.rules.fair.deal import DealKey
from games.rules.fair.signatures import DeviceSignature, signed_text

DeviceSigner = Callable[[DealKey, int, str], DeviceSignature]
Signer = Callable[[bytes], DeviceSignature]


def make_ed25519_device() -> DeviceSigner:
    key = ed25519.Ed25519PrivateKey.generate()

    def sign(draw: DealKey, seat: int, commitment: str) -> DeviceSignature:
        made = key.sign(signed_text(draw, seat, commitment))
        return DeviceSignature(key.public_key().public_bytes_raw().hex(), made.hex())

    return sign


def make_p256_signer() -> Signer:
    """Return a signer with a new P-256 key, the kind of key that a site has."""
    key = ec.generate_private_key(ec.SECP256R1())
    point = serialization.PublicFormat.UncompressedPoint
    public = key.public_key().public_bytes(serialization.Encoding.X962, point)

    def sign(text: bytes) -> DeviceSignature:
        made = key.sign(text, ec.ECDSA(hashes.SHA256()))
        r, s = utils.decode_dss_signature(made)
        return DeviceSignature(public.hex(), (r.to_bytes(32, "big") + s.to_bytes(32, "big")).hex())

    return sign


def make_p256_device() -> DeviceSigner:
    sign = make_p256_signer()
    return lambda draw, seat, commitment: sign(signed_text(draw, seat, commitment))


DEVICES = [make_ed25519_device, make_p256_device]
