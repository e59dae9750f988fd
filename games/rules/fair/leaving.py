"""Verification, over the records, that seats sit out after holding up earlier hands.

Pure code. The hands are those of one match. Missing hands may have been held up or not:
nothing is reported as a fault that would be right in either case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.rules.fair.attempts import FairDeal, is_left_out
from games.rules.fair.deal import NO_BEFORE

# A hand of the match by its number: its deal, None for one that was dealt without any.
Hands = Mapping[int, FairDeal | None]


def faults(hands: Hands) -> Iterator[str]:
    """Yield every entry that contradicts the hands before it.

    Each item is a sentence without its full stop.
    """
    for number, deal in sorted(hands.items()):
        for seat, entry in deal.dealt.list.entries if deal else ():
            if fault := _find_fault(hands, number, seat, entry):
                yield f"hand {number}: seat {seat} {fault}"


def _find_fault(hands: Hands, number: int, seat: int, entry: str) -> str | None:
    if entry == NO_BEFORE and not is_left_out(
        _find_held_up_hands(hands, number, seat, unknown=True)
    ):
        return "sits out, but has not held up hands for that"
    if not entry.startswith("-") and is_left_out(
        _find_held_up_hands(hands, number, seat, unknown=False)
    ):
        return "has a share, but had to sit out for hands that it held up"
    return None


def _find_held_up_hands(hands: Hands, number: int, seat: int, *, unknown: bool) -> Sequence[bool]:
    """Return, for each hand before this one, whether the seat held it up."""
    return [
        deal is not None and seat in deal.failed if (each in hands) else unknown
        for each in range(1, number)
        for deal in (hands.get(each),)
    ]
