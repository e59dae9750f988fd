"""Keys and signatures at the edges of the standards, on which libraries disagree.

The cases resemble those of Wycheproof and ed25519-speccheck, but are computed here according to RFC
8032 and FIPS 186-5. ``python -m tests.rules.fair_edge_signatures`` writes them to
tests/js/edge_signatures.json. A test compares the file with these cases.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from games.rules.fair import signatures as curves

FILE = Path(__file__).resolve().parents[1] / "js" / "edge_signatures.json"
TEXT = b"lastcard edge"
P, L, N, Q = curves.P, curves.L, curves.N, curves.Q


class Case(NamedTuple):
    """A key and a signature of `TEXT`, in hex.

    `fits`: true if every verifier must accept the signature.
    """

    name: str
    key: str
    signature: str
    fits: bool


@cache
def list_cases() -> tuple[Case, ...]:
    return (*_iter_ed25519_cases(), *_iter_p256_cases())


# --- Ed25519, with a known private key

SECRET, NONCE = 0x1F2E3D4C5B6A79880123456789ABCDEF, 0xFEDCBA98765432100F1E2D3C4B5A6978


@cache
def _multiply_base(n: int) -> bytes:
    base = curves._decode_point(_encode_ed25519_y(4 * pow(5, -1, P) % P))
    assert base is not None
    return _compress_point(curves._multiply_point(n, base, curves._add_ed25519, curves._NONE))


def _compress_point(point: tuple[int, int, int, int]) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return _encode_ed25519_y(y, x & 1)


def _encode_ed25519_y(y: int, sign: int = 0) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def _hash_to_scalar(message: bytes, key: bytes) -> int:
    return int.from_bytes(hashlib.sha512(message + key + TEXT).digest(), "little") % L


def _sign_ed25519(key: bytes, secret: int, nonce: int = NONCE) -> bytes:
    made = _multiply_base(nonce)
    return made + ((nonce + _hash_to_scalar(made, key) * secret) % L).to_bytes(32, "little")


def _iter_small_order_keys() -> Iterator[tuple[str, bytes]]:
    """Yield all encodings of the points whose order divides 8, canonical or not."""
    for y in (*curves.SMALL, P, P + 1):
        for sign in (0, 1):
            yield f"y {_encode_ed25519_y(y).hex()[:8]}…, sign {sign}", _encode_ed25519_y(y, sign)


def _iter_ed25519_cases() -> Iterator[Case]:
    key = _multiply_base(SECRET)
    good = _sign_ed25519(key, SECRET)
    made, s = good[:32], int.from_bytes(good[32:], "little")

    def make_case(name: str, key: bytes, signature: bytes, fits: bool = False) -> Case:
        return Case(f"Ed25519: {name}", key.hex(), signature.hex(), fits)

    yield make_case("as it should be", key, good, fits=True)
    yield make_case("S + L, below 2**253", key, made + (s + L).to_bytes(32, "little"))
    yield make_case("S + 2 L", key, made + (s + 2 * L).to_bytes(32, "little"))
    yield make_case("S = L", key, made + L.to_bytes(32, "little"))
    yield make_case("S of ones", key, made + b"\xff" * 32)
    yield make_case("S = 0", key, made + bytes(32))
    yield make_case("R of zeros", key, bytes(32) + good[32:])
    yield make_case("R with its sign turned", key, made[:31] + bytes([made[31] ^ 128]) + good[32:])
    yield make_case("all zeros", key, bytes(64))
    yield make_case("a key that is no point", _encode_ed25519_y(2), good)
    yield make_case("a key of ones", b"\xff" * 32, good)
    for name, small in _iter_small_order_keys():
        # The signature (s·B, s) is valid for any text under a key of order 1, and for about one
        # text in eight under the other keys.
        for nonce in range(NONCE, NONCE + 8):
            forged = _multiply_base(nonce) + (nonce % L).to_bytes(32, "little")
            yield make_case(f"a key of small order, {name}, nonce {nonce - NONCE}", small, forged)
        yield make_case(f"small order, {name}, R the same and S = 0", small, small + bytes(32))
        # R of small order: the owner of the key computed S = h·a for it.
        scaled = (_hash_to_scalar(small, key) * SECRET % L).to_bytes(32, "little")
        yield make_case(f"R of small order, {name}", key, small + scaled)
    # The y coordinates of these keys exceed the field's prime. The points are not of small order.
    for y in range(2, 19):
        yield make_case(f"a key with y = p + {y}", _encode_ed25519_y(P + y), good)


# --- P-256


def _multiply_generator(n: int) -> tuple[int, int]:
    found = curves._multiply_point(n, curves.G, curves._add_p256, None)
    assert found is not None
    return found


def _encode_p256_point(x: int, y: int) -> bytes:
    return b"\x04" + x.to_bytes(32, "big") + y.to_bytes(32, "big")


def _encode_signature(r: int, s: int) -> bytes:
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def _encode_der_signature(r: int, s: int) -> bytes:
    parts = b""
    for number in (r, s):
        raw = number.to_bytes(33, "big").lstrip(b"\0") or b"\0"
        raw = b"\0" + raw if raw[0] > 127 else raw
        parts += b"\x02" + bytes([len(raw)]) + raw
    return b"\x30" + bytes([len(parts)]) + parts


def _iter_p256_cases() -> Iterator[Case]:
    x, y = _multiply_generator(SECRET)
    key, z = _encode_p256_point(x, y), int.from_bytes(hashlib.sha256(TEXT).digest(), "big")
    r = _multiply_generator(NONCE)[0] % N
    s = (z + r * SECRET) * pow(NONCE, -1, N) % N

    def make_case(name: str, key: bytes, signature: bytes, fits: bool = False) -> Case:
        return Case(f"P-256: {name}", key.hex(), signature.hex(), fits)

    low, high = sorted((s, N - s))
    yield make_case("as it should be, low S", key, _encode_signature(r, low), fits=True)
    yield make_case(
        "as it should be, high S: the standard bounds it no further",
        key,
        _encode_signature(r, high),
        fits=True,
    )
    for name, pair in {
        "r = 0": (0, s),
        "s = 0": (r, 0),
        "both 0": (0, 0),
        "r = n": (N, s),
        "s = n": (r, N),
        "both n": (N, N),
        "r = 1, s = 0": (1, 0),
        "r of ones": (2**256 - 1, s),
        "s of ones": (r, 2**256 - 1),
        "r = q": (Q, s),
        "r and s exchanged": (s, r),
        "-r": (N - r, s),
    }.items():
        yield make_case(name, key, _encode_signature(*pair))
    yield make_case("r beyond n by a small number, s = 1", key, _encode_signature(N + 1, 1))
    yield make_case("DER", key, _encode_der_signature(r, s))
    yield make_case("DER, cut off", key, _encode_der_signature(r, s)[:64])
    yield make_case(
        "raw with a zero before each half",
        key,
        b"\0" + _encode_signature(r, s)[:32] + b"\0" + _encode_signature(r, s)[32:],
    )
    yield make_case("one byte short", key, _encode_signature(r, s)[:63])
    yield make_case(
        "a key that is not on the curve",
        _encode_p256_point(x, (y + 1) % Q),
        _encode_signature(r, s),
    )
    yield make_case(
        "the other key with this x", _encode_p256_point(x, Q - y), _encode_signature(r, s)
    )
    yield make_case("a key of zeros", _encode_p256_point(0, 0), _encode_signature(r, s))
    yield make_case("a key of ones", b"\x04" + b"\xff" * 64, _encode_signature(r, s))
    yield make_case("a compressed key", bytes([2 + (y & 1)]) + key[1:33], _encode_signature(r, s))
    yield make_case("a hybrid key", bytes([6 + (y & 1)]) + key[1:], _encode_signature(r, s))
    yield make_case("the point at infinity", b"\0", _encode_signature(r, s))
    # The point with the smallest x can also be encoded with x + q.
    small = next(one for one in range(1, 99) if _find_p256_y(one) is not None)
    root = _find_p256_y(small)
    assert root is not None
    for name, first in (("x", small), ("x + q", small + Q)):
        yield make_case(
            f"a key with a small {name}", _encode_p256_point(first, root), _encode_signature(r, s)
        )
    # With the private key 1 and r = -z, the sum is the point at infinity.
    yield make_case(
        "a sum at infinity", _encode_p256_point(*curves.G), _encode_signature(-z % N, 1)
    )


def _find_p256_y(x: int) -> int | None:
    square = (x**3 - 3 * x + curves.B) % Q
    y = pow(square, (Q + 1) // 4, Q)
    return y if y * y % Q == square else None


def format_cases() -> str:
    result = [each._asdict() for each in list_cases()]
    return json.dumps({"text": TEXT.decode(), "cases": result}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(format_cases())
