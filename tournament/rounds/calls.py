"""Referee calls. A player makes a call, a referee takes it, and one of them ends it."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.process import here
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import LogAction, RefereeCall, Round, Table, TableSeat, User
from tournament.oversight.audit import identify_place, record
from tournament.pure.codes import Code

# Maximum number of calls from a seat within this period. If there are more problems, a referee
# should stay at the table.
MOST_CALLS, CALL_PERIOD = 3, timedelta(minutes=10)


def notify_table(table: Table) -> None:
    """Make the table's windows fetch news from the desk once the transaction commits."""
    if table.match is not None:
        topic = table.match.desk_topic
        transaction.on_commit(lambda: here().hub.poke(topic))


@transaction.atomic
def call_referee(seat: TableSeat, actor: User, reason: str = "") -> RefereeCall:
    """Call a referee to the table of this seat, or change the reason of the seat's open call.

    Raises RefusedError with the code `reason`, `state` or `too-often`.
    """
    table = seat.table
    event = lock_event(table.round.stage.event)
    if reason not in RefereeCall.Reason.values:
        raise RefusedError(
            Code.REASON, _("Choose one of the reasons, or call a referee without giving one.")
        )
    if (open_call := _find_open_call(seat)) is not None:
        return _set_reason(open_call, reason)
    _check_table_running(table)
    _check_not_too_often(seat)
    call = RefereeCall.objects.create(
        table=table, seat=seat, reason=reason, called_at=timezone.now()
    )
    description = translate_later(
        gettext_noop("{name} called a referee to {table}."), name=seat, table=table
    )
    record(
        event,
        actor,
        LogAction.CALL_REFEREE,
        description,
        _describe_reason(call),
        **identify_place(table),
        seat=seat.number,
    )
    notify_table(table)
    return call


def _find_open_call(seat: TableSeat) -> RefereeCall | None:
    """Return the seat's open call, or None. There is one if a device sends its request twice."""
    return seat.calls.filter(ended_at__isnull=True).first()


def _set_reason(call: RefereeCall, reason: str) -> RefereeCall:
    if call.reason != reason:
        call.reason = reason
        call.save(update_fields=["reason"])
        notify_table(call.table)
    return call


def _check_table_running(table: Table) -> None:
    played = Round.objects.get(pk=table.round_id)
    if played.state != Round.State.RUNNING:
        text = _("{round} is not in progress. Go to the desk.")
        raise RefusedError(Code.STATE, text.format(round=played))


def _check_not_too_often(seat: TableSeat) -> None:
    if seat.calls.filter(called_at__gt=timezone.now() - CALL_PERIOD).count() >= MOST_CALLS:
        text = _("You’ve called a referee {count} times in ten minutes. Go to the desk.")
        raise RefusedError(Code.TOO_OFTEN, text.format(count=MOST_CALLS))


def _describe_reason(call: RefereeCall) -> str:
    return str(RefereeCall.Reason(call.reason).label) if call.reason else ""


@transaction.atomic
def withdraw_call(seat: TableSeat, actor: User) -> RefereeCall | None:
    """Withdraw the seat's referee call. Return None if there is no open call."""
    event = lock_event(seat.table.round.stage.event)
    call = _find_open_call(seat)
    if call is None:
        return None
    _end_call(call)
    description = translate_later(
        gettext_noop("{name} at {table} no longer needs a referee."), name=seat, table=seat.table
    )
    record(
        event,
        actor,
        LogAction.CALL_BACK,
        description,
        "",
        **identify_place(seat.table),
        seat=seat.number,
    )
    return call


@transaction.atomic
def take_call(call: RefereeCall, actor: User) -> RefereeCall:
    """Take the call as a referee, and notify the table.

    Raises RefusedError with the code `taken` or `ended`.
    """
    event = lock_event(call.table.round.stage.event, call)
    _check_call_open(call)
    if call.taken_by is not None:
        text = _("{name} has already taken this call.")
        raise RefusedError(Code.TAKEN, text.format(name=call.taken_by))
    call.taken_by, call.taken_at = actor, timezone.now()
    call.save(update_fields=["taken_by", "taken_at"])
    description = translate_later(gettext_noop("Took the call from {table}."), table=call.table)
    record(
        event,
        actor,
        LogAction.CALL_TAKEN,
        description,
        "",
        **identify_place(call.table),
        seat=call.seat.number,
    )
    notify_table(call.table)
    return call


@transaction.atomic
def settle_call(call: RefereeCall, actor: User) -> RefereeCall:
    """Mark the referee call as resolved. Raises RefusedError with the code `ended`."""
    event = lock_event(call.table.round.stage.event, call)
    _check_call_open(call)
    _end_call(call)
    description = translate_later(gettext_noop("Resolved the call from {table}."), table=call.table)
    record(
        event,
        actor,
        LogAction.CALL_SETTLED,
        description,
        "",
        **identify_place(call.table),
        seat=call.seat.number,
    )
    return call


def _check_call_open(call: RefereeCall) -> None:
    if call.ended_at is not None:
        raise RefusedError(Code.ENDED, _("This call has been resolved or withdrawn."))


def _end_call(call: RefereeCall) -> None:
    call.ended_at = timezone.now()
    call.save(update_fields=["ended_at"])
    notify_table(call.table)
