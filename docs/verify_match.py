"""What records say beyond one hand; verify_deal.py asks this where it lies beside it.

It needs Python and nothing else. What it judges and what that proves is in fair-deal.md.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


def sits_out(held_up: list[bool]) -> bool:
    times = sum(held_up)
    return times > 0 and held_up[::-1].index(True) + 1 < 2 ** (times - 1)


def failed(fair: Json) -> set[int]:
    listed = [(each["shares"], seat) for each in fair["void"] for seat in each["list"]["seats"]]
    unopened = [seat for shares, seat in listed if str(seat["seat"]) not in shares]
    return {seat["seat"] for seat in unopened if "commitment" in seat}


def leaving(hands: dict[int, Json]) -> Iterator[str]:
    """Of one match, by the number of each hand, what its record has as `fair`."""
    for number, fair in sorted(hands.items()):
        for seat in fair["list"]["seats"]:
            known = {n: seat["seat"] in failed(hands[n]) for n in range(1, number) if n in hands}
            # Hands whose records are not there may have been held up or not.
            may, must = (
                sits_out([known.get(n, x) for n in range(1, number)]) for x in (True, False)
            )
            if seat.get("why") == "before" and not may:
                yield f"hand {number}: seat {seat['seat']} sits out, but held up no hands for that"
            if "commitment" in seat and must:
                yield f"hand {number}: seat {seat['seat']} has a share, but had to sit out"


# A device's key: Ed25519 (32 bytes) or a point of P-256 (65 bytes).
P, Q = 2**255 - 19, 2**256 - 2**224 + 2**192 + 2**96 - 1
D, L = -121665 * pow(121666, -1, P) % P, 2**252 + 27742317777372353535851937790883648493
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
GX = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
GY = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5


def edwards(p: Any, q: Any) -> Any:
    if p is None or q is None:
        return p or q
    t = D * p[0] * q[0] * p[1] * q[1]
    x, y = (p[0] * q[1] + p[1] * q[0]) * pow(1 + t, -1, P), (p[1] * q[1] + p[0] * q[0])
    return x % P, y * pow(1 - t, -1, P) % P


def weierstrass(p: Any, q: Any) -> Any:
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % Q == 0:
        return None
    up, down = (3 * p[0] ** 2 - 3, 2 * p[1]) if p == q else (q[1] - p[1], q[0] - p[0])
    slope = up * pow(down, -1, Q)
    x = (slope * slope - p[0] - q[0]) % Q
    return x, (slope * (p[0] - x) - p[1]) % Q


def times(n: int, point: Any, add: Any) -> Any:
    total = None
    while n:
        total, point, n = add(total, point) if n & 1 else total, add(point, point), n >> 1
    return total


def unpacked(raw: bytes) -> tuple[int, int]:
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    x = root if root * root % P == square else root * pow(2, (P - 1) // 4, P) % P
    if y >= P or x * x % P != square:
        raise ValueError("no point")
    return (P - x if x & 1 != raw[31] >> 7 else x), y


def signed(key: bytes, text: bytes, made: bytes) -> bool:
    if len(key) == 32:
        base = unpacked((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
        h = int.from_bytes(hashlib.sha512(made[:32] + key + text).digest(), "little") % L
        right = edwards(unpacked(made[:32]), times(h, unpacked(key), edwards))
        return bool(times(int.from_bytes(made[32:], "little"), base, edwards) == right)
    x, y, r, s = (int.from_bytes(raw, "big") for raw in (key[1:33], key[33:], made[:32], made[32:]))
    if (y * y - x**3 + 3 * x - B) % Q or not 0 < r < N or not 0 < s < N:
        return False
    z, w = int.from_bytes(hashlib.sha256(text).digest(), "big"), pow(s, -1, N)
    found = weierstrass(
        times(z * w % N, (GX, GY), weierstrass), times(r * w % N, (x, y), weierstrass)
    )
    return found is not None and found[0] % N == r


def fields(*values: object) -> bytes:
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(len(value).to_bytes(8, "big") + value for value in raw)


def signers(record: Json) -> str:
    """Who signed what, for the line of a record; ValueError if a signature is none."""
    told, names = [], record.get("names", [])
    for attempt in [*record["fair"]["void"], record["fair"]]:
        agreed, made = attempt["list"], attempt.get("signed", {})
        draw = ("lastcard deal 1 signed", agreed["match"], agreed["hand"], agreed["attempt"])
        for place, seat in enumerate(agreed["seats"]):
            each, name = made.get(str(seat["seat"])), f"seat {seat['seat']}"
            if each is None and "commitment" not in seat:
                continue
            key = bytes.fromhex(each["key"]) if each else b""
            text = fields(*draw, seat["seat"], seat.get("commitment"))
            if each and not signed(key, text, bytes.fromhex(each["signature"])):
                raise ValueError(
                    f"attempt {agreed['attempt']}: {name} has a signature that is none"
                )
            digest = hashlib.sha256(fields("lastcard deal 1 key", key)).hexdigest()[:8]
            name = f"{names[place]} ({name})" if names else name
            by = f"signed by the device with key {digest}" if each else "not signed"
            told += [f"{name} {by}"] if attempt is record["fair"] else []
    return ", ".join(told)


def beyond(records: dict[str, Any], verdicts: dict[str, str]) -> dict[str, str]:
    """More lines, by what they are about; of the records that verify_deal.py found ok."""
    matches: defaultdict[str, dict[int, Json]] = defaultdict(dict)
    more = {}
    for name, record in records.items():
        if not verdicts[name].startswith("ok"):
            continue
        agreed = record["fair"]["list"]
        matches[agreed["match"]][agreed["hand"]] = record["fair"]
        try:
            by = signers(record) if record["format"] != "hand-record/2" else ""
            more[name] = f"{verdicts[name]}; {by}" if by else verdicts[name]
        except (LookupError, TypeError, ValueError) as error:
            more[name] = f"FAIL {error}"
    for match, hands in matches.items():
        more |= {f"match {match}": f"FAIL {problem}" for problem in leaving(hands)}
    return more
