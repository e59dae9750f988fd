"""Extra time that players at a table have for each turn."""

from dataclasses import dataclass

from games.services import SeatNumber
from tournament.models import Table, TableSeat


@dataclass(frozen=True)
class ExtraTime:
    """A seat, and the extra seconds that its player has for each turn."""

    seat: TableSeat
    seconds: int


def list_extra_times(table: Table) -> list[ExtraTime]:
    """Return the extra time of each player at the table, in seat order."""
    people = [seat for seat in table.seats.all() if seat.registration]
    if table.match is None:
        return [ExtraTime(seat, _get_planned_seconds(seat, table)) for seat in people]
    seconds_by_seat = dict(table.match.seats.values_list("number", "extra_seconds"))
    return [ExtraTime(seat, seconds_by_seat.get(SeatNumber(seat.number), 0)) for seat in people]


def sum_extra_times(table: Table) -> int:
    """Return the total extra seconds of all players. Each grant of extra time increases it."""
    return sum(each.seconds for each in list_extra_times(table))


def _get_planned_seconds(seat: TableSeat, table: Table) -> int:
    """Return the extra seconds that the seat would have in a match that started now."""
    assert seat.registration is not None
    return seat.registration.extra_seconds + table.extra_seconds
