"""Round trips of players' connections, kept for organizers who want to check a race."""

from collections.abc import Mapping

from django.utils import timezone

from games.models import RoundTrip


def note_round_trips(trips: Mapping[int, float | None]) -> None:
    """Store the smallest round trips of the last seconds, by seat (its key).

    They are in seconds, or None where nothing was measured. Uses one statement.
    """
    now = timezone.now()
    RoundTrip.objects.bulk_create(
        RoundTrip(seat_id=seat, at=now, echo=round(1000 * seconds))
        for seat, seconds in trips.items()
        if seconds is not None
    )
