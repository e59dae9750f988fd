"""Checks of records across the hands of a match, and of evidence files, for verify_deal.py.

It needs only Python. fair-deal.md describes what it judges and what that proves.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
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
# The y of all points of Ed25519 whose order divides 8: for such keys anyone can make signatures.
Y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
SMALL = (0, 1, P - 1, Y8, P - Y8)


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
    if y >= P or y in SMALL or x * x % P != square:
        raise ValueError("no point, or one of small order")
    return (P - x if x & 1 != raw[31] >> 7 else x), y


def signed(key: bytes, text: bytes, made: bytes) -> bool:
    if len(made) != 64 or not (len(key) == 32 or (len(key) == 65 and key[0] == 4)):
        return False
    if len(key) == 32:
        if int.from_bytes(made[32:], "little") >= L:
            return False
        base = unpacked((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
        h = int.from_bytes(hashlib.sha512(made[:32] + key + text).digest(), "little") % L
        try:
            right = edwards(unpacked(made[:32]), times(h, unpacked(key), edwards))
        except ValueError:
            return False
        return bool(times(int.from_bytes(made[32:], "little"), base, edwards) == right)
    x, y, r, s = (int.from_bytes(raw, "big") for raw in (key[1:33], key[33:], made[:32], made[32:]))
    if max(x, y) >= Q or (y * y - x**3 + 3 * x - B) % Q or not 0 < r < N or not 0 < s < N:
        return False
    z, w = int.from_bytes(hashlib.sha256(text).digest(), "big"), pow(s, -1, N)
    found = weierstrass(
        times(z * w % N, (GX, GY), weierstrass), times(r * w % N, (x, y), weierstrass)
    )
    return found is not None and found[0] % N == r


def unhex(digits: str) -> bytes:
    """Read bytes as records write them.

    Raises ValueError for capitals and spaces, which bytes.fromhex accepts.
    """
    raw = bytes.fromhex(digits)
    if raw.hex() != digits:
        raise ValueError("not in lower-case hex")
    return raw


def fields(*values: object) -> bytes:
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(len(value).to_bytes(8, "big") + value for value in raw)


FORMATS = ("hand-record/2", "hand-record/3")


def signers(record: Json) -> str:
    """Describe who signed which commitment, for a record's line of output.

    The text covers the attempt that was dealt. Signatures of void attempts are checked too. It is
    empty for hand-record/2, which has no signatures.

    Raises ValueError if a signature is invalid, or if the record's format is unknown or allows
    none.
    """
    attempts = [*record["fair"]["void"], record["fair"]]
    if record["format"] not in FORMATS:
        raise ValueError(f"{record['format']!r} is no format of a fair deal's record")
    if record["format"] == FORMATS[0]:
        if any("signed" in attempt for attempt in attempts):
            raise ValueError(f"{FORMATS[0]} has no signatures")
        return ""
    told, names = [], record.get("names", [])
    for attempt in attempts:
        agreed, made = attempt["list"], attempt.get("signed", {})
        draw = ("lastcard deal 1 signed", agreed["match"], agreed["hand"], agreed["attempt"])
        for place, seat in enumerate(agreed["seats"]):
            each, name = made.get(str(seat["seat"])), f"seat {seat['seat']}"
            if each is None and "commitment" not in seat:
                continue
            key = unhex(each["key"]) if each else b""
            text = fields(*draw, seat["seat"], seat.get("commitment"))
            if each and not signed(key, text, unhex(each["signature"])):
                raise ValueError(
                    f"attempt {agreed['attempt']}: {name} has a signature that is none"
                )
            digest = hashlib.sha256(fields("lastcard deal 1 key", key)).hexdigest()[:8]
            name = f"{names[place]} ({name})" if names else name
            by = f"signed by the device with key {digest}" if each else "not signed"
            told += [f"{name} {by}"] if attempt is record["fair"] else []
    return ", ".join(told)


def list_digest(agreed: Json) -> str:
    """T of a list, in hex."""
    entries = []
    for seat in agreed["seats"]:
        entries += [seat["seat"], seat.get("commitment") or f"-{seat['why']}"]
    draw, dealer = [agreed[key] for key in ("match", "hand", "attempt")], agreed["dealer"]
    values = (*draw, "" if dealer is None else dealer, " ".join(agreed["deck"]), agreed["server"])
    return hashlib.sha256(fields("lastcard deal 1 list", *values, *entries)).hexdigest()


def share_fits(deal: Json) -> bool:
    draw = [deal[key] for key in ("match", "hand", "attempt", "seat")]
    text = fields("lastcard deal 1 share", *draw, bytes.fromhex(deal["share"] or ""))
    return bool(hashlib.sha256(text).hexdigest() == deal["mine"])


EVIDENCE = "lastcard-evidence/4"
FORMERLY = tuple(f"lastcard-evidence/{version}" for version in (1, 2, 3))
# What nobody signs: the table's log and the event's history tell it.
MOVED = " (right only if the seat had changed hands)"


def newest(data: Json) -> Json:
    """Evidence of any version as this one: what is older has no receipts, or not even `sent`."""
    if data["format"] not in (*FORMERLY, EVIDENCE):
        raise ValueError(f"{data['format']} is newer than this script")
    deals = [{"sent": [], "failures": 0, "receipt": None} | deal for deal in data["deals"]]
    return {"keys": []} | data | {"format": EVIDENCE, "deals": deals}


class Evidence:
    """Statements that sites have signed, by key, match, hand and attempt.

    `lists` has the closed lists by digest. `taken` has the accepted commitments as pairs of seat
    and commitment. `opened` has the digest of the list by seat, for accepted shares.
    """

    def __init__(self) -> None:
        self.lists: defaultdict[Any, dict[str, Json]] = defaultdict(dict)
        self.taken: defaultdict[Any, set[tuple[int, str]]] = defaultdict(set)
        self.opened: defaultdict[Any, dict[int, str]] = defaultdict(dict)

    def read(self, data: Json) -> Iterator[str]:
        """Note what is signed; what is wrong with the file itself."""
        for deal in newest(data)["deals"]:
            draw = tuple(deal[key] for key in ("match", "hand", "attempt"))
            shown = [deal, *(each["deal"] for each in deal["complaints"])]
            for each in shown:
                if each.get("list") and each.get("receipt"):
                    yield from self.keep_list(draw, each["list"], each["receipt"])
            for sent in deal["sent"]:
                if sent.get("receipt") and sent["answer"] == "ack":
                    yield from self.keep_sent(draw, deal, sent)

    def keep_list(self, draw: Any, agreed: Json, made: Json) -> Iterator[str]:
        digest = list_digest(agreed)
        if draw != tuple(agreed[key] for key in ("match", "hand", "attempt")):
            yield f"{called(draw)}: a list of another deal"
        elif not receipt_fits(made, "list", *draw, digest):
            yield f"{called(draw)}: the receipt of the list is none"
        else:
            self.lists[made["key"], draw][digest] = agreed

    def keep_sent(self, draw: Any, deal: Json, sent: Json) -> Iterator[str]:
        seat, made, opens = deal["seat"], sent["receipt"], sent["type"] == "open"
        more = [deal["share"] or ""] if opens else [deal["server"]]
        if not receipt_fits(made, sent["type"], *draw, seat, sent["hex"], *more):
            yield f"{called(draw)}: the receipt of what seat {seat} sent is none"
        elif not opens:
            self.taken[made["key"], draw].add((seat, sent["hex"]))
        elif share_fits(deal):
            self.opened[made["key"], draw][seat] = sent["hex"]

    def proven(self, records: list[Json]) -> Iterator[str]:
        """Yield the site's actions that contradict its own receipts.

        `records` are the records of hands that were given with the evidence.
        """
        for (key, draw), lists in self.lists.items():
            if len(lists) > 1:
                yield told(key, draw, f"it closed {len(lists)} lists")
            for agreed, (seat, mine) in product(lists.values(), self.taken[key, draw]):
                if mine not in commitments(agreed):
                    yield told(key, draw, f"it accepted seat {seat}, and then left it out{MOVED}")
        for record in records:
            attempts = [*record["fair"]["void"], record["fair"]]
            yield from self.beyond(record["fair"]["list"], len(attempts))
            for attempt in attempts:
                yield from self.broken_in(attempt, attempt is record["fair"])

    def beyond(self, agreed: Json, last: int) -> Iterator[str]:
        """Yield the acknowledged attempts that come after the dealt attempt of a record.

        `agreed` is the list of the dealt attempt and `last` is its number.
        """
        for key, draw in sorted({*self.lists, *self.taken, *self.opened}):
            if draw[:2] == (agreed["match"], agreed["hand"]) and draw[2] > last:
                yield told(key, draw, "it acknowledged an attempt that the record has not")

    def broken_in(self, attempt: Json, dealt: bool) -> Iterator[str]:
        """Yield the contradictions between an attempt in a record and the receipts.

        `dealt` is true for the attempt that was dealt, false for a void one.
        """
        agreed = attempt["list"]
        draw = tuple(agreed[key] for key in ("match", "hand", "attempt"))
        for key in {key for key, of in [*self.lists, *self.taken, *self.opened] if of == draw}:
            lists = self.lists.get((key, draw), {})
            if lists and list_digest(agreed) not in lists:
                yield told(key, draw, "it closed another list than the record has")
            left = [s for s, c in self.taken.get((key, draw), ()) if c not in commitments(agreed)]
            for seat in left if not lists else ():
                yield told(key, draw, f"it accepted seat {seat}, which the record has not{MOVED}")
            for seat in self.opened.get((key, draw), {}) if not dealt else ():
                if str(seat) not in attempt["shares"]:
                    yield told(key, draw, f"it took the share of seat {seat}, and called it late")


def receipt_fits(made: Json, kind: str, *values: object) -> bool:
    key, signature = unhex(made["key"]), unhex(made["signature"])
    return signed(key, fields(f"lastcard receipt 1 {kind}", *values), signature)


def commitments(agreed: Json) -> set[str]:
    return {seat["commitment"] for seat in agreed["seats"] if "commitment" in seat}


def called(draw: Any) -> str:
    return "match {}, hand {}, attempt {}".format(*draw)


def told(key: str, draw: Any, what: str) -> str:
    return f"PROVEN {called(draw)}: {what}; signed by key {key}"


def evidence_lines(files: dict[str, Json], records: list[Json]) -> dict[str, str]:
    """One line for each file, and one for each thing that they prove."""
    evidence, more = Evidence(), {}
    for name, data in files.items():
        try:
            if problem := next(evidence.read(data), None):
                more[name] = f"FAIL {problem}"
                continue
            codes = [each["code"] for deal in data["deals"] for each in deal["complaints"]]
            said = f"; it complains of {', '.join(codes)}" if codes else ""
            more[name] = f"ok, evidence of seat {data['seat']} in match {data['match']}{said}"
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            more[name] = f"FAIL this is no evidence: {error!r}"
    proven = dict.fromkeys(evidence.proven(records))
    return more | {f"proof {number}": line for number, line in enumerate(proven, 1)}


def is_evidence(data: Any) -> bool:
    return isinstance(data, dict) and str(data.get("format")).startswith("lastcard-evidence/")


def beyond(records: dict[str, Any], verdicts: dict[str, str]) -> dict[str, str]:
    """More lines, by what they are about; of the records that verify_deal.py found ok."""
    hands: defaultdict[str, dict[int, Json]] = defaultdict(dict)
    files = {name: data for name, data in records.items() if is_evidence(data)}
    fit = [record for name, record in records.items() if verdicts[name].startswith("ok")]
    more = evidence_lines(files, fit)
    for name, record in records.items():
        if not verdicts[name].startswith("ok"):
            continue
        try:
            by = signers(record)
            more[name] = f"{verdicts[name]}; {by}" if by else verdicts[name]
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            more[name] = f"FAIL {error}"
            continue
        agreed = record["fair"]["list"]
        first = hands[agreed["match"]].setdefault(agreed["hand"], record)
        if any(record[key] != first[key] for key in ("fair", "deck", "reshuffles", "log")):
            more[name] = f"FAIL there is another record of hand {agreed['hand']}"
    for match, found in hands.items():
        deals = {number: record["fair"] for number, record in found.items()}
        more |= {f"match {match}": f"FAIL {problem}" for problem in leaving(deals)}
    return more
