"""Organizers' rulings about one player, their consequences, and taking rulings back."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.rules.clusters import shorten
from tournament.common.desk_deeds import acts_by_desk_code
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
from tournament.oversight.audit import record, where
from tournament.oversight.second_person import (
    AT_ONCE,
    Step,
    StepRequest,
    check_not_asked,
    needs_second,
    settle,
)
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.rounds import running_seats
from tournament.rounds.running_seats import SeatState
from tournament.rulings import decisions
from tournament.rulings.conduct import bot_plays_for, current_stage, seats_taken
from tournament.rulings.effects import EFFECTS, OUT, RulingRequest, find_immediate_forfeit, seat_of

Kind = Ruling.Kind
VERSION = 1
MOST_POINTS = 1000
# A player sees these rulings neither as a card nor at a seat, so the site sends an email.
MAILED = (Kind.DISQUALIFY, Kind.LEAVE, Kind.SUBSTITUTE, Kind.POINTS)
# The player must be playing for them.
AT_A_TABLE = (Kind.FORFEIT, Kind.SUBSTITUTE, Kind.BOT)


@transaction.atomic
def rule(event: Event, actor: User, request: RulingRequest, reason: str) -> Proposal | None:
    """Make a ruling, or propose it to a second organizer if it is far-reaching.

    A player who is playing and would be removed stops immediately and forfeits the seat.

    Refused with: no-reason, state, no-seat, over, paper, points, no-substitute, busy, asked.
    """
    event = lock_event(event)
    _check_reason(reason)
    deed = StepRequest(event, actor, request.facts, reason.strip())
    _check(deed)
    far = is_far(deed)
    if far and needs_second(event, actor):
        check_not_asked(RULING, deed)
        deed = _stop_play(deed, request)
    return settle(RULING, deed, far=far)


def stops_play(request: RulingRequest) -> Table | None:
    """Return the table where the player is playing if the ruling would remove them, else None."""
    if request.kind not in OUT:
        return None
    seat = running_seats.chair_of(request.registration)
    playing = running_seats.state_of(request.registration, seat) == SeatState.PLAYING
    return seat.table if seat and playing else None


def _stop_play(deed: StepRequest, request: RulingRequest) -> StepRequest:
    """Forfeit the seat of a player who may soon be removed, so that they stop playing.

    This part of the ruling cannot wait for the second organizer.
    """
    table = stops_play(request)
    if table is None:
        return deed
    forfeit = _do(replace(deed, facts=RulingRequest(Kind.FORFEIT, request.registration).facts))
    decisions.announce_pending(deed, forfeit)
    if request.registration.user_id != deed.actor.pk:
        notify(request.registration, MailKind.RULING, ruling=forfeit)
    return replace(deed, facts={**deed.facts, AT_ONCE: forfeit.pk})


def _play_again(deed: StepRequest) -> str:
    """Let the player continue after a rejected ruling, if still possible; describe the outcome."""
    ruling = Ruling.objects.filter(pk=deed.facts.get(AT_ONCE) or 0).first()
    if ruling is None or not ruling.stands:
        return ""
    actor = deed.second or deed.actor
    back = StepRequest(deed.event, actor, {"ruling": ruling.pk}, deed.reason)
    ruling = _get_ruling(back)
    name, table = ruling.registration.name, ruling.table
    try:
        _check_back(back)
    except RefusedError as refused:
        decisions.announce(back, ruling, decisions.describe_lasting_forfeit(name))
        text = _("{name}’s forfeit at {table} still counts: {why}")
        return text.format(name=name, table=table, why=refused.sentence)
    _undo(back)
    if is_table_finished(ruling):
        decisions.announce(back, ruling, decisions.keeps_result(name))
        text = _("The match at {table} is over, and it counts for {name} again.")
    else:
        decisions.announce(back, ruling, decisions.plays_on(name))
        text = _("{name} is playing at {table} again. Everything played in between stays as it is.")
    return text.format(name=name, table=table)


def is_table_finished(ruling: Ruling) -> bool:
    """Return whether the table of the seat affected by the ruling has finished playing."""
    seat = seat_of(ruling)
    return seat is not None and running_seats.is_finished(seat)


def leave(registration: Registration, actor: User) -> None:
    """Let a player leave in the middle of a round, at their own request.

    Refused with: state.
    """
    rule(
        registration.event, actor, RulingRequest(Kind.LEAVE, registration), SystemReason.WISH.value
    )


@transaction.atomic
def reinstate(event: Event, user: User) -> None:
    """Return the seat to the player for whom a bot is playing.

    Refused with: no-bot, later.
    """
    event = lock_event(event)
    ruling = bot_plays_for(event, user)
    if ruling is None:
        raise RefusedError(Code.NO_BOT, _("No bot is playing for you."))
    deed = StepRequest(event, user, {"ruling": ruling.pk}, SystemReason.BACK.value)
    _check_back(deed)
    _undo(deed)


def _check_reason(reason: str) -> None:
    check_reason(reason, _("Give a reason. The player will read it."))


def is_far(deed: StepRequest) -> bool:
    """Return whether a second organizer must confirm the ruling.

    A disqualification must be confirmed. After a stage has closed, so must removing a player or
    deducting points, unless the player asked for it.
    """
    own_wish = wanted_by(deed).registration.user_id == deed.actor.pk
    closed = deed.event.stages.filter(state=Stage.State.CLOSED).exists()
    kind = deed.facts["kind"]
    after_cut = kind in (Kind.LEAVE, Kind.POINTS) and closed and not own_wish
    return kind == Kind.DISQUALIFY or after_cut


def wanted_by(deed: StepRequest) -> RulingRequest:
    """Return the ruling that the step requests."""
    people = Registration.objects.select_related("event", "user", "student")
    facts, other = deed.facts, deed.facts["substitute"]
    return RulingRequest(
        kind=facts["kind"],
        registration=people.get(pk=facts["registration"], event=deed.event),
        substitute=people.get(pk=other, event=deed.event) if other else None,
        points=facts["points"],
    )


def _check(deed: StepRequest) -> None:
    wanted = wanted_by(deed)
    person = wanted.registration
    if person.state in Registration.GONE:
        text = _("{name}: already {state}.")
        raise RefusedError(
            Code.STATE, text.format(name=person.name, state=person.get_state_display())
        )
    if wanted.kind in AT_A_TABLE:
        running_seats.find_seat_in_play(person)
    if wanted.kind == Kind.POINTS and not 0 < wanted.points <= MOST_POINTS:
        text = _("Enter the points to deduct, from 1 to {most}.")
        raise RefusedError(Code.POINTS, text.format(most=MOST_POINTS))
    if wanted.kind == Kind.SUBSTITUTE:
        _check_free(wanted.substitute)


def _check_free(coming: Registration | None) -> None:
    if coming is None:
        raise RefusedError(Code.NO_SUBSTITUTE, _("Choose a substitute."))
    if coming.state in Registration.GONE or seats_taken(coming):
        text = _(
            "{name} ({state}) can’t take the seat: already at a table, or no longer in the event."
        )
        state = coming.get_state_display()
        raise RefusedError(Code.BUSY, text.format(name=coming.name, state=state))


def _do(deed: StepRequest) -> Ruling:
    wanted = wanted_by(deed)
    seat = running_seats.chair_of(wanted.registration)
    table = seat.table if seat else None
    before = EFFECTS[Kind(wanted.kind)].apply(deed, wanted)
    ruling = Ruling.objects.create(
        event=deed.event,
        registration=wanted.registration,
        table=table,
        stage=table.round.stage if table else current_stage(deed.event),
        kind=wanted.kind,
        points=wanted.points,
        substitute=wanted.substitute,
        before={"version": VERSION, **before},
        reason=shorten(deed.reason, 300),
        given_by=deed.actor,
    )
    _record(deed, ruling, LogAction.RULING)
    if AT_ONCE in deed.facts:
        decisions.announce_removal(deed, ruling)
    if ruling.kind in MAILED:
        _send_ruling_email(ruling, deed.actor)
    return ruling


def _record(deed: StepRequest, ruling: Ruling, action: LogAction) -> None:
    def describe_ruling() -> str:
        text = _("Ruling: {name}, {kind}.")
        if action == LogAction.RULING_OFF:
            text = _("Ruling undone: {name}, {kind}.")
        return text.format(name=ruling.registration.name, kind=ruling.get_kind_display())

    data = {**_make_facts(ruling), "second": bool(deed.second)}
    record(deed.event, deed.actor, action, describe_ruling, deed.reason, **data)


def _make_facts(ruling: Ruling) -> Facts:
    stage: Facts = {"stage": ruling.stage.number} if ruling.stage else {}
    place = where(ruling.table) if ruling.table else stage
    other = ruling.substitute.pk if ruling.substitute else None
    told = {"ruling": ruling.pk, "registration": ruling.registration.pk, "kind": ruling.kind}
    return {**place, **told, "points": ruling.points, "substitute": other}


def _send_ruling_email(ruling: Ruling, actor: User) -> None:
    """Email the person concerned, unless they did it themselves and not with a desk code."""
    person = ruling.registration
    if ruling.kind == Kind.SUBSTITUTE and ruling.substitute:
        notify(ruling.substitute, MailKind.SUBSTITUTE, table=ruling.table, player=person)
    elif person.user_id != actor.pk:
        notify(person, MailKind.RULING, ruling=ruling)
    elif ruling.kind == Kind.LEAVE and acts_by_desk_code(actor.pk):
        notify(person, MailKind.WITHDRAWN)


RULING = Step(Proposal.Kind.RULING, _check, _do, _play_again)


@transaction.atomic
def take_back(ruling: Ruling, actor: User, reason: str) -> Proposal | None:
    """Undo a ruling, which stays on record as taken back.

    A far-reaching ruling is undone only after a second organizer has confirmed it.

    Refused with: no-reason, state, later, closed, begun, full, taken, asked.
    """
    event = lock_event(ruling.event)
    _check_reason(reason)
    deed = StepRequest(event, actor, {"ruling": ruling.pk}, reason.strip())
    closed = ruling.stage is not None and ruling.stage.state == Stage.State.CLOSED
    far = ruling.kind == Kind.DISQUALIFY or (ruling.kind == Kind.POINTS and closed)
    _check_back(deed)
    return settle(TAKE_BACK, deed, far=far)


def _get_ruling(deed: StepRequest) -> Ruling:
    rows = Ruling.objects.select_related(
        "registration__user", "substitute__user", "table__round__stage__event", "event"
    )
    return rows.get(pk=deed.facts["ruling"])


def _check_back(deed: StepRequest) -> None:
    ruling = _get_ruling(deed)
    if not ruling.stands:
        raise RefusedError(Code.STATE, _("This ruling has already been undone."))
    if ruling.kind in Ruling.FROM_REFEREE:
        return
    table = ruling.table
    if table and "seat" in ruling.before and table.round.state != Round.State.RUNNING:
        text = _("{round} is closed. Reopen it first, then undo the ruling.")
        raise RefusedError(Code.CLOSED, text.format(round=table.round))
    later = deed.event.rulings.filter(pk__gt=ruling.pk, cancelled_at__isnull=True)
    if any(_is_same_seat(ruling, other) for other in later.exclude(kind__in=Ruling.FROM_REFEREE)):
        text = _("There is a later ruling about this seat. Undo that one first.")
        raise RefusedError(Code.LATER, text)


def _is_same_seat(ruling: Ruling, other: Ruling) -> bool:
    here = (ruling.table_id, ruling.before.get("seat"))
    same = "seat" in ruling.before and here == (other.table_id, other.before.get("seat"))
    return same or other.registration_id == ruling.registration_id


def _undo(deed: StepRequest) -> None:
    ruling = _get_ruling(deed)
    EFFECTS[Kind(ruling.kind)].undo(ruling)
    _cancel(deed, ruling)
    decisions.end_notice(deed, ruling)
    if begun := find_immediate_forfeit(ruling.before):
        _cancel(deed, begun)


def _cancel(deed: StepRequest, ruling: Ruling) -> None:
    """Mark the ruling as taken back and keep it on record."""
    ruling.cancelled_by, ruling.cancelled_at = deed.actor, timezone.now()
    ruling.cancel_reason = shorten(deed.reason, 300)
    ruling.save(update_fields=["cancelled_by", "cancelled_at", "cancel_reason"])
    _record(deed, ruling, LogAction.RULING_OFF)


TAKE_BACK = Step(Proposal.Kind.RULING_OFF, _check_back, _undo)
