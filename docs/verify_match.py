"""What records say beyond one hand; verify_deal.py asks this where it lies beside it.

It needs Python and nothing else. What it judges and what that proves is in fair-deal.md.
"""

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


def beyond(records: dict[str, Any], verdicts: dict[str, str]) -> dict[str, str]:
    """More lines, by what they are about; of the records that verify_deal.py found ok."""
    matches: defaultdict[str, dict[int, Json]] = defaultdict(dict)
    for name, record in records.items():
        if verdicts[name].startswith("ok"):
            agreed = record["fair"]["list"]
            matches[agreed["match"]][agreed["hand"]] = record["fair"]
    return {
        f"match {match}": f"FAIL {problem}"
        for match, hands in matches.items()
        for problem in leaving(hands)
    }
