"""What only the records of several hands of a match say together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from games.rules.fair.attempts import FairDeal
from games.rules.fair.leaving import faults
from games.rules.foreign import InvalidJson
from games.rules.record.reading import read


def check_matches(records: Iterable[object]) -> dict[str, str | None]:
    """By the match's id, for each with fair deals: what does not follow from its hands, or None.

    Records that are none, or have no fair deal, are left out: `check` speaks of each.
    """
    matches: defaultdict[str, dict[int, FairDeal | None]] = defaultdict(dict)
    for data in records:
        if deal := _deal(data):
            draw = deal.dealt.list.draw
            matches[draw.match][draw.hand] = deal
    return {match: next(faults(hands), None) for match, hands in matches.items()}


def _deal(data: object) -> FairDeal | None:
    try:
        return read(data).fair
    except (InvalidJson, RecursionError):
        return None


def signers(data: object) -> str:
    """Of a record of version 3: "; Asha signed by the device with key 3f9a1b2c, Ben not signed"."""
    deal = _deal(data)
    if deal is None or not deal.signed:
        return ""
    names = data.get("names", []) if isinstance(data, Mapping) else []
    told = []
    for place, seat in enumerate(deal.dealt.list.seats):
        name = names[place] if names else f"seat {seat}"
        if signed := deal.dealt.signed.get(seat):
            told.append(f"{name} signed by the device with key {signed.fingerprint}")
        elif seat in deal.dealt.list.listed:
            told.append(f"{name} not signed")
    return f"; {', '.join(told)}"
