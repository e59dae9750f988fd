"""Registering for an event, approval, refusal and withdrawal."""

from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.advancing.qualifiers import remove_from_later_stages
from tournament.common.desk_code_sessions import is_acting_by_desk_code
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.moments import moment_text
from tournament.common.reasons import SystemReason
from tournament.common.refusals import RefusedError, check_reason
from tournament.mail.notices import MailKind, notify, notify_of_spot
from tournament.models import Event, LogAction, Proposal, Qualifier, Registration, Stage, User
from tournament.oversight.audit import record, refresh_open_pages
from tournament.oversight.second_person import Step, StepRequest, take_step
from tournament.people.consent import record_consent
from tournament.people.eligibility_match import (
    copy_listed_name,
    find_student,
    has_proven_identity,
    link_to_list_entry,
    list_domain_refusals,
    list_verified_addresses,
    make_not_listed_error,
)
from tournament.people.identity import check_not_replaced, find_namesake, find_same_student
from tournament.pure.codes import Code
from tournament.pure.lists import normalise_roll
from tournament.pure.texts import clean_text, is_name
from tournament.pure.words import join_words
from tournament.registration.calendars import event_calendar
from tournament.registration.departures import check_can_leave, check_still_registered

State = Registration.State


@transaction.atomic
def register(
    event: Event, user: User, *, roll_number: str = "", name: str = "", consent: str = ""
) -> Registration:
    """Register the user for the event, with a spot or on the waitlist.

    `consent` is the digest of the text to which the person agrees. Raises RefusedError with the
    code `not-open`, `closed`, `unverified`, `no-roll`, `no-name`, `not-listed`, `condition`,
    `domain`, `twice`, `taken`, `name-taken`, `refused-before`, `disqualified` or `consent`.
    """
    event = lock_event(event)
    _check_registration_is_open(event)
    existing = event.registrations.filter(user=user).order_by().first()
    _check_not_registered(existing)
    addresses = list_verified_addresses(user)
    if not addresses:
        raise RefusedError(Code.UNVERIFIED, _("Confirm your email address first, then register."))
    registration = existing or Registration(event=event, user=user)
    registration.name, registration.look = clean_text(name or user.display_name), user.look
    _set_identity(registration, roll_number, addresses)
    _check_identity_is_free(registration)
    record_consent(registration, consent)
    waits = (
        count_free_spots(event) == 0 or event.registrations.filter(state=State.WAITLIST).exists()
    )
    registration.state = State.WAITLIST if waits else _choose_state_with_spot(registration)
    registration.reason = ""
    registration.queue_number = next_queue_number(event)
    registration.registered_at = timezone.now()
    registration.decided_at = registration.decided_by = None
    registration.save()
    refresh_open_pages(event)
    notify_of_spot(registration, MailKind.REGISTERED, event_calendar)
    return registration


def _check_registration_is_open(event: Event) -> None:
    state = event.registration_state
    if state == "early" and event.registration_opens:
        opens = moment_text(event.registration_opens, event.zone)
        raise RefusedError(Code.NOT_OPEN, _("Registration opens on {moment}.").format(moment=opens))
    if state != "open":
        sentences = [_("Registration for this event is closed.")]
        if event.state == Event.State.RUNNING:
            sentences.append(_("Play has begun. Ask the organizers whether you can still join."))
        raise RefusedError(Code.CLOSED, " ".join(sentences))


def _check_not_registered(existing: Registration | None) -> None:
    if existing is None or existing.state == State.WITHDRAWN:
        return
    if existing.state == State.REFUSED:
        text = _(
            "The organizers have rejected your registration (“{reason}”). If you have "
            "questions, ask them."
        )
        raise RefusedError(Code.REFUSED_BEFORE, text.format(reason=existing.reason))
    if existing.state == State.DISQUALIFIED:
        raise RefusedError(
            Code.DISQUALIFIED,
            _("You were disqualified. If you have questions, ask the organizers."),
        )
    raise RefusedError(Code.TWICE, _("You are already registered for this event."))


def _set_identity(registration: Registration, roll_number: str, addresses: set[str]) -> None:
    event = registration.event
    if event.eligibility_required:
        link_to_list_entry(registration, find_student(event, registration.user, roll_number))
        return
    for refused in list_domain_refusals(event, addresses):
        raise refused
    registration.student = None
    registration.roll_number = roll_number.strip()
    registration.roll_key = normalise_roll(roll_number)


