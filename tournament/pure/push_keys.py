"""Text form of the keys for push messages: base64url (RFC 4648)."""

import re
from base64 import b64decode, urlsafe_b64encode

# The order of the curve P-256. A private key is a smaller number.
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE64URL = re.compile(r"[\w-]*", re.ASCII)


def encode_base64url(value: bytes) -> str:
    """Encode bytes as base64url without padding."""
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Decode base64url, with or without padding. Raises ValueError if the text is invalid."""
    text = text.rstrip("=")
    if not BASE64URL.fullmatch(text):
        raise ValueError("not base64url")
    return b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def decode_private_key(text: str) -> int:
    """Decode a private key for P-256 in the form that VAPID tools print.

    Raises ValueError if the text is not a key.
    """
    key = int.from_bytes(decode_base64url(text), "big")
    if len(text) != 43 or not 0 < key < P256_ORDER:
        raise ValueError("not a private key for P-256")
    return key
