"""A table of one's own, with bots."""

from typing import Any

from django.db import transaction

from games.models import Match
from games.services.basics import SeatSpec
from games.services.matches import abandon_match, create_match, start_match

BOTS = ("Ada", "Babbage", "Curie", "Dirac", "Euler", "Fermat", "Gauss", "Hopper", "Ising")
# People who only want to try out need not hurry; bots that play at once are hard to follow.
TURN_SECONDS, BOT_SECONDS, BETWEEN_SECONDS = 120, 1.4, 15
# After so long the table is left alone until its player comes back.
ABSENCE_SECONDS = 30
OVER = "A new practice match was begun."


@transaction.atomic
def start_practice(user: Any, ruleset: str, seats: int, strength: str = "plain") -> Match:
    """A practice match against bots, begun. The person's earlier one is abandoned."""
    for match in Match.objects.filter(practice=True, seats__user=user).exclude(phase="over"):
        abandon_match(match, OVER)
    people = [SeatSpec(name=str(user)[:40], user=user)]
    bots = [SeatSpec(name=f"{name} (bot)", bot=strength) for name in BOTS[: seats - 1]]
    match = create_match(
        ruleset=ruleset,
        options={},
        seats=people + bots,
        title="Practice",
        turn_seconds=TURN_SECONDS,
        absence_seconds=ABSENCE_SECONDS,
        bot_seconds=BOT_SECONDS,
        between_seconds=BETWEEN_SECONDS,
        practice=True,
    )
    return start_match(match)
