"""Devices that signed the parts of deals, seat by seat."""

from collections.abc import Collection

from games.models import Hand
from games.seats import SeatNumber

# A match, and a seat of it.
Chair = tuple[int, SeatNumber]


def device_keys(matches: Collection[int]) -> dict[Chair, list[str]]:
    """Return the public keys, in hex, that signed each seat's parts in dealt hands.

    Only hands of these matches count. Keys are in order of first use. Seats without signed
    parts are left out.
    """
    keys: dict[Chair, dict[str, None]] = {}
    hands = Hand.objects.filter(match_id__in=matches).order_by("number")
    for match, deals in hands.values_list("match_id", "deals"):
        for seat, signed in deals.dealt.signed.items() if deals.dealt else ():
            keys.setdefault((match, SeatNumber(seat)), {})[signed.key] = None
    return {chair: list(found) for chair, found in keys.items()}
