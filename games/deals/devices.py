"""Devices that signed players' commitments, by seat."""

from collections.abc import Collection

from games.models import Hand
from games.seats import SeatNumber

# The primary key of a match, and a seat in it.
MatchSeat = tuple[int, SeatNumber]


def device_keys(matches: Collection[int]) -> dict[MatchSeat, list[str]]:
    """Return, for each seat, the public keys (in hex) that signed its commitments.

    Covers the dealt hands of the matches with these primary keys. A seat's keys are in order of
    first use. Seats without signatures are left out.
    """
    keys: dict[MatchSeat, dict[str, None]] = {}
    hands = Hand.objects.filter(match_id__in=matches).order_by("number")
    for match, deals in hands.values_list("match_id", "deals"):
        for seat, signed in deals.dealt.signed.items() if deals.dealt else ():
            keys.setdefault((match, SeatNumber(seat)), {})[signed.key] = None
    return {match_seat: list(seat_keys) for match_seat, seat_keys in keys.items()}
