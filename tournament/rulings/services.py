"""Making and undoing rulings about a player."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.rules.clusters import shorten
from tournament.common.desk_code_sessions import is_acting_by_desk_code
from tournament.common.locks import lock_event
from tournament.common.reasons import SystemReason
from tournament.common.refusals import RefusedError, check_reason
from tournament.mail.notices import MailKind, notify
from tournament.models import (
    Event,
    LogAction,
    Proposal,
    Registration,
    Round,
    Ruling,
    Stage,
    Table,
    User,
)
from tournament.oversight.audit import identify_place, record
from tournament.oversight.second_person import (
    AT_ONCE,
    Step,
    StepRequest,
    check_not_requested,
    needs_second_organizer,
    take_checked_step,
)
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.registration.departures import check_can_leave, check_still_registered
from tournament.rounds import running_seats
from tournament.rounds.running_seats import SeatState
from tournament.rulings import decisions
from tournament.rulings.conduct import current_stage, find_bot_ruling, is_seated
from tournament.rulings.effects import (
    EFFECTS,
    REMOVALS,
    RulingRequest,
    find_immediate_forfeit,
    seat_of,
)

Kind = Ruling.Kind
VERSION = 1
MAX_POINTS = 1000
# Rulings that are sent by email, because the player may not see them at the table.
MAILED = (Kind.DISQUALIFY, Kind.LEAVE, Kind.SUBSTITUTE, Kind.POINTS)
# Rulings that require the player to be playing.
WHILE_PLAYING = (Kind.FORFEIT, Kind.SUBSTITUTE, Kind.BOT)


@transaction.atomic
def rule(event: Event, actor: User, ruling_request: RulingRequest, reason: str) -> Proposal | None:
    """Make a ruling, or propose it to a second organizer if it is far-reaching.

    If the ruling would remove a player from a match in progress, the seat is forfeited immediately.
    Raises RefusedError with the code `no-reason`, `state`, `no-seat`, `over`, `paper`, `points`,
    `no-substitute`, `busy` or `asked`.
    """
    event = lock_event(event)
    _check_reason_given(reason)
    request = StepRequest(event, actor, ruling_request.facts, reason.strip())
    _check_ruling_is_possible(request)
    far = is_far_reaching(request)
    if far and needs_second_organizer(event, actor):
        check_not_requested(RULING, request)
        request = _stop_play(request, ruling_request)
    return take_checked_step(RULING, request, far=far)


def find_table_to_stop(ruling_request: RulingRequest) -> Table | None:
    """Return the table where the ruling would stop the player's match, or None."""
    if ruling_request.kind not in REMOVALS:
        return None
    seat = running_seats.find_running_seat(ruling_request.registration)
    playing = running_seats.find_seat_state(ruling_request.registration, seat) == SeatState.PLAYING
    return seat.table if seat and playing else None


def _stop_play(request: StepRequest, ruling_request: RulingRequest) -> StepRequest:
    """Forfeit the seat of a player who is about to be removed.

    This part of the ruling cannot wait for the second organizer.
    """
    table = find_table_to_stop(ruling_request)
    if table is None:
        return request
    forfeit = _make_ruling(
        replace(request, facts=RulingRequest(Kind.FORFEIT, ruling_request.registration).facts)
    )
    decisions.announce_pending(request, forfeit)
    if ruling_request.registration.user_id != request.actor.pk:
        notify(ruling_request.registration, MailKind.RULING, ruling=forfeit)
    return replace(request, facts={**request.facts, AT_ONCE: forfeit.pk})


def _restore_forfeited_seat(request: StepRequest) -> str:
    """Undo the immediate forfeit of a refused ruling if possible, and describe the outcome."""
    ruling = Ruling.objects.filter(pk=request.facts.get(AT_ONCE) or 0).first()
    if ruling is None or not ruling.stands:
        return ""
    actor = request.second or request.actor
    undo_request = StepRequest(request.event, actor, {"ruling": ruling.pk}, request.reason)
    ruling = _get_ruling(undo_request)
    name, table = ruling.registration.name, ruling.table
    try:
        _check_can_be_undone(undo_request)
    except RefusedError as refused:
        decisions.announce_decision(undo_request, ruling, decisions.describe_lasting_forfeit(name))
        text = _("{name}’s forfeit at {table} still counts: {why}")
        return text.format(name=name, table=table, why=refused.sentence)
    _undo_requested_ruling(undo_request)
    if is_table_finished(ruling):
        decisions.announce_decision(undo_request, ruling, decisions.describe_kept_result(name))
        text = _("The match at {table} is over, and it counts for {name} again.")
    else:
        decisions.announce_decision(undo_request, ruling, decisions.describe_return(name))
        text = _("{name} is playing at {table} again. Everything played in between stays as it is.")
    return text.format(name=name, table=table)


