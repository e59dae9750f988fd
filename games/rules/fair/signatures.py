"""Signatures of commitments by players' devices, verified with the standard library alone.

A key of 32 bytes is an Ed25519 key (RFC 8032). A key of 65 bytes that begins with 4 is a point on
P-256, used for ECDSA with SHA-256. All signatures have 64 bytes. docs/fair-deal.md defines the
signed text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from games.rules.fair.commitments import LABEL, DealKey, digest, encode_field
from games.rules.untrusted_json import bytes_of, object_of, required_value, text_of

SIGNATURE_BYTES = 64
ED25519_BYTES, P256_BYTES = 32, 65


@dataclass(frozen=True, slots=True)
class DeviceSignature:
    """A device's public key and its signature of a commitment, both in hex."""

    key: str
    signature: str

    @property
    def fingerprint(self) -> str:
        return key_fingerprint(self.key)

    def fits(self, draw: DealKey, seat: int, commitment: str) -> bool:
        """Return whether the signature is for this seat's commitment in this deal."""
        return self.verifies(signed_text(draw, seat, commitment))

    def verifies(self, text: bytes) -> bool:
        """Return whether this is a valid signature of the text."""
        if not self.is_well_formed():
            return False
        key, signature = bytes.fromhex(self.key), bytes.fromhex(self.signature)
        check = _fits_ed25519 if len(key) == ED25519_BYTES else _fits_p256
        return check(key, text, signature)

    def is_well_formed(self) -> bool:
        """Return whether the key and the signature have a form that all verifiers accept.

        Cryptographic libraries disagree about keys of small order and numbers out of range. All our
        verifiers therefore reject these before the check (docs/fair-deal.md, “Bytes”).
        """
        key, signature = bytes.fromhex(self.key), bytes.fromhex(self.signature)
        if len(key) == ED25519_BYTES:
            s = int.from_bytes(signature[32:], "little")
            return s < L and all(_is_canonical_and_large(raw) for raw in (key, signature[:32]))
        halves = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
        return all(0 < half < N for half in halves)

    def to_json(self) -> dict[str, object]:
        return {"key": self.key, "signature": self.signature}

    @classmethod
    def from_json(cls, value: object, location: str = "signed") -> DeviceSignature:
        """Read a signature written by ``to_json``.

        Raises InvalidJsonError for anything else.
        """
        data = object_of(value, location)
        key = text_of(required_value(data, "key", f"{location}: "), f"{location}: key")
        size = P256_BYTES if key.startswith("04") and len(key) == 2 * P256_BYTES else ED25519_BYTES
        bytes_of(key, size, f"{location}: key")
        signature = required_value(data, "signature", f"{location}: ")
        bytes_of(signature, SIGNATURE_BYTES, f"{location}: signature")
        return cls(key, str(signature))


def key_fingerprint(key: str) -> str:
    """Return the fingerprint of a public key: the first 8 hex digits of its digest."""
    return digest("key", bytes.fromhex(key)).hex()[:8]


def signed_text(draw: DealKey, seat: int, commitment: str) -> bytes:
    """Return the text that a device signs for its commitment."""
    parts = (f"{LABEL} signed", *draw.fields, str(seat), commitment)
    return b"".join(encode_field(part) for part in parts)


Point = TypeVar("Point")


def _multiply_point(
    n: int, point: Point, add: Callable[[Point, Point], Point], none: Point
) -> Point:
    total = none
    while n:
        if n & 1:
            total = add(total, point)
        point, n = add(point, point), n >> 1
    return total


# --- Ed25519, in extended coordinates

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
L = 2**252 + 27742317777372353535851937790883648493
# The y coordinates of the points whose order divides 8.
_ORDER_8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
SMALL = (0, 1, P - 1, _ORDER_8, P - _ORDER_8)
_Edwards = tuple[int, int, int, int]
_NONE: _Edwards = (0, 1, 1, 0)


def _add_ed25519(p: _Edwards, q: _Edwards) -> _Edwards:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _is_canonical_and_large(raw: bytes) -> bool:
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    return y < P and y not in SMALL


def _decode_point(raw: bytes) -> _Edwards | None:
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or x * x % P != square or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


_BASE = _decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def _fits_ed25519(key: bytes, text: bytes, signature: bytes) -> bool:
    key_point, commitment_point = _decode_point(key), _decode_point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if key_point is None or commitment_point is None or _BASE is None:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % L
    left, right = (
        _multiply_point(s, _BASE, _add_ed25519, _NONE),
        _add_ed25519(commitment_point, _multiply_point(h, key_point, _add_ed25519, _NONE)),
    )
    return (
        (left[0] * right[2] - right[0] * left[2]) % P
        == 0
        == (left[1] * right[2] - right[1] * left[2]) % P
    )


# --- P-256

Q = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
_Weierstrass = tuple[int, int] | None


def _add_p256(p: _Weierstrass, q: _Weierstrass) -> _Weierstrass:
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % Q == 0:
        return None
    if p == q:
        slope = (3 * p[0] * p[0] - 3) * pow(2 * p[1], -1, Q)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, Q)
    x = (slope * slope - p[0] - q[0]) % Q
    return x, (slope * (p[0] - x) - p[1]) % Q


def _fits_p256(key: bytes, text: bytes, signature: bytes) -> bool:
    x, y = int.from_bytes(key[1:33], "big"), int.from_bytes(key[33:], "big")
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    on_curve = max(x, y) < Q and (y * y - x * x * x + 3 * x - B) % Q == 0
    if not on_curve:
        return False
    z, w = int.from_bytes(hashlib.sha256(text).digest(), "big"), pow(s, -1, N)
    generator: _Weierstrass = G
    key_point: _Weierstrass = (x, y)
    point = _add_p256(
        _multiply_point(z * w % N, generator, _add_p256, None),
        _multiply_point(r * w % N, key_point, _add_p256, None),
    )
    return point is not None and point[0] % N == r
