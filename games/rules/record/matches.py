"""What only the records of several hands of a match say together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

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
