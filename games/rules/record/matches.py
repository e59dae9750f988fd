"""Checks that need the records of several hands of a match."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from games.rules.fair.attempts import FairDeal
from games.rules.fair.leaving import find_faults
from games.rules.record.reading import read
from games.rules.untrusted_json import InvalidJsonError

COMMON_KEYS = ("fair", "deck", "reshuffles", "log")


def check_matches(records: Iterable[object]) -> dict[str, str | None]:
    """Map the public id of each match to its first fault, or to None.

    Records that are invalid or have no fair deal are ignored.
    """
    matches: defaultdict[str, dict[int, FairDeal | None]] = defaultdict(dict)
    seen: dict[tuple[str, int], list[object]] = {}
    forked: dict[str, str] = {}
    for data in records:
        if deal := _read_deal(data):
            draw, common = deal.dealt.list.draw, _select_common_parts(data)
            matches[draw.match][draw.hand] = deal
            if seen.setdefault((draw.match, draw.hand), common) != common:
                fault = f"hand {draw.hand}: there are two records of it that differ"
                forked.setdefault(draw.match, fault)
    return {
        match: forked.get(match) or next(find_faults(hands), None)
        for match, hands in matches.items()
    }


def _select_common_parts(data: object) -> list[object]:
    """Return the parts of a record that are the same in all copies.

    The other parts depend on who downloaded the copy, and on the players' current names.
    """
    assert isinstance(data, Mapping)
    return [data[key] for key in COMMON_KEYS]


def _read_deal(data: object) -> FairDeal | None:
    try:
        return read(data).fair
    except (InvalidJsonError, RecursionError):
        return None


def describe_signers(data: object) -> str:
    """Describe which players' devices signed the record's fair deal.

    The text looks like "; Asha signed by the device with key 3f9a1b2c, …". It is empty if no device
    signed.
    """
    deal = _read_deal(data)
    if deal is None or not deal.has_signatures:
        return ""
    names = data.get("names", []) if isinstance(data, Mapping) else []
    statements = []
    for place, seat in enumerate(deal.dealt.list.seats):
        name = names[place] if names else f"seat {seat}"
        if signed := deal.dealt.signed.get(seat):
            statements.append(f"{name} signed by the device with key {signed.fingerprint}")
        elif seat in deal.dealt.list.listed:
            statements.append(f"{name} not signed")
    return f"; {', '.join(statements)}"
