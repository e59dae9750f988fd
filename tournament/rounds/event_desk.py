"""The desk's interface for live play, which must not import from this app."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from games.protocol.desk import CountedResult, TableNews
from tournament.common.refusals import RefusedError
from tournament.models import Table, TableSeat, User
from tournament.pure.codes import Code
from tournament.results.queries import results_of
from tournament.rounds.announcements import load_table_news
from tournament.rounds.calls import call_referee, withdraw_call


class EventDesk:
    """Implementation of games.apps.DeskPort. Callers have checked who plays at the seat."""

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        """Return the desk's news for the tables of these matches, except practice tables."""
        return load_table_news(matches)

    def result(self, match: int) -> CountedResult | None:
        """Return the result that counts for a finished event match, or None."""
        result = next(iter(results_of(Table.objects.filter(match=match), public=True)), None)
        if result is None or not result.final:
            return None
        return CountedResult(result.list_places(), result.points, result.source == "correction")

    def call_referee(self, match: int, seat: int, reason: str) -> None:
        """Call a referee. Raises RefusedError."""
        call_referee(*_find_event_seat(match, seat), reason)

    def withdraw_call(self, match: int, seat: int) -> None:
        """Withdraw the seat's referee call. Raises RefusedError."""
        withdraw_call(*_find_event_seat(match, seat))

    def check_reactions(self, match: int) -> None:
        """Check that the organizers allow reactions at the match's table.

        Raises RefusedError with the code `no-reactions`.
        """
        tables = Table.objects.filter(match=match, round__stage__event__reactions=True)
        if not tables.exists():
            raise RefusedError(Code.NO_REACTIONS, _("Reactions are turned off at this table."))


def _find_event_seat(match: int, seat: int) -> tuple[TableSeat, User]:
    """Return the event's seat for this seat of a match, and the account of its player.

    Raises RefusedError with the code `no-desk` if there is none.
    """
    seats = TableSeat.objects.filter(table__match=match, number=seat)
    event_seat = seats.select_related("table__round__stage__event", "registration__user").first()
    if event_seat is None or event_seat.registration is None:
        raise RefusedError(Code.NO_DESK, _("You can’t call a referee to this table."))
    return event_seat, event_seat.registration.user
