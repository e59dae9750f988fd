"""A table of one's own, with bots."""

from typing import Any

from django.db import transaction

from games.models import Match
from games.services.matches import abandon_match, create_match, start_match
from games.services.spec import SHARE_SECONDS, MatchSpec, Pace, SeatSpec

BOTS = ("Ada", "Babbage", "Curie", "Dirac", "Euler", "Fermat", "Gauss", "Hopper", "Ising")
# People who only want to try out need not hurry; bots that play at once are hard to follow. After
# so long without its player the table is left alone until they come back.
PACE = Pace(
    turn_seconds=120,
    bot_seconds=1.4,
    between_seconds=15,
    absence_seconds=30,
    share_seconds=SHARE_SECONDS,
)


@transaction.atomic
def start_practice(user: Any, ruleset: str, seats: int, strength: str = "plain") -> Match:
    """A practice match against bots, begun. The person's earlier one is abandoned."""
    for match in Match.objects.filter(practice=True, seats__user=user).exclude(phase="over"):
        abandon_match(match, "")
    people = [SeatSpec(name=str(user)[:40], user=user)]
    bots = [SeatSpec(name=f"{name} (bot)", bot=strength) for name in BOTS[: seats - 1]]
    spec = MatchSpec(ruleset, {}, people + bots, pace=PACE, practice=True)
    return start_match(create_match(spec))
