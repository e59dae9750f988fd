"""Walk-ins: players who are registered at the desk, without an account or a form."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from games.rules.clusters import shorten
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.mail.notices import MailKind, notify
from tournament.models import EligibleStudent, Event, LogAction, Registration, User
from tournament.models.people import NO_MAILBOX
from tournament.oversight.audit import record
from tournament.people.eligibility_match import list_domain_refusals, list_unmet_conditions
from tournament.people.identity import find_namesake, find_same_student
from tournament.pure.codes import Code
from tournament.pure.lists import normalise_email, normalise_roll
from tournament.pure.texts import clean_text, is_name
from tournament.pure.words import join_words
from tournament.registration.services import count_free_spots, next_queue_number

State = Registration.State


@dataclass(frozen=True)
class WalkIn:
    """The details of a walk-in, as entered at the desk.

    * `email`: the address, or "" for a player without email.
    * `reason`: why the player is admitted despite the event's rules, or "".
    * `first`: whether the player skips the waitlist.
    """

    name: str
    roll_number: str = ""
    email: str = ""
    reason: str = ""
    first: bool = False


@transaction.atomic
def register_walk_in(event: Event, actor: User, person: WalkIn) -> Registration:
    """Register a player whose student card was checked, with a spot or on the waitlist.

    If the event has check-in, the player is also checked in. Raises RefusedError with the code
    `closed`, `no-name`, `no-roll`, `needs-why`, `twice`, `taken` or `name-taken`.
    """
    event = lock_event(event)
    if event.state not in (Event.State.OPEN, Event.State.RUNNING):
        raise RefusedError(Code.CLOSED, _("Walk-ins can be added only during the event."))
    person = _clean_walk_in(person)
    student = _find_list_entry(event, person)
    user = _get_or_create_account(person)
    registration = _make_registration(event, user, person, student)
    _check_no_duplicate(registration)
    registration.state = _choose_state(event, person)
    registration.save()
    _record_arrival(registration, actor, person)
    return registration


def _clean_walk_in(details: WalkIn) -> WalkIn:
    name = clean_text(details.name)
    if not is_name(name):
        raise RefusedError(Code.NO_NAME, _("Enter the player’s name."))
    roll_number, email = clean_text(details.roll_number), normalise_email(details.email)
    return WalkIn(name, roll_number, email, details.reason.strip(), details.first)


def _find_list_entry(event: Event, details: WalkIn) -> EligibleStudent | None:
    """Return the player's entry on the eligibility list, or None if the event has no list.

    A reason is needed if there is no entry, or if the entry does not admit the player.
    """
    if not event.eligibility_required:
        _check_reason_given(
            details, [each.sentence for each in list_domain_refusals(event, {details.email} - {""})]
        )
        return None
    key = normalise_roll(details.roll_number)
    if not key:
        raise RefusedError(
            Code.NO_ROLL,
            _("This event has an eligibility list, so enter the player’s roll number."),
        )
    student = event.students.filter(roll_key=key).first()
    if student is None:
        text = _("No one with roll number {roll_number} is on the eligibility list.")
        _check_reason_given(details, [text.format(roll_number=details.roll_number)])
        return _make_list_entry(event, details, key)
    addresses = {*filter(None, (details.email, student.email))}
    objections = [each.sentence for each in list_unmet_conditions(event, student, addresses)]
    _check_reason_given(details, objections)
    if objections:
        student.exception = shorten(details.reason, 300)
        student.save(update_fields=["exception"])
    return student


def _make_list_entry(event: Event, details: WalkIn, key: str) -> EligibleStudent:
    free = details.email and not event.students.filter(email=details.email).exists()
    return EligibleStudent.objects.create(
        event=event,
        roll_number=details.roll_number,
        roll_key=key,
        name=details.name,
        email=details.email if free else "",
        exception=shorten(details.reason, 300),
    )


def _check_reason_given(details: WalkIn, objections: list[str]) -> None:
    if objections and not details.reason:
        request = _("To let {name} in anyway, say why.").format(name=details.name)
        raise RefusedError(Code.NEEDS_WHY, " ".join([*objections, request]))


def _get_or_create_account(details: WalkIn) -> User:
    """Return the account with this address, or create one without a usable password."""
    if details.email and (user := User.objects.filter(email__iexact=details.email).first()):
        return user
    token = get_random_string(20).lower()
    user = User(username=f"desk-{token}", display_name=shorten(details.name, 40))
    user.email = details.email or f"{token}{NO_MAILBOX}"
    user.set_unusable_password()
    user.save()
    if details.email:
        EmailAddress.objects.create(user=user, email=details.email, verified=False, primary=True)
    return user


def _make_registration(
    event: Event, user: User, details: WalkIn, student: EligibleStudent | None
) -> Registration:
    """Return the unsaved registration. A player who has withdrawn keeps the existing row."""
    mine = Registration.objects.filter(event=event, user=user).first()
    if mine is not None and mine.state != State.WITHDRAWN:
        text = _("{name} is already registered: {state}.")
        raise RefusedError(Code.TWICE, text.format(name=mine.name, state=mine.get_state_display()))
    row = mine or Registration(event=event, user=user)
    row.look = user.look
    row.student, row.name = student, student.name if student else details.name
    row.roll_number = student.roll_number if student else details.roll_number
    row.roll_key, row.reason = normalise_roll(row.roll_number), ""
    row.queue_number, row.registered_at = next_queue_number(event), timezone.now()
    row.checked_in_at = timezone.now() if event.check_in else None
    return row


def _check_no_duplicate(registration: Registration) -> None:
    if other := find_same_student(registration):
        text = _("{name} is already registered with roll number {roll_number}.")
        raise RefusedError(Code.TAKEN, text.format(name=other.name, roll_number=other.roll_number))
    if name := find_namesake(registration):
        text = _(
            "A player called “{name}” is already registered. Add something to the name so "
            "that others can tell them apart."
        )
        raise RefusedError(Code.NAME_TAKEN, text.format(name=name))


def _choose_state(event: Event, details: WalkIn) -> str:
    """Decide between a spot and the waitlist.

    Players get a spot if one is free. Skipping the waitlist needs a reason.
    """
    if count_free_spots(event) == 0:
        return State.WAITLIST
    waiting = event.registrations.filter(state=State.WAITLIST).order_by("queue_number")
    names = list(waiting.values_list("name", flat=True))
    if not names:
        return State.APPROVED
    if not details.first:
        return State.WAITLIST
    text = _("{names} have waited longer than {name}.")
    _check_reason_given(details, [text.format(name=details.name, names=join_words(names))])
    return State.APPROVED


def _record_arrival(registration: Registration, actor: User, details: WalkIn) -> None:
    registration.decided_at, registration.decided_by = timezone.now(), actor
    if registration.checked_in_at:
        registration.checked_in_by = actor
    registration.save(update_fields=["decided_at", "decided_by", "checked_in_by"])

    def describe_arrival() -> str:
        sentence = _("Added {name} as a walk-in: {state}.")
        return sentence.format(name=registration.name, state=registration.get_state_display())

    record(
        registration.event,
        actor,
        LogAction.WALK_IN,
        describe_arrival,
        details.reason,
        registration=registration.pk,
    )
    if registration.state == State.APPROVED:
        notify(registration, MailKind.APPROVED)
