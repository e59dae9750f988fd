"""Recent reactions of the players at a table."""

from datetime import timedelta

from django.utils import timezone

from games.models import Reaction
from games.protocol.reactions import Reacted

# Older reactions are not shown any more.
FRESH = timedelta(seconds=5)


def reactions_after(match: int, last: int) -> tuple[int, list[Reacted]]:
    """Return the key of the newest reaction, and the recent reactions after `last` (by key).

    Without any, the key is `last`.
    """
    fresh = Reaction.objects.filter(
        seat__match=match, pk__gt=last, at__gt=timezone.now() - FRESH
    ).select_related("seat")
    rows = list(fresh)
    messages: list[Reacted] = [
        {"type": "reacted", "seat": each.seat.number, "shown": each.shown}  # type: ignore[typeddict-item]
        for each in rows
    ]
    return max((each.pk for each in rows), default=last), messages
