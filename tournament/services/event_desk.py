"""The events' answer to `games.apps.Desk`: live play asks it, and knows no events."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from games import services as games
from games.protocol.desk import TableNews
from tournament.models import Table, TableSeat, User
from tournament.queries.told import table_news
from tournament.services.calls import call_referee, take_call_back
from tournament.services.errors import Refused


class EventDesk:
    """Calls come from a seat of a match; its player has been checked."""

    def news(self, matches: Collection[int]) -> dict[int, TableNews]:
        """What holds at those of the tables that belong to an event."""
        return table_news(matches)

    def call(self, match: int, seat: int, reason: str) -> None:
        """Call a referee. Raises games.services.Refused."""
        with refused_as_play():
            call_referee(*_chair(match, seat), reason)

    def take_back(self, match: int, seat: int) -> None:
        """Take the call back. Raises games.services.Refused."""
        with refused_as_play():
            take_call_back(*_chair(match, seat))

    def check_reactions(self, match: int) -> None:
        """Raises games.services.Refused where the organizers have switched them off."""
        tables = Table.objects.filter(match=match, round__stage__event__reactions=True)
        if not tables.exists():
            raise games.Refused("no-reactions", _("There are no reactions at this table."))


@contextmanager
def refused_as_play() -> Iterator[None]:
    """What the event refuses inside, live play refuses with the same code and sentence."""
    try:
        yield
    except Refused as refused:
        raise games.Refused(refused.code, refused.message) from None


def _chair(match: int, seat: int) -> tuple[TableSeat, User]:
    """The event's seat behind a match's, and who sits there."""
    seats = TableSeat.objects.filter(table__match=match, number=seat)
    chair = seats.select_related("table__round__stage__event", "registration__user").first()
    if chair is None or chair.registration is None:
        raise games.Refused("no-desk", _("Nobody can be called to this table."))
    return chair, chair.registration.user
