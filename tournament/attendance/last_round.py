"""Who has played the last round, and so is here though nobody has checked them in."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from games import facts
from tournament.models import Event, Registration, Round, TableSeat
from tournament.results.unplayed import find_unplayed

BEGUN = (Round.State.RUNNING, Round.State.CLOSED)
# Who played within this time is likely still there.
SAME_DAY = timedelta(hours=8)


@dataclass(frozen=True)
class LastRound:
    """The latest round that has begun, and who has played in it and is not here by now."""

    played: Round
    people: list[Registration]

    @property
    def lately(self) -> bool:
        """Whether it is being played, or has ended the same day."""
        closed = self.played.closed_at
        return closed is None or closed > timezone.now() - SAME_DAY


def last_round(event: Event) -> LastRound | None:
    """None where nobody has played yet, or all who have are here or away."""
    if event.state != Event.State.RUNNING:
        return None
    begun = Round.objects.filter(stage__event=event, state__in=BEGUN)
    counting = begun.exclude(pk__in=find_unplayed(event)).select_related("stage__event")
    played = counting.order_by("-stage__number", "-number").first()
    if played is None:
        return None
    people = [one for one in _list_players(played) if not one.checked_in_at]
    return LastRound(played, people) if people else None


def _list_players(played: Round) -> Iterable[Registration]:
    """Who sat there and took part: who never came, or has forfeited, may be at home."""
    rows = TableSeat.objects.filter(table__round=played, forfeited=False)
    seats = list(rows.select_related("table", "registration", "substitute"))
    matches = {seat.table.match_id for seat in seats if seat.table.match_id}
    there = facts.took_part(matches)
    for seat in seats:
        on_the_site = seat.table.match_id is not None
        one = seat.sitter
        if one is None or one.absent_at or one.state != Registration.State.APPROVED:
            continue
        if not on_the_site or (seat.table.match_id, seat.number) in there:
            yield one
