"""Recent reactions of the players at a table."""

from datetime import timedelta

from django.utils import timezone

from games.models import Reaction
from games.protocol.reactions import Reacted

# How long reactions are shown.
SHOWN_FOR = timedelta(seconds=5)


def reactions_after(match: int, last: int) -> tuple[int, list[Reacted]]:
    """Return the newest reaction's primary key, and messages about recent reactions.

    Only reactions with a key above `last` are included. If there are none, the key is `last`.
    """
    recent = Reaction.objects.filter(
        seat__match=match, pk__gt=last, at__gt=timezone.now() - SHOWN_FOR
    ).select_related("seat")
    rows = list(recent)
    messages: list[Reacted] = [
        {"type": "reacted", "seat": row.seat.number, "shown": row.shown}  # type: ignore[typeddict-item]
        for row in rows
    ]
    return max((row.pk for row in rows), default=last), messages