def _check_identity_is_free(registration: Registration) -> None:
    if not is_name(registration.name):
        raise RefusedError(Code.NO_NAME, _("Enter the name you want to play under."))
    if find_same_student(registration):
        if not has_proven_identity(registration):
            raise make_not_listed_error()
        text = _(
            "Someone has already registered with roll number {roll_number}. If it wasn’t "
            "you, tell the organizers."
        )
        raise RefusedError(Code.TAKEN, text.format(roll_number=registration.roll_number))
    if find_namesake(registration):
        text = _(
            "Someone in this event already has the name “{name}” or a very similar one. "
            "Add something to your name so that others can tell you apart."
        )
        raise RefusedError(Code.NAME_TAKEN, text.format(name=registration.name))


def count_free_spots(event: Event) -> int | None:
    """Return the number of free spots, or None if there is no limit."""
    if event.capacity is None:
        return None
    spots_taken = event.registrations.filter(state__in=Registration.HOLDS_PLACE).count()
    return max(0, event.capacity - spots_taken)


def _choose_state_with_spot(registration: Registration) -> str:
    """Return the state of a registration with a spot, which may need approval first."""
    needs_review = registration.event.requires_approval or not has_proven_identity(registration)
    return State.PENDING if needs_review else State.APPROVED


def next_queue_number(event: Event) -> int:
    """Return the next queue number. The caller must have locked the event."""
    last = event.registrations.aggregate(last=Max("queue_number"))["last"]
    return (last or 0) + 1


@transaction.atomic
def approve(registration: Registration, actor: User, reason: str = "") -> Registration:
    """Give a spot to a registration that is pending, waitlisted or refused.

    A reason is required if others have waited longer. Raises RefusedError with the code `state`,
    `full`, `out-of-order`, `taken` or `name-taken`.
    """
    event = lock_event(registration.event, registration)
    if registration.state not in (State.PENDING, State.WAITLIST, State.REFUSED):
        text = _("{name}: {state}. There is nothing to approve.")
        state = registration.get_state_display()
        raise RefusedError(Code.STATE, text.format(name=registration.name, state=state))
    if registration.state != State.PENDING and count_free_spots(event) == 0:
        raise RefusedError(Code.FULL, _describe_full_event(registration, event.capacity or 0))
    passed_over = _list_passed_over(registration)
    if passed_over and not reason.strip():
        text = _(
            "These players have been waiting longer than {name}: {names}. Say why {name} "
            "comes first."
        )
        names = join_words(passed_over)
        raise RefusedError(Code.OUT_OF_ORDER, text.format(name=registration.name, names=names))
    if registration.state == State.REFUSED:
        check_not_replaced(registration)
    copy_listed_name(registration)
    _save_decision(registration, State.APPROVED, actor, "")
    log_text = translate_later(gettext_noop("Approved {name}."), name=registration.name)
    logged_reason = reason.strip() if passed_over else ""
    record(event, actor, LogAction.APPROVE, log_text, logged_reason, registration=registration.pk)
    notify_of_spot(registration, MailKind.APPROVED, event_calendar)
    return registration


def _list_passed_over(registration: Registration) -> list[str]:
    """Return the names of players on the waitlist who have waited longer."""
    if registration.state == State.PENDING:
        return []
    waiting = registration.event.registrations.filter(state=State.WAITLIST)
    ahead = waiting.filter(queue_number__lt=registration.queue_number).order_by("queue_number")
    return list(ahead.values_list("name", flat=True))


def _describe_full_event(registration: Registration, places: int) -> str:
    text = ngettext(
        "The only spot is taken. Add spots or wait for a withdrawal before you approve {name}.",
        "All {places} spots are taken. Add spots or wait for a withdrawal before you "
        "approve {name}.",
        places,
    )
    return text.format(places=places, name=registration.name)


