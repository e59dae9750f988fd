"""Check that seats are left out of deals exactly when their delays of earlier hands require it.

A hand without a record may or may not have been delayed. An entry is therefore reported only if it
is wrong in both cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.rules.fair.attempts import FairDeal, is_left_out
from games.rules.fair.deal import NO_BEFORE

# Deals of a match by the number of the hand. The value is None if the hand had no fair deal.
Hands = Mapping[int, FairDeal | None]


def find_faults(hands: Hands) -> Iterator[str]:
    """Yield a sentence, without its full stop, for each entry that contradicts earlier hands."""
    for number, deal in sorted(hands.items()):
        for seat, entry in deal.dealt.list.entries if deal else ():
            if fault := _find_fault(hands, number, seat, entry):
                yield f"hand {number}: seat {seat} {fault}"


def _find_fault(hands: Hands, number: int, seat: int, entry: str) -> str | None:
    if entry == NO_BEFORE and not is_left_out(_list_delays(hands, number, seat, unknown=True)):
        return "sits out, but has not held up hands for that"
    if not entry.startswith("-") and is_left_out(_list_delays(hands, number, seat, unknown=False)):
        return "has a share, but had to sit out for hands that it held up"
    return None


def _list_delays(hands: Hands, number: int, seat: int, *, unknown: bool) -> Sequence[bool]:
    """Return for each earlier hand whether the seat delayed it.

    ``unknown`` is the value for hands without a record.
    """
    return [
        deal is not None and seat in deal.failed_seats if (each in hands) else unknown
        for each in range(1, number)
        for deal in (hands.get(each),)
    ]
