"""Stored round trips of players' connections, for organizers who want to verify a race."""

from collections.abc import Mapping

from django.utils import timezone

from games.models import RoundTrip

# Smallest round trip of the probes and of the pings, in seconds. None if nothing was measured.
Trips = tuple[float | None, float | None]


def store_round_trips(trips: Mapping[int, Trips]) -> None:
    """Store the smallest recent round trips of seats, using one statement.

    `trips` is keyed by the seats' primary keys.
    """
    now = timezone.now()
    RoundTrip.objects.bulk_create(
        RoundTrip(seat_id=seat, at=now, echo=_to_milliseconds(echo), ping=_to_milliseconds(ping))
        for seat, (echo, ping) in trips.items()
        if (echo, ping) != (None, None)
    )


def _to_milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(1000 * seconds)