@transaction.atomic
def refuse(registration: Registration, actor: User, reason: str) -> Registration:
    """Refuse a registration, with a reason that the player can read.

    Once a stage is closed, a second organizer has to confirm this. Raises RefusedError with the
    code `no-reason`, `state`, `seated` or `asked`.
    """
    event = lock_event(registration.event, registration)
    check_reason(reason, _("Give a reason. The player will read it."))
    return _withdraw_or_refuse(event, registration, actor, State.REFUSED, reason)


@transaction.atomic
def withdraw(registration: Registration, actor: User, reason: str = "") -> Registration:
    """Withdraw a player. The player's results are kept. Raises RefusedError like `refuse`."""
    event = lock_event(registration.event, registration)
    return _withdraw_or_refuse(event, registration, actor, State.WITHDRAWN, reason)


def _withdraw_or_refuse(
    event: Event, registration: Registration, actor: User, state: str, reason: str
) -> Registration:
    check_can_leave(event, registration)
    facts = {"registration": registration.pk, "from": registration.state, "to": state}
    step = StepRequest(event, actor, facts, reason)
    is_own_request = registration.user_id == actor.pk
    if event.stages.filter(state=Stage.State.CLOSED).exists() and not is_own_request:
        take_step(TAKE_OUT, step)
    else:
        _remove_player(step, LogAction.REFUSE if state == State.REFUSED else LogAction.WITHDRAW)
    registration.refresh_from_db()
    return registration


def _check_state_unchanged(step: StepRequest) -> None:
    registration = Registration.objects.get(pk=step.facts["registration"])
    check_still_registered(registration)
    if registration.state != step.facts["from"]:
        text = _("{name}’s registration is now “{state}”.")
        state = registration.get_state_display()
        raise RefusedError(Code.STATE, text.format(name=registration.name, state=state))


def _remove_player(step: StepRequest, action: LogAction = LogAction.TAKE_OUT) -> None:
    registrations = Registration.objects.select_related("event", "user", "student")
    registration = registrations.get(pk=step.facts["registration"])
    is_refusal = step.facts["to"] == State.REFUSED
    by_code = registration.user_id == step.actor.pk and is_acting_by_desk_code(step.actor.pk)
    reason = SystemReason.DESK_CODE.value if by_code else step.reason
    take_out(registration, step.facts["to"], step.actor, reason)
    # Checked last, because a replacement may have taken over a seat that has not been played.
    _check_not_seated(registration)

    def describe_leaving() -> str:
        text = _("Rejected {name}.") if is_refusal else _("{name} withdrew.")
        return text.format(name=registration.name)

    data = {"registration": registration.pk, "to": step.facts["to"], "second": bool(step.second)}
    record(step.event, step.actor, action, describe_leaving, step.reason, **data)
    if is_refusal:
        notify(registration, MailKind.REFUSED)
    elif by_code:
        notify(registration, MailKind.WITHDRAWN)
    promote_waitlisted(step.event)


def take_out(registration: Registration, state: str, actor: User, reason: str) -> list[Qualifier]:
    """Remove a registration from all stages, and return the replacements.

    The caller must have locked the event.
    """
    replacements = remove_from_later_stages(registration, reason, out=state == State.DISQUALIFIED)
    _save_decision(registration, state, actor, reason.strip())
    return replacements


TAKE_OUT = Step(Proposal.Kind.TAKE_OUT, _check_state_unchanged, _remove_player)


