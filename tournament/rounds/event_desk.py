"""The events' implementation of `games.apps.DeskPort`, as live play knows no events."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from games.protocol.desk import CountedResult, TableNews
from tournament.common.refusals import RefusedError
from tournament.models import Table, TableSeat, User
from tournament.pure.codes import Code
from tournament.results.queries import results_of
from tournament.rounds.announcements import table_news
from tournament.rounds.calls import call_referee, take_call_back


class EventDesk:
    """Desk port for events. Calls come from a seat of a match, whose player has been checked."""

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        """Return the desk's news for the tables that belong to an event."""
        return table_news(matches)

    def result(self, match: int) -> CountedResult | None:
        """Return what counts of a finished match in its event, or None."""
        found = next(iter(results_of(Table.objects.filter(match=match), public=True)), None)
        if found is None or not found.final:
            return None
        return CountedResult(found.list_places(), found.points, found.source == "correction")

    def call(self, match: int, seat: int, reason: str) -> None:
        """Call a referee. Raises RefusedError."""
        call_referee(*_find_chair(match, seat), reason)

    def take_back(self, match: int, seat: int) -> None:
        """Withdraw the seat's referee call. Raises RefusedError."""
        take_call_back(*_find_chair(match, seat))

    def check_reactions(self, match: int) -> None:
        """Check that players may react at the match's table.

        Raises RefusedError if the organizers have turned reactions off.
        """
        tables = Table.objects.filter(match=match, round__stage__event__reactions=True)
        if not tables.exists():
            raise RefusedError(Code.NO_REACTIONS, _("Reactions are turned off at this table."))


def _find_chair(match: int, seat: int) -> tuple[TableSeat, User]:
    """Return the event's seat behind a match's seat, with its player's user."""
    seats = TableSeat.objects.filter(table__match=match, number=seat)
    chair = seats.select_related("table__round__stage__event", "registration__user").first()
    if chair is None or chair.registration is None:
        raise RefusedError(Code.NO_DESK, _("You can’t call a referee to this table."))
    return chair, chair.registration.user
