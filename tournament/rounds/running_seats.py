"""Seats in a running round, and changes of who occupies them."""

from enum import Enum, auto

from django.db.models import Q
from django.utils.translation import gettext as _

from games import services as games
from games.models import Match
from tournament.common.refusals import RefusedError
from tournament.models import Event, Registration, Round, Stage, TableSeat
from tournament.pure.codes import Code
from tournament.results.queries import result_of
from tournament.rounds.services import make_seat_spec
from tournament.seating.services import BOT

# Refusals to ignore: the match is over, or the person or bot already has the seat.
NOTHING_TO_CHANGE = (games.PlayCode.OVER, games.PlayCode.SAME)


def find_running_seat(registration: Registration) -> TableSeat | None:
    """Return the seat of a running round that the player occupies or is credited for, or None."""
    seats = TableSeat.objects.filter(table__round__state=Round.State.RUNNING)
    own_seats = seats.filter(Q(registration=registration) | Q(substitute=registration))
    rows = own_seats.select_related(
        "table__round__stage__event",
        "table__match",
        "registration__user",
        "substitute__user",
    )
    return rows.order_by("-pk").first()


class SeatState(Enum):
    """The state of a player's seat, which determines the effect of a ruling.

    * NONE: no seat in a running round.
    * PLAYING: the player is playing there.
    * COVERED: a substitute is playing there.
    * FORFEITED: the player has forfeited the match.
    * FINISHED: the table has finished, but the round is still running.
    """

    NONE = auto()
    PLAYING = auto()
    COVERED = auto()
    FORFEITED = auto()
    FINISHED = auto()


def find_seat_state(registration: Registration, seat: TableSeat | None) -> SeatState:
    """Return the state of a seat from `find_running_seat`."""
    if seat is None:
        return SeatState.NONE
    if is_finished(seat):
        return SeatState.FINISHED
    if seat.forfeited:
        return SeatState.FORFEITED
    return SeatState.PLAYING if seat.sitter == registration else SeatState.COVERED


def is_finished(seat: TableSeat) -> bool:
    """Return whether the seat's table has finished playing."""
    table = seat.table
    if is_on_site(seat):
        assert table.match is not None
        return bool(table.match.phase == Match.Phase.OVER)
    return result_of(table).final


def is_on_site(seat: TableSeat) -> bool:
    """Return whether the seat's table has a match on the site."""
    return seat.table.match is not None and not seat.table.paper


def find_seat_in_play(registration: Registration) -> TableSeat:
    """Return the seat where the player is playing now.

    Raises RefusedError with the code `no-seat` or `over`.
    """
    seat = find_running_seat(registration)
    if seat is None or seat.sitter != registration or seat.forfeited:
        text = _("{name} has no seat in a round in progress.")
        raise RefusedError(Code.NO_SEAT, text.format(name=registration.name))
    if is_finished(seat):
        raise RefusedError(Code.OVER, _("The match at {table} is over.").format(table=seat.table))
    return seat


def forfeit_seat(seat: TableSeat) -> None:
    """Forfeit the match for this seat.

    The player can no longer play. In partner games a bot takes the seat, otherwise it stays empty.
    """
    seat.forfeited = True
    seat.save(update_fields=["forfeited"])
    _occupy_seat(seat, make_seat_spec(seat))


def cancel_forfeit(seat: TableSeat) -> None:
    """Cancel the seat's forfeit, so that its player can continue."""
    seat.forfeited = False
    seat.save(update_fields=["forfeited"])
    _occupy_seat(seat, make_seat_spec(seat))


def assign_bot(seat: TableSeat) -> None:
    """Let a bot play until the seat is returned to its player.

    Raises RefusedError with the code `paper`.
    """
    if not is_on_site(seat):
        raise RefusedError(Code.PAPER, _("A bot can’t play with physical cards."))
    name = make_seat_spec(seat).name
    _occupy_seat(seat, games.SeatSpec(name=name, bot=BOT))


def return_seat_to_player(seat: TableSeat) -> None:
    """Let the player take over from the bot."""
    _occupy_seat(seat, make_seat_spec(seat))


def seat_substitute(seat: TableSeat, registration: Registration) -> None:
    """Give an absent player's seat to a substitute.

    The event's rules decide which of the two gets the result.
    """
    if result_belongs_to_substitute(seat):
        seat.registration = registration
    else:
        seat.substitute = None if registration == seat.registration else registration
    seat.save(update_fields=["registration", "substitute"])
    _occupy_seat(seat, make_seat_spec(seat))


def result_belongs_to_substitute(seat: TableSeat) -> bool:
    """Return whether the result of this seat belongs to its substitute, if it has one.

    In later stages, the result always belongs to the player who has advanced.
    """
    stage = seat.table.round.stage
    is_first_stage = stage.number == 1 and stage.format == Stage.Format.ROUNDS
    return is_first_stage and stage.event.substitutes == Event.Substitutes.THEMSELVES


def _occupy_seat(seat: TableSeat, spec: games.SeatSpec) -> None:
    if seat.table.match is None:
        return
    try:
        games.change_seat(seat.table.match, games.SeatNumber(seat.number), spec)
    except RefusedError as refused:
        if refused.code not in NOTHING_TO_CHANGE:
            raise
