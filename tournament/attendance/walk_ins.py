"""Walk-ins: players entered at the desk, without an account or a form."""

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
from tournament.people.eligibility_match import domain_unmet, unmet
from tournament.people.identity import find_same_student, namesake
from tournament.pure.codes import Code
from tournament.pure.lists import normalise_email, normalise_roll
from tournament.pure.texts import clean_text, is_name
from tournament.pure.words import join_words
from tournament.registration.services import next_number, places_left

State = Registration.State


@dataclass(frozen=True)
class WalkIn:
    """Details of a walk-in, as entered at the desk.

    `email` is "" for a player without a mailbox. `reason` says why they are admitted against
    the event's rules. `first` puts them before the players who are already waiting.
    """

    name: str
    roll_number: str = ""
    email: str = ""
    reason: str = ""
    first: bool = False


@transaction.atomic
def walk_in(event: Event, actor: User, told: WalkIn) -> Registration:
    """Register a player whose student card was checked, with a spot or on the waitlist.

    An organizer has seen the card. If the event has a check-in, the player is checked in.

    Raises RefusedError with: closed, no-name, no-roll, needs-why, twice, taken, name-taken.
    """
    event = lock_event(event)
    if event.state not in (Event.State.OPEN, Event.State.RUNNING):
        raise RefusedError(Code.CLOSED, _("Walk-ins can be added only during the event."))
    told = _clean_walk_in(told)
    student = _find_list_line(event, told)
    user = _get_or_create_account(told)
    registration = _make_registration(event, user, told, student)
    _check_alone(registration)
    registration.state = _choose_state(event, told)
    registration.save()
    _record(registration, actor, told)
    return registration


def _clean_walk_in(told: WalkIn) -> WalkIn:
    name = clean_text(told.name)
    if not is_name(name):
        raise RefusedError(Code.NO_NAME, _("Enter the player’s name."))
    roll_number, email = clean_text(told.roll_number), normalise_email(told.email)
    return WalkIn(name, roll_number, email, told.reason.strip(), told.first)


def _find_list_line(event: Event, told: WalkIn) -> EligibleStudent | None:
    """Return the player's line of the eligibility list, or None if the event has no list.

    A player without a line, or with a line that does not admit them, needs a reason.
    """
    if not event.eligibility_required:
        _check_reason(told, [each.sentence for each in _list_unmet_domains(event, told)])
        return None
    key = normalise_roll(told.roll_number)
    if not key:
        raise RefusedError(
            Code.NO_ROLL,
            _("This event has an eligibility list, so enter the player’s roll number."),
        )
    student = event.students.filter(roll_key=key).first()
    if student is None:
        text = _("No one with roll number {roll_number} is on the eligibility list.")
        _check_reason(told, [text.format(roll_number=told.roll_number)])
        return _make_list_line(event, told, key)
    addresses = {*filter(None, (told.email, student.email))}
    doubts = [each.sentence for each in unmet(event, student, addresses)]
    _check_reason(told, doubts)
    if doubts:
        student.exception = shorten(told.reason, 300)
        student.save(update_fields=["exception"])
    return student


def _list_unmet_domains(event: Event, told: WalkIn) -> list[RefusedError]:
    return domain_unmet(event, {told.email} - {""})


def _make_list_line(event: Event, told: WalkIn, key: str) -> EligibleStudent:
    free = told.email and not event.students.filter(email=told.email).exists()
    return EligibleStudent.objects.create(
        event=event,
        roll_number=told.roll_number,
        roll_key=key,
        name=told.name,
        email=told.email if free else "",
        exception=shorten(told.reason, 300),
    )


def _check_reason(told: WalkIn, doubts: list[str]) -> None:
    if doubts and not told.reason:
        ask = _("To let {name} in anyway, say why.").format(name=told.name)
        raise RefusedError(Code.NEEDS_WHY, " ".join([*doubts, ask]))


def _get_or_create_account(told: WalkIn) -> User:
    """Return the account with this address, or create one without a usable password."""
    if told.email and (user := User.objects.filter(email__iexact=told.email).first()):
        return user
    token = get_random_string(20).lower()
    user = User(username=f"desk-{token}", display_name=shorten(told.name, 40))
    user.email = told.email or f"{token}{NO_MAILBOX}"
    user.set_unusable_password()
    user.save()
    if told.email:
        EmailAddress.objects.create(user=user, email=told.email, verified=False, primary=True)
    return user


def _make_registration(
    event: Event, user: User, told: WalkIn, student: EligibleStudent | None
) -> Registration:
    """Build the unsaved registration: a new row, or the row of a player who had withdrawn."""
    mine = Registration.objects.filter(event=event, user=user).first()
    if mine is not None and mine.state != State.WITHDRAWN:
        text = _("{name} is already registered: {state}.")
        raise RefusedError(Code.TWICE, text.format(name=mine.name, state=mine.get_state_display()))
    row = mine or Registration(event=event, user=user)
    row.look = user.look
    row.student, row.name = student, student.name if student else told.name
    row.roll_number = student.roll_number if student else told.roll_number
    row.roll_key, row.reason = normalise_roll(row.roll_number), ""
    row.queue_number, row.registered_at = next_number(event), timezone.now()
    row.checked_in_at = timezone.now() if event.check_in else None
    return row


def _check_alone(registration: Registration) -> None:
    if other := find_same_student(registration):
        text = _("{name} is already registered with roll number {roll_number}.")
        raise RefusedError(Code.TAKEN, text.format(name=other.name, roll_number=other.roll_number))
    if name := namesake(registration):
        text = _(
            "A player called “{name}” is already registered. Add something to the name so "
            "that others can tell them apart."
        )
        raise RefusedError(Code.NAME_TAKEN, text.format(name=name))


def _choose_state(event: Event, told: WalkIn) -> str:
    """Choose between a spot and the waitlist.

    The player gets a spot if one is free. Passing players who are already waiting needs a
    reason.
    """
    if places_left(event) == 0:
        return State.WAITLIST
    waiting = event.registrations.filter(state=State.WAITLIST).order_by("queue_number")
    names = list(waiting.values_list("name", flat=True))
    if not names:
        return State.APPROVED
    if not told.first:
        return State.WAITLIST
    text = _("{names} have waited longer than {name}.")
    _check_reason(told, [text.format(name=told.name, names=join_words(names))])
    return State.APPROVED


def _record(registration: Registration, actor: User, told: WalkIn) -> None:
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
        told.reason,
        registration=registration.pk,
    )
    if registration.state == State.APPROVED:
        notify(registration, MailKind.APPROVED)
