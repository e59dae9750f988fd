"""Applying and undoing the effects of rulings, at the table and in the event."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import services as games
from games.models import Match
from tournament.advancing.qualifiers import return_to_later_stages
from tournament.common.kinds import check_complete
from tournament.common.refusals import RefusedError
from tournament.models import DeskMessage, Registration, Round, Ruling, Table, TableSeat
from tournament.oversight.second_person import AT_ONCE, StepRequest
from tournament.people.identity import check_not_replaced
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.pure.sentences import stored_sentence
from tournament.registration.services import count_free_spots, take_out
from tournament.rounds import running_seats
from tournament.rounds.desk_messages import send_message
from tournament.rounds.running_seats import SeatState

Kind = Ruling.Kind
State = Registration.State
# Rulings that remove the player from the event.
REMOVALS = {Kind.LEAVE: State.WITHDRAWN, Kind.DISQUALIFY: State.DISQUALIFIED}


@dataclass(frozen=True)
class RulingRequest:
    """A requested ruling.

    * `kind`: a kind of ruling (`Ruling.Kind`).
    * `registration`: the player whom the ruling is about.
    * `substitute`: the player who takes over the seat, if the kind needs one.
    * `points`: the points to deduct, if the kind needs them.
    """

    kind: str
    registration: Registration
    substitute: Registration | None = None
    points: int = 0

    @property
    def facts(self) -> Facts:
        substitute = self.substitute.pk if self.substitute else None
        facts = {"kind": self.kind, "registration": self.registration.pk}
        return {**facts, "substitute": substitute, "points": self.points}


def find_immediate_forfeit(facts: Facts) -> Ruling | None:
    """Return the immediate forfeit that belongs to a request, or to the resulting ruling.

    Returns None if there was none, if the forfeit was undone, or if its round is over.
    """
    rows = Ruling.objects.select_related("registration", "table__round__stage__event", "event")
    in_force = rows.filter(cancelled_at__isnull=True, table__round__state=Round.State.RUNNING)
    return in_force.filter(pk=facts.get(AT_ONCE) or 0).first()


def _apply_card(request: StepRequest, ruling_request: RulingRequest) -> Facts:
    """Show the card at the player's table in the current round."""
    seat = running_seats.find_running_seat(ruling_request.registration)
    if seat and not _record_card_in_match(seat, ruling_request):
        _notify_table(request, ruling_request, seat.table)
    return {}


def _record_card_in_match(seat: TableSeat, ruling_request: RulingRequest) -> bool:
    """Record the card in the match, and return whether a hand is in progress."""
    if seat.table.match is None:
        return False
    number = games.SeatNumber(seat.number)
    match = games.note_ruling(seat.table.match, number, ruling_request.kind, ruling_request.points)
    return match.phase == Match.Phase.PLAYING


def _notify_table(request: StepRequest, ruling_request: RulingRequest, table: Table) -> None:
    """Announce the ruling in a message to the table, because no hand is in progress."""
    name, points = ruling_request.registration.name, ruling_request.points
    text = (
        describe_deduction_by_referee(name, points)
        if points
        else describe_card_shown_by_referee(name, str(ruling_request.kind))
    )
    send_message(request.event, request.actor, text, DeskMessage.Audience.TABLE, table=table)


@stored_sentence("referee_shows")
def describe_card_shown_by_referee(name: str, kind: str) -> str:
    """Return the message that announces a card shown by the referee."""
    return _("Referee: {name}, {kind}.").format(name=name, kind=Kind(kind).label)


@stored_sentence("referee_takes_off")
def describe_deduction_by_referee(name: str, points: int) -> str:
    """Return the message that announces a point deduction by the referee."""
    text = ngettext(
        "The referee deducted {points} point from {name}.",
        "The referee deducted {points} points from {name}.",
        points,
    )
    return text.format(name=name, points=points)


def _apply_forfeit(_request: StepRequest, ruling_request: RulingRequest) -> Facts:
    seat = running_seats.find_seat_in_play(ruling_request.registration)
    running_seats.forfeit_seat(seat)
    return {"seat": seat.number}