@transaction.atomic
def approve_all(chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Approve all registrations in order of arrival, or none.

    Returns the number of new approvals. Raises RefusedError like `approve`.
    """
    rows = sorted(chosen, key=lambda row: (row.event_id, row.queue_number))
    for event in {row.event_id: row.event for row in rows}.values():
        lock_event(event)
    current = Registration.objects.filter(pk__in=[row.pk for row in rows])
    approved = set(current.filter(state=State.APPROVED).values_list("pk", flat=True))
    unapproved = [row for row in rows if row.pk not in approved]
    return _decide_all_or_none(unapproved, State.APPROVED, lambda row: approve(row, actor, reason))


@transaction.atomic
def approve_waiting(event: Event, actor: User, seen: int) -> int:
    """Give the free spots to the players who have waited longest, and return their number.

    This is for events in play. `seen` is the number that the page showed. Raises RefusedError with
    the code `changed`, or like `approve`.
    """
    event = lock_event(event)
    waiting = event.registrations.filter(state=State.WAITLIST).order_by("queue_number")
    rows = list(waiting[: count_free_spots(event)])
    if len(rows) != seen:
        raise RefusedError(
            Code.CHANGED, _("The waitlist has changed in the meantime. Review it, then try again.")
        )
    return approve_all(rows, actor)


@transaction.atomic
def approve_pending(event: Event, actor: User, seen: int) -> int:
    """Approve all registrations that are waiting for approval. Return their number.

    `seen` is the number that the page showed. Raises RefusedError with the code `changed`, or like
    `approve`.
    """
    event = lock_event(event)
    rows = list(event.registrations.filter(state=State.PENDING))
    if len(rows) != seen:
        raise RefusedError(
            Code.CHANGED,
            _("The registrations have changed in the meantime. Review them, then try again."),
        )
    return approve_all(rows, actor)


def refuse_all(chosen: Iterable[Registration], actor: User, reason: str) -> int:
    """Refuse all registrations, or none, and return the number of refused registrations.

    Registrations for which a second organizer has to confirm are not counted. Raises RefusedError
    like `refuse`.
    """
    rows = _sort_waiting_first(chosen)
    return _decide_all_or_none(rows, State.REFUSED, lambda row: refuse(row, actor, reason))


def withdraw_all(chosen: Iterable[Registration], actor: User, reason: str = "") -> int:
    """Withdraw all registrations, or none, and return the number of withdrawn registrations."""
    rows = _sort_waiting_first(chosen)
    return _decide_all_or_none(rows, State.WITHDRAWN, lambda row: withdraw(row, actor, reason))


def _sort_waiting_first(chosen: Iterable[Registration]) -> list[Registration]:
    """Sort waitlisted registrations first, so that no player moves up during the action."""
    return sorted(chosen, key=lambda row: (row.event_id, row.state != State.WAITLIST))


@transaction.atomic
def _decide_all_or_none(
    chosen: list[Registration], new_state: State, decide: Callable[[Registration], Registration]
) -> int:
    """Apply `decide` to all registrations, or none, and return the number in `new_state`."""
    done = 0
    for registration in chosen:
        try:
            done += decide(registration).state == new_state
        except RefusedError as refused:
            prefix = [_("No registrations were changed.")] if len(chosen) > 1 else []
            raise RefusedError(refused.code, " ".join([*prefix, refused.sentence])) from None
    return done


def _save_decision(registration: Registration, state: str, actor: User, reason: str) -> None:
    registration.state, registration.reason = state, reason
    registration.decided_at, registration.decided_by = timezone.now(), actor
    registration.save()


def _check_not_seated(registration: Registration) -> None:
    seats = registration.seats.select_related("table__round")
    seat = seats.filter(table__round__state__in=("published", "running")).first()
    if seat is None:
        return
    if seat.table.round.state == "running":
        text = _(
            "{name} is playing at {table}. On the player’s page, decide what happens to the seat."
        )
        raise RefusedError(Code.PLAYING, text.format(name=registration.name, table=seat.table))
    text = _(
        "{name} has a seat at {table}. Change the seating first, or wait until the round ends."
    )
    raise RefusedError(Code.SEATED, text.format(name=registration.name, table=seat.table))


def promote_waitlisted(event: Event) -> list[Registration]:
    """Give free spots to players on the waitlist, in order of arrival.

    Once play has begun, no one moves up automatically, because organizers approve late arrivals
    themselves. The caller must have locked the event.
    """
    if event.state in (Event.State.RUNNING, Event.State.FINISHED):
        return []
    waiting = event.registrations.filter(state=State.WAITLIST).order_by("queue_number")
    waiting = waiting.select_related("event", "student", "user")
    free_spots = count_free_spots(event)
    moved = list(waiting if free_spots is None else waiting[:free_spots])
    for registration in moved:
        registration.state = _choose_state_with_spot(registration)
        if registration.state == State.APPROVED:
            copy_listed_name(registration)
        registration.save(update_fields=["state", "name"])
        text = translate_later(
            gettext_noop("{name} moved up from the waitlist."), name=registration.name
        )
        record(registration.event, None, LogAction.MOVED_UP, text, registration=registration.pk)
        notify_of_spot(registration, MailKind.MOVED_UP, event_calendar)
    return moved
