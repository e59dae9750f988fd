"""Making people nameless: one of them, or all of an event (docs/running-an-event.md)."""

import secrets
from collections.abc import Sequence

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.services import forget_practice
from tournament.common.codes import Code
from tournament.common.language import of_the_site
from tournament.common.locks import lock_event
from tournament.common.refusals import Refused
from tournament.exports.transfer.contents import PARTS, matches_of, user_fields
from tournament.models import (
    Certificate,
    EligibilityImport,
    EligibleStudent,
    Event,
    Invitation,
    Letter,
    Logged,
    Proposal,
    Registration,
    User,
)  # fmt: skip
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, take
from tournament.privacy.queries import due_at, nameless
from tournament.privacy.scrubbing import Scrubber, loosened, scrub_event

# Where no mail ever goes (RFC 2606).
NOWHERE = "removed.invalid"


@transaction.atomic
def anonymise(registration: Registration, actor: User, reason: str) -> Proposal | None:
    """Make one person nameless everywhere in the event, at once or after a second person.

    Refused with: no-reason, away, anonymous, playing, asked.
    """
    event = lock_event(registration.event, settled=True)
    return take(ANONYMISE, StepRequest(event, actor, {"registration": registration.pk}, reason))


@transaction.atomic
def purge(event: Event, actor: User, reason: str) -> Proposal | None:
    """Delete all personal data of a finished event, at once or after a second person.

    Refused with: no-reason, away, state, purged, asked.
    """
    event = lock_event(event, settled=True)
    return take(PURGE, StepRequest(event, actor, {}, reason))


@transaction.atomic
def keep_for(event: Event, actor: User, days: int | None) -> Event:
    """After how many days its personal data is deleted by itself; None: never. Refused with:
    days."""
    event = lock_event(event, settled=True)
    if days is not None and not 1 <= days <= 3650:
        raise Refused(Code.DAYS, _("Write a number of days from 1 to 3650, or nothing."))
    event.keep_days = days
    event.save(update_fields=["keep_days"])

    def text() -> str:
        if days is None:
            return _("Personal data is kept until somebody deletes it.")
        told = ngettext(
            "Personal data is deleted {days} day after the event.",
            "Personal data is deleted {days} days after the event.",
            days,
        )
        return told.format(days=days)

    record(event, actor, Logged.KEEP_DAYS, text)
    return event


def purge_due() -> None:
    """Delete what has been kept for as long as its event says; the worker asks for it."""
    kept = Event.objects.filter(keep_days__isnull=False, purged_at__isnull=True)
    for event in kept.filter(state=Event.State.FINISHED, away_since__isnull=True):
        due = due_at(event)
        if due and due <= timezone.now():
            with transaction.atomic():
                _purge_all(lock_event(event, settled=True), None, "")


def _check_person(deed: StepRequest) -> None:
    one = _person(deed)
    if one.anonymous:
        raise Refused(Code.ANONYMOUS, _("Nobody knows any more who this was."))
    if one.seats.filter(table__round__state="running").exists():
        raise Refused(Code.PLAYING, _("{name} is playing: wait for the end.").format(name=one.name))


def _person(deed: StepRequest) -> Registration:
    rows = deed.event.registrations.select_related("user", "student")
    return rows.get(pk=deed.facts["registration"])


def _anonymise(deed: StepRequest) -> None:
    one = _person(deed)
    _forget(deed.event, [one], [one.student] if one.student else [])

    def text() -> str:
        return _("Made somebody nameless: {alias}.").format(alias=_alias(one))

    second = bool(deed.second)
    # What was typed may name the person who wished to be forgotten: it is not kept.
    record(deed.event, deed.actor, Logged.ANONYMISE, text, registration=one.pk, second=second)


def _check_purge(deed: StepRequest) -> None:
    if deed.event.state != Event.State.FINISHED:
        raise Refused(Code.STATE, _("Announce the winner first: until then the data is needed."))
    if deed.event.purged_at:
        raise Refused(Code.PURGED, _("The personal data of this event is deleted already."))


def _purge(deed: StepRequest) -> None:
    _purge_all(deed.event, deed.actor, deed.reason, second=bool(deed.second))


def _purge_all(event: Event, actor: User | None, reason: str, *, second: bool = False) -> None:
    people = list(event.registrations.select_related("user", "student"))
    _forget(event, people, list(event.students.all()))
    event.imports.all().delete()
    event.letters.all().delete()
    event.invitations.update(**nameless(Invitation, ""))
    event.purged_at = timezone.now()
    event.save(update_fields=["purged_at"])

    def text() -> str:
        told = ngettext(
            "Deleted the personal data of {count} person.",
            "Deleted the personal data of {count} people.",
            len(people),
        )
        return told.format(count=len(people))

    record(event, actor, Logged.PURGE, text, reason, people=len(people), second=second)


ANONYMISE = Step("anonymise", _check_person, _anonymise)
PURGE = Step("purge", _check_purge, _purge)


def _alias(one: Registration) -> str:
    with of_the_site():
        return _("Player {number}").format(number=one.queue_number)


def _forget(
    event: Event, people: Sequence[Registration], students: Sequence[EligibleStudent]
) -> None:
    """Take these people, and these lines of the list, out of everything that the event has."""
    # First the accounts: whoever plays goes by a nameless one.
    words = {word: "–" for row in students for word in EligibleStudent.personal.words(row)}
    for one in people:
        words |= dict.fromkeys(_words(one), _alias(one))
    for one in people:
        _forget_person(event, one)
    event.students.filter(pk__in=[row.pk for row in students]).delete()
    event.imports.update(**nameless(EligibilityImport, ""))
    scrub_event(event, Scrubber(words))


def _words(one: Registration) -> list[str]:
    """What names this person."""
    listed = EligibleStudent.personal.words(one.student) if one.student else []
    return [*Registration.personal.words(one), *User.personal.words(one.user), *listed]


def _forget_person(event: Event, one: Registration) -> None:
    account, nobody = one.user, _nobody(_alias(one))
    Letter.objects.filter(Q(event=event, name=one.name) | Q(address=account.email)).delete()
    one.desk_sign_ins.all().delete()
    held = Certificate.objects.filter(registration=one, withdrawn_at__isnull=True)
    held.update(withdrawn_at=timezone.now())
    matches = matches_of(event)
    for part in PARTS:
        for name in user_fields(part.model):
            rows = part.of(event, matches).filter(**{name: account.pk})
            rows.update(**{name: nobody.pk}, **loosened(part.model))
    Registration.objects.filter(pk=one.pk).update(
        **nameless(Registration, _alias(one)), anonymous=True, student=None
    )
    _forget_account(account)


def _nobody(alias: str) -> User:
    key = secrets.token_hex(8)
    user = User(
        username=f"nobody-{key}",
        email=f"nobody-{key}@{NOWHERE}",
        display_name=alias,
        is_active=False,
    )
    user.set_unusable_password()
    user.save()
    return user


def _forget_account(account: User) -> None:
    """An account that nothing needs any more goes too; one of the staff, or of a player in another
    event, is that person's own."""
    needed = account.is_staff or account.is_superuser
    if needed or account.registrations.exists() or account.roles.exists():
        return
    for session in Session.objects.all().iterator():
        if session.get_decoded().get("_auth_user_id") == str(account.pk):
            session.delete()
    forget_practice(account)
    account.delete()
