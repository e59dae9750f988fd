"""Script that recomputes the deals of hand records.

python verify_deal.py RECORD.json...

It needs only Python. fair-deal.md describes what it computes and what that proves, and
hand-record.md describes the file format. The script does not know the rules of the game:
`manage.py check_record` replays the actions. If verify_match.py is in the same folder, it judges
what the records of a match say together and what a browser's evidence proves.
"""

import hashlib
import json
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def fields(*values: object) -> bytes:
    raw = [value if isinstance(value, bytes) else str(value).encode() for value in values]
    return b"".join(len(value).to_bytes(8, "big") + value for value in raw)


def sha256(purpose: str, *values: object) -> bytes:
    return hashlib.sha256(fields(f"lastcard deal 1 {purpose}", *values)).digest()


def words(fair: Json, purpose: str) -> Iterator[int]:
    agreed, entries, opened = fair["list"], [], [bytes.fromhex(fair["secret"])]
    for seat in agreed["seats"]:
        entries += [seat["seat"], seat.get("commitment") or f"-{seat['why']}"]
        opened += [bytes.fromhex(fair["shares"][str(seat["seat"])])] if "commitment" in seat else []
    draw = agreed["match"], agreed["hand"], agreed["attempt"]
    dealer = "" if agreed["dealer"] is None else agreed["dealer"]
    digest = sha256("list", *draw, dealer, " ".join(agreed["deck"]), agreed["server"], *entries)
    for k in count():
        start = fields("lastcard deal 1 block", digest, purpose, k.to_bytes(8, "big"))
        block = hashlib.sha512(start + fields(*opened)).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4))


def below(n: int, numbers: Iterator[int]) -> int:
    return 0 if n == 1 else next(word for word in numbers if word < 2**32 - 2**32 % n) % n


def shuffled(cards: list[str], numbers: Iterator[int]) -> list[str]:
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        j = below(i + 1, numbers)
        order[i], order[j] = order[j], order[i]
    return order


def dealer(fair: Json) -> int:
    deck, seats = fair["list"]["deck"], [seat["seat"] for seat in fair["list"]["seats"]]
    if fair["list"]["dealer"] is not None:
        return seats.index(fair["list"]["dealer"])
    if not fair["points"]:
        return below(len(seats), words(fair, "dealer choice 1"))
    left, numbers = seats, count(1)
    while len(left) > 1:
        drawn = shuffled(deck, words(fair, f"dealer shuffle {next(numbers)}"))
        points = [fair["points"][card] for card in drawn[: len(left)]]
        left = [seat for seat, each in zip(left, points, strict=True) if each == max(points)]
    return seats.index(left[0])


def x_rayed(record: Json) -> Iterator[tuple[list[str], str]]:
    for entry in record["log"]:
        for step in range(1, record["seats"] if "reveals" in entry else 0):
            seat = str((entry["seat"] + step) % record["seats"])
            if seat in entry["reveals"]:
                yield entry["held"][seat], entry["reveals"][seat]


def problems(record: Json) -> Iterator[str]:
    fair, agreed = record["fair"], record["fair"]["list"]
    for number, attempt in enumerate([*fair["void"], fair], 1):
        draw, shares = (agreed["match"], agreed["hand"], number), attempt["shares"]
        secret = bytes.fromhex(attempt["secret"])
        if draw != tuple(attempt["list"][key] for key in ("match", "hand", "attempt")):
            yield f"attempt {number}: its list is that of another match, hand or attempt"
        if sha256("secret", *draw, secret).hex() != attempt["list"]["server"]:
            yield f"attempt {number}: the secret does not fit the server's commitment"
        seats = {str(seat["seat"]): seat.get("commitment") for seat in attempt["list"]["seats"]}
        for seat, share in shares.items():
            if sha256("share", *draw, seat, bytes.fromhex(share)).hex() != seats.get(seat):
                yield f"attempt {number}: the share of seat {seat} does not fit its commitment"
        missing = [seat for seat, made in seats.items() if made and seat not in shares]
        if missing and attempt is fair:
            yield f"attempt {number}: dealt without the shares of seats {', '.join(missing)}"
        if not missing and attempt is not fair:
            yield f"attempt {number}: void with all its shares"
    if record["dealer"] != dealer(fair):
        yield "dealer: the list or the draw names another one"
    if record["deck"] != shuffled(agreed["deck"], words(fair, "deal")):
        yield "deck: secret and shares make another one"
    for number, pile in enumerate(record["reshuffles"], 1):
        in_order = sorted(pile, key=agreed["deck"].index)
        if pile != shuffled(in_order, words(fair, f"reshuffle {number}")):
            yield f"reshuffle {number}: secret and shares make another one"
    for number, (held, card) in enumerate(x_rayed(record), 1):
        if card != held[below(len(held), words(fair, f"choice {number}"))]:
            yield f"choice {number}: secret and shares choose another card"


def verdict(record: Json) -> str:
    try:
        if problem := next(problems(record), None):
            return f"FAIL {problem}"
        seats, agreed = ", ".join(record["fair"]["shares"]) or "none", record["fair"]["list"]
        out = "".join(f", without {s['seat']} ({s['why']})" for s in agreed["seats"] if "why" in s)
        draw = f"match {agreed['match']}, hand {agreed['hand']}, attempt {agreed['attempt']}"
        return f"ok, with the shares of seats {seats}{out}: {draw}"
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        return f"FAIL this is no record of a fair deal: {error!r}"


if __name__ == "__main__":
    read = {path: json.loads(Path(path).read_text(encoding="utf-8-sig")) for path in sys.argv[1:]}
    lists = {path: data if isinstance(data, list) else [data] for path, data in read.items()}
    every = {f"{path} record {n}": x for path, xs in lists.items() for n, x in enumerate(xs)}
    verdicts = {name: verdict(record) for name, record in every.items()}
    if Path(__file__).with_name("verify_match.py").exists():
        sys.path.append(str(Path(__file__).parent))
        from verify_match import beyond

        verdicts |= beyond(every, verdicts)
    print(*(f"{name}: {told}" for name, told in verdicts.items()), sep="\n")
    sys.exit(any(told.startswith(("FAIL", "PROVEN")) for told in verdicts.values()))
