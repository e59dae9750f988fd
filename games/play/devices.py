"""Verification of the signatures with which players' browsers sign commitments."""

from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.answers import RefusedError
from games.play.codes import PlayCode
from games.rules.fair.signatures import ED25519_BYTES, DeviceSignature
from games.rules.untrusted_json import InvalidJsonError

NO_KEY = gettext_noop("A commitment must include both a key and a signature in hex, or neither.")


def read_device_signature(message: Mapping[str, object]) -> DeviceSignature | None:
    """Return the key and signature in a commitment message, or None if it is not signed.

    Raises RefusedError with the code `malformed`.
    """
    if "key" not in message and "signature" not in message:
        return None
    try:
        return DeviceSignature.from_json(message)
    except InvalidJsonError:
        raise RefusedError(PlayCode.MALFORMED, _(NO_KEY)) from None


def is_valid_signature(signed: DeviceSignature, text: bytes) -> bool:
    """Return whether this is a valid signature of the text.

    Gives the same result as `DeviceSignature.fits` in a hundredth of the time.
    """
    if not signed.is_well_formed():
        return False
    key, signature = bytes.fromhex(signed.key), bytes.fromhex(signed.signature)
    try:
        if len(key) == ED25519_BYTES:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
        else:
            _verify_p256(key, signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _verify_p256(key: bytes, signature: bytes, text: bytes) -> None:
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    public.verify(encode_dss_signature(r, s), text, ec.ECDSA(SHA256()))