def is_table_finished(ruling: Ruling) -> bool:
    """Return whether the match at the ruling's table is over."""
    seat = seat_of(ruling)
    return seat is not None and running_seats.is_finished(seat)


def leave_event(registration: Registration, actor: User) -> None:
    """Let a player leave the event at their own request.

    Raises RefusedError with the code `state`.
    """
    rule(
        registration.event, actor, RulingRequest(Kind.LEAVE, registration), SystemReason.WISH.value
    )


@transaction.atomic
def return_seat_from_bot(event: Event, user: User) -> None:
    """Return the seat to a player whom a bot has replaced.

    Raises RefusedError with the code `no-bot` or `later`.
    """
    event = lock_event(event)
    ruling = find_bot_ruling(event, user)
    if ruling is None:
        raise RefusedError(Code.NO_BOT, _("No bot is playing for you."))
    request = StepRequest(event, user, {"ruling": ruling.pk}, SystemReason.BACK.value)
    _check_can_be_undone(request)
    _undo_requested_ruling(request)


def _check_reason_given(reason: str) -> None:
    check_reason(reason, _("Give a reason. The player will read it."))


def is_far_reaching(request: StepRequest) -> bool:
    """Return whether a second organizer must confirm the ruling.

    A disqualification must be confirmed. After a stage has closed, so must removing a player or
    deducting points, unless the player asked for it.
    """
    is_own_request = get_requested_ruling(request).registration.user_id == request.actor.pk
    closed = request.event.stages.filter(state=Stage.State.CLOSED).exists()
    kind = request.facts["kind"]
    after_cut = kind in (Kind.LEAVE, Kind.POINTS) and closed and not is_own_request
    return kind == Kind.DISQUALIFY or after_cut


def get_requested_ruling(request: StepRequest) -> RulingRequest:
    """Return the ruling that a request is about."""
    people = Registration.objects.select_related("event", "user", "student")
    facts, substitute_pk = request.facts, request.facts["substitute"]
    return RulingRequest(
        kind=facts["kind"],
        registration=people.get(pk=facts["registration"], event=request.event),
        substitute=people.get(pk=substitute_pk, event=request.event) if substitute_pk else None,
        points=facts["points"],
    )


def _check_ruling_is_possible(request: StepRequest) -> None:
    ruling_request = get_requested_ruling(request)
    person = ruling_request.registration
    check_still_registered(person)
    if ruling_request.kind == Kind.LEAVE:
        check_can_leave(request.event, person)
    if ruling_request.kind in WHILE_PLAYING:
        running_seats.find_seat_in_play(person)
    if ruling_request.kind == Kind.POINTS and not 0 < ruling_request.points <= MAX_POINTS:
        text = _("Enter the points to deduct, from 1 to {most}.")
        raise RefusedError(Code.POINTS, text.format(most=MAX_POINTS))
    if ruling_request.kind == Kind.SUBSTITUTE:
        _check_can_substitute(ruling_request.substitute)


def _check_can_substitute(substitute: Registration | None) -> None:
    if substitute is None:
        raise RefusedError(Code.NO_SUBSTITUTE, _("Choose a substitute."))
    if substitute.state in Registration.GONE or is_seated(substitute):
        text = _(
            "{name} ({state}) can’t take the seat: already at a table, or no longer in the event."
        )
        state = substitute.get_state_display()
        raise RefusedError(Code.BUSY, text.format(name=substitute.name, state=state))


def _make_ruling(request: StepRequest) -> Ruling:
    ruling_request = get_requested_ruling(request)
    seat = running_seats.find_running_seat(ruling_request.registration)
    table = seat.table if seat else None
    before = EFFECTS[Kind(ruling_request.kind)].apply(request, ruling_request)
    ruling = Ruling.objects.create(
        event=request.event,
        registration=ruling_request.registration,
        table=table,
        stage=table.round.stage if table else current_stage(request.event),
        kind=ruling_request.kind,
        points=ruling_request.points,
        substitute=ruling_request.substitute,
        before={"version": VERSION, **before},
        reason=shorten(request.reason, 300),
        given_by=request.actor,
    )
    _record(request, ruling, LogAction.RULING)
    if AT_ONCE in request.facts:
        decisions.announce_removal(request, ruling)
    if ruling.kind in MAILED:
        _send_ruling_email(ruling, request.actor)
    return ruling


def _record(request: StepRequest, ruling: Ruling, action: LogAction) -> None:
    def describe_ruling() -> str:
        text = _("Ruling: {name}, {kind}.")
        if action == LogAction.RULING_OFF:
            text = _("Ruling undone: {name}, {kind}.")
        return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())

    data = {**_make_facts(ruling), "second": bool(request.second)}
    record(request.event, request.actor, action, describe_ruling, request.reason, **data)