def _apply_bot(_request: StepRequest, ruling_request: RulingRequest) -> Facts:
    seat = running_seats.find_seat_in_play(ruling_request.registration)
    running_seats.assign_bot(seat)
    return {"seat": seat.number}


def _apply_substitute(_request: StepRequest, ruling_request: RulingRequest) -> Facts:
    seat = running_seats.find_seat_in_play(ruling_request.registration)
    assert ruling_request.substitute is not None
    running_seats.seat_substitute(seat, ruling_request.substitute)
    return {"seat": seat.number}


def _apply_removal(request: StepRequest, ruling_request: RulingRequest) -> Facts:
    """Remove the player from the event, and forfeit a seat that is being played."""
    person, facts = ruling_request.registration, _forfeit_seat(request, ruling_request.registration)
    earlier = {"state": person.state, "reason": person.reason, **facts}
    active = person.qualified.filter(active=True)
    notes = {str(each.pk): each.reason.to_json() for each in active}
    replacements = take_out(
        person, REMOVALS[Kind(ruling_request.kind)], request.actor, request.reason
    )
    return {**earlier, "notes": notes, "came": [each.pk for each in replacements]}


def _forfeit_seat(request: StepRequest, person: Registration) -> Facts:
    """Forfeit the player's seat if it is still in play, and return the facts for the ruling."""
    if immediate_forfeit := find_immediate_forfeit(request.facts):
        return {"seat": immediate_forfeit.before["seat"], AT_ONCE: immediate_forfeit.pk}
    seat = running_seats.find_running_seat(person)
    if seat is None or running_seats.find_seat_state(person, seat) != SeatState.PLAYING:
        return {}
    running_seats.forfeit_seat(seat)
    return {"seat": seat.number}


def seat_of(ruling: Ruling) -> TableSeat | None:
    """Return the seat that the ruling concerns, or None."""
    table: Table | None = ruling.table
    if table is None or "seat" not in ruling.before:
        return None
    seats = table.seats.select_related(
        "table__round__stage__event", "table__match", "registration__user", "substitute__user"
    )
    return seats.filter(number=ruling.before["seat"]).first()


def _undo_forfeit(ruling: Ruling) -> None:
    if seat := seat_of(ruling):
        running_seats.cancel_forfeit(seat)


def _undo_bot(ruling: Ruling) -> None:
    if seat := seat_of(ruling):
        running_seats.return_seat_to_player(seat)


def _undo_substitute(ruling: Ruling) -> None:
    if seat := seat_of(ruling):
        running_seats.seat_substitute(seat, ruling.registration)


def _undo_removal(ruling: Ruling) -> None:
    person, before = ruling.registration, ruling.before
    if before["state"] in Registration.HOLDS_PLACE and count_free_spots(ruling.event) == 0:
        text = _("All spots are taken. Add spots before {name} comes back.")
        raise RefusedError(Code.FULL, text.format(name=person.name))
    check_not_replaced(person)
    person.state, person.reason = before["state"], before["reason"]
    person.save(update_fields=["state", "reason"])
    return_to_later_stages(person, before["notes"], before["came"])
    _undo_forfeit(ruling)


def _undo_card(_ruling: Ruling) -> None:
    """Do nothing, because a card has no effect on who plays."""


@dataclass(frozen=True)
class Effect:
    """The effect of a kind of ruling. `apply` returns the facts that `undo` needs."""

    apply: Callable[[StepRequest, RulingRequest], Facts]
    undo: Callable[[Ruling], None]


EFFECTS = check_complete(
    Kind,
    {
        Kind.CAUTION: Effect(_apply_card, _undo_card),
        Kind.WARNING: Effect(_apply_card, _undo_card),
        Kind.POINTS: Effect(_apply_card, _undo_card),
        Kind.FORFEIT: Effect(_apply_forfeit, _undo_forfeit),
        Kind.BOT: Effect(_apply_bot, _undo_bot),
        Kind.SUBSTITUTE: Effect(_apply_substitute, _undo_substitute),
        Kind.LEAVE: Effect(_apply_removal, _undo_removal),
        Kind.DISQUALIFY: Effect(_apply_removal, _undo_removal),
    },
)
