"""Encryption of push messages for a device (RFC 8291), and the site's signature (RFC 8292)."""

import os
import time
from urllib.parse import urlsplit

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from tournament.pure.push_keys import P256_ORDER, decode_private_key, encode_base64url

CURVE = ec.SECP256R1()
# Push services accept messages of 4096 bytes, so a message is always a single record.
RECORD_BYTES = 4096
MAX_TEXT_BYTES = RECORD_BYTES - 86 - 17
# Padding delimiter of the last record.
END = b"\x02"
# In seconds. Push services accept signatures that are valid for at most a day.
SIGNATURE_LIFETIME = 12 * 3600
MAILTO = "mailto:"


def _encode_point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def encrypt(
    text: bytes,
    point: bytes,
    secret: bytes,
    salt: bytes | None = None,
    key: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Encrypt a message for the device with this public key (`point`) and secret.

    By default, `salt` and `key` are random. Only tests pass them. Raises ValueError if the message
    is too long.
    """
    if len(text) > MAX_TEXT_BYTES:
        raise ValueError("The message is too long.")
    salt, key = salt or os.urandom(16), key or ec.generate_private_key(CURVE)
    device = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
    own_point = _encode_point(key.public_key())
    shared = key.exchange(ec.ECDH(), device)
    ikm = _derive_key(shared, secret, b"WebPush: info\0" + point + own_point, 32)
    content_key = _derive_key(ikm, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive_key(ikm, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(own_point)]) + own_point
    return header + AESGCM(content_key).encrypt(nonce, text + END, None)


def _derive_key(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(key)


def _site_key() -> ec.EllipticCurvePrivateKey:
    """Return the private key from the settings, or one derived from the site's secret key."""
    if configured := settings.VAPID_PRIVATE_KEY:
        return ec.derive_private_key(decode_private_key(configured), CURVE)
    derived = _derive_key(settings.SECRET_KEY.encode(), b"", b"lastcard push key", 48)
    return ec.derive_private_key(int.from_bytes(derived, "big") % (P256_ORDER - 1) + 1, CURVE)


def public_key() -> str:
    """Return the site's public key, to which browsers bind their subscriptions."""
    return encode_base64url(_encode_point(_site_key().public_key()))


def authorization(endpoint: str) -> str:
    """Return the Authorization header that identifies this site to a push service."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNATURE_LIFETIME,
        "sub": _choose_contact(),
    }
    token = jwt.encode(claims, _site_key(), algorithm="ES256")
    return f"vapid t={token}, k={public_key()}"


def _choose_contact() -> str:
    """Return a public address where push services can contact the site's operators."""
    if settings.PRIVACY_CONTACT:
        return f"{MAILTO}{settings.PRIVACY_CONTACT}"
    if settings.SITE_ADDRESS.startswith("https://"):
        return str(settings.SITE_ADDRESS)
    return f"{MAILTO}{settings.DEFAULT_FROM_EMAIL.rpartition('<')[2].strip('> ')}"