def _make_facts(ruling: Ruling) -> Facts:
    stage: Facts = {"stage": ruling.stage.number} if ruling.stage else {}
    place = identify_place(ruling.table) if ruling.table else stage
    substitute_pk = ruling.substitute.pk if ruling.substitute else None
    facts = {"ruling": ruling.pk, "registration": ruling.registration.pk, "kind": ruling.kind}
    return {**place, **facts, "points": ruling.points, "substitute": substitute_pk}


def _send_ruling_email(ruling: Ruling, actor: User) -> None:
    """Email the substitute or the player, unless the ruling was the player's own request.

    A player who leaves in a session with a desk code gets a confirmation.
    """
    person = ruling.registration
    if ruling.kind == Kind.SUBSTITUTE and ruling.substitute:
        notify(ruling.substitute, MailKind.SUBSTITUTE, table=ruling.table, player=person)
    elif person.user_id != actor.pk:
        notify(person, MailKind.RULING, ruling=ruling)
    elif ruling.kind == Kind.LEAVE and is_acting_by_desk_code(actor.pk):
        notify(person, MailKind.WITHDRAWN)


RULING = Step(
    Proposal.Kind.RULING, _check_ruling_is_possible, _make_ruling, _restore_forfeited_seat
)


@transaction.atomic
def undo_ruling(ruling: Ruling, actor: User, reason: str) -> Proposal | None:
    """Undo a ruling. It remains on record as undone.

    A far-reaching ruling is undone only after a second organizer has confirmed this. Raises
    RefusedError with the code `no-reason`, `state`, `later`, `closed`, `begun`, `full`, `taken` or
    `asked`.
    """
    event = lock_event(ruling.event)
    _check_reason_given(reason)
    request = StepRequest(event, actor, {"ruling": ruling.pk}, reason.strip())
    closed = ruling.stage is not None and ruling.stage.state == Stage.State.CLOSED
    far = ruling.kind == Kind.DISQUALIFY or (ruling.kind == Kind.POINTS and closed)
    _check_can_be_undone(request)
    return take_checked_step(UNDO_RULING, request, far=far)


def _get_ruling(request: StepRequest) -> Ruling:
    rows = Ruling.objects.select_related(
        "registration__user", "substitute__user", "table__round__stage__event", "event"
    )
    return rows.get(pk=request.facts["ruling"])


def _check_can_be_undone(request: StepRequest) -> None:
    ruling = _get_ruling(request)
    if not ruling.stands:
        raise RefusedError(Code.STATE, _("This ruling has already been undone."))
    if ruling.kind in Ruling.FROM_REFEREE:
        return
    table = ruling.table
    if table and "seat" in ruling.before and table.round.state != Round.State.RUNNING:
        text = _("{round} is closed. Reopen it first, then undo the ruling.")
        raise RefusedError(Code.CLOSED, text.format(round=table.round))
    later = request.event.rulings.filter(pk__gt=ruling.pk, cancelled_at__isnull=True)
    if any(
        _concerns_same_seat_or_player(ruling, other)
        for other in later.exclude(kind__in=Ruling.FROM_REFEREE)
    ):
        text = _("There is a later ruling about this seat. Undo that one first.")
        raise RefusedError(Code.LATER, text)


def _concerns_same_seat_or_player(ruling: Ruling, other: Ruling) -> bool:
    seat_key = (ruling.table_id, ruling.before.get("seat"))
    is_same = "seat" in ruling.before and seat_key == (other.table_id, other.before.get("seat"))
    return is_same or other.registration_id == ruling.registration_id


def _undo_requested_ruling(request: StepRequest) -> None:
    ruling = _get_ruling(request)
    EFFECTS[Kind(ruling.kind)].undo(ruling)
    _mark_as_undone(request, ruling)
    decisions.end_notice(request, ruling)
    if immediate_forfeit := find_immediate_forfeit(ruling.before):
        _mark_as_undone(request, immediate_forfeit)


def _mark_as_undone(request: StepRequest, ruling: Ruling) -> None:
    """Mark the ruling as undone and keep it on record."""
    ruling.cancelled_by, ruling.cancelled_at = request.actor, timezone.now()
    ruling.cancel_reason = shorten(request.reason, 300)
    ruling.save(update_fields=["cancelled_by", "cancelled_at", "cancel_reason"])
    _record(request, ruling, LogAction.RULING_OFF)


UNDO_RULING = Step(Proposal.Kind.RULING_OFF, _check_can_be_undone, _undo_requested_ruling)
