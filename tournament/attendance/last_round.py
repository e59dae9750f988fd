"""Players of the last round who were not checked in, but are probably still present."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from games import facts
from tournament.models import Event, Registration, Round, TableSeat
from tournament.results.unplayed import find_unplayed_rounds

BEGUN = (Round.State.RUNNING, Round.State.CLOSED)
# Players are probably still present if their round was closed within this time.
SAME_DAY = timedelta(hours=8)


@dataclass(frozen=True)
class LastRound:
    """The latest round that was played, and its players who are not checked in."""

    round: Round
    people: list[Registration]

    @property
    def is_recent(self) -> bool:
        """True while the round is running, and for `SAME_DAY` after it was closed."""
        closed = self.round.closed_at
        return closed is None or closed > timezone.now() - SAME_DAY


def find_last_round(event: Event) -> LastRound | None:
    """Return the latest round that was played, and its players who are not checked in.

    Returns None if no round has been played, or if all its players are checked in or absent.
    """
    if event.state != Event.State.RUNNING:
        return None
    begun = Round.objects.filter(stage__event=event, state__in=BEGUN)
    played_rounds = begun.exclude(pk__in=find_unplayed_rounds(event)).select_related("stage__event")
    played = played_rounds.order_by("-stage__number", "-number").first()
    if played is None:
        return None
    people = [
        registration for registration in _list_players(played) if not registration.checked_in_at
    ]
    return LastRound(played, people) if people else None


def _list_players(round_: Round) -> Iterable[Registration]:
    """Yield the players who took part in the round.

    Players who never arrived or have forfeited are left out, because they may be at home.
    """
    rows = TableSeat.objects.filter(table__round=round_, forfeited=False)
    seats = list(rows.select_related("table", "registration", "substitute"))
    matches = {seat.table.match_id for seat in seats if seat.table.match_id}
    took_part = facts.find_participants(matches)
    for seat in seats:
        is_on_site = seat.table.match_id is not None
        registration = seat.sitter
        if (
            registration is None
            or registration.absent_at
            or registration.state != Registration.State.APPROVED
        ):
            continue
        if not is_on_site or (seat.table.match_id, seat.number) in took_part:
            yield registration
