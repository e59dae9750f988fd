"""Anonymizing a person or a whole event (docs/running-an-event.md)."""

import secrets
from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.language import use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.exports.transfer.contents import PARTS, matches_of, user_fields
from tournament.models import (
    AuditEntry,
    Certificate,
    EligibilityImport,
    EligibleStudent,
    Event,
    Invitation,
    Letter,
    LogAction,
    Proposal,
    Registration,
    User,
)  # fmt: skip
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, take_step
from tournament.privacy.accounts import forget_account_if_unneeded
from tournament.privacy.known import list_identifying_words
from tournament.privacy.lengths import due_at
from tournament.privacy.mentions import make_part_scrubber, scrub_mentions
from tournament.privacy.queries import make_anonymous_values, personal_columns
from tournament.privacy.reasons import drop_reasons
from tournament.privacy.scrubbing import Scrubber, scrub_event
from tournament.pure.codes import Code

# RFC 2606 reserves .invalid, so this domain never receives mail.
REMOVED_DOMAIN = "removed.invalid"


@transaction.atomic
def anonymize_person(
    registration: Registration, actor: User, reason: str, mentions: Sequence[str] = ()
) -> Proposal | None:
    """Anonymize a person in the event, possibly after confirmation by a second organizer.

    `mentions` lists the keys of texts in which parts of the name are replaced as well. Raises
    RefusedError with the code `no-reason`, `away`, `anonymous`, `playing` or `asked`.
    """
    event = lock_event(registration.event, settled=True)
    facts = {"registration": registration.pk, "mentions": list(mentions)}
    return take_step(ANONYMISE, StepRequest(event, actor, facts, reason))


@transaction.atomic
def purge_event(event: Event, actor: User, reason: str) -> Proposal | None:
    """Delete a finished event's personal data, possibly after confirmation.

    Raises RefusedError with the code `no-reason`, `away`, `state`, `purged` or `asked`.
    """
    event = lock_event(event, settled=True)
    return take_step(PURGE, StepRequest(event, actor, {}, reason))


def max_retention_days() -> int:
    """Return the longest retention period that an event can have, in days."""
    return settings.KEEP_EVENT_DAYS or 3650


def describe_days_range() -> str:
    """Return the message about the number of days that can be entered."""
    text = _("Enter a number of days from 1 to {most}, or leave the field empty.")
    return text.format(most=max_retention_days())


@transaction.atomic
def set_retention(event: Event, actor: User, days: int | None) -> Event:
    """Set the number of days after which the event's personal data is deleted.

    None means the site's own retention period. Raises RefusedError with the code `days`.
    """
    event = lock_event(event, settled=True)
    if days is not None and not 1 <= days <= max_retention_days():
        raise RefusedError(Code.DAYS, describe_days_range())
    event.keep_days = days
    event.save(update_fields=["keep_days"])

    def describe_retention() -> str:
        if days is None:
            return _("Personal data is kept for as long as the site allows.")
        text = ngettext(
            "Personal data is deleted {days} day after the event.",
            "Personal data is deleted {days} days after the event.",
            days,
        )
        return text.format(days=days)

    record(event, actor, LogAction.KEEP_DAYS, describe_retention)
    return event


def due_events(now: datetime) -> list[Event]:
    """Return the events whose personal data is past its retention date."""
    events = Event.objects.filter(
        purged_at__isnull=True, away_since__isnull=True, rehearsal_of__isnull=True
    )
    if not settings.KEEP_EVENT_DAYS:
        events = events.filter(keep_days__isnull=False, state=Event.State.FINISHED)
    dues = [(event, due_at(event)) for event in events]
    return [event for event, due in dues if due and due <= now]


def purge_due_events(now: datetime) -> int:
    """Delete the personal data of all due events, and return the number of events."""
    events = due_events(now)
    for event in events:
        with transaction.atomic():
            _purge_event_data(lock_event(event, settled=True), None, "")
    return len(events)


def _check_can_be_anonymized(request: StepRequest) -> None:
    registration = _get_person(request)
    if registration.anonymous:
        raise RefusedError(Code.ANONYMOUS, _("This person has already been anonymized."))
    check_not_playing(registration)


def check_not_playing(registration: Registration) -> None:
    """Check that the person is not playing, because players cannot be anonymized.

    Raises RefusedError with the code `playing`.
    """
    if registration.seats.filter(table__round__state="running").exists():
        raise RefusedError(
            Code.PLAYING,
            _("{name} is playing. Wait until the round ends.").format(name=registration.name),
        )


def _get_person(request: StepRequest) -> Registration:
    rows = request.event.registrations.select_related("user", "student")
    return rows.get(pk=request.facts["registration"])


def _anonymize_player(request: StepRequest) -> None:
    registration, chosen = _get_person(request), request.facts.get("mentions", [])
    scrubber = make_part_scrubber(request.event, registration, _make_alias(registration))
    anonymize_in_event(request.event, registration, request.actor, second=bool(request.second))
    scrub_mentions(request.event, chosen, scrubber)
    _drop_request_reasons(request.event, registration)


def _drop_request_reasons(event: Event, registration: Registration) -> None:
    """Erase the reasons of requests to anonymize this person, because they may contain the name."""
    requests = event.proposals.filter(kind=ANONYMISE.kind, facts__registration=registration.pk)
    logged = event.audit.filter(data__proposal__in=list(requests.values_list("pk", flat=True)))
    logged.update(reason="", **AuditEntry.personal.redaction_values)
    requests.update(reason="")


def anonymize_in_event(
    event: Event, registration: Registration, actor: User | None, *, second: bool = False
) -> None:
    """Remove a person from all data of the event. The caller must have locked the event."""
    forget_people(event, [registration], [registration.student] if registration.student else [])

    def describe_anonymization() -> str:
        return _("Anonymized a person: {alias}.").format(alias=_make_alias(registration))

    # The reason is not stored, because it may contain the person's name.
    record(
        event,
        actor,
        LogAction.ANONYMISE,
        describe_anonymization,
        registration=registration.pk,
        second=second,
    )


def _check_can_be_purged(request: StepRequest) -> None:
    if request.event.state != Event.State.FINISHED:
        raise RefusedError(
            Code.STATE, _("Announce the winner first. The data is needed until then.")
        )
    if request.event.purged_at:
        raise RefusedError(
            Code.PURGED, _("The personal data of this event has already been deleted.")
        )


def _purge_requested_event(request: StepRequest) -> None:
    _purge_event_data(request.event, request.actor, request.reason, second=bool(request.second))


def _purge_event_data(
    event: Event, actor: User | None, reason: str, *, second: bool = False
) -> None:
    people = list(event.registrations.select_related("user", "student"))
    forget_people(event, people, list(event.students.all()))
    event.imports.all().delete()
    event.letters.all().delete()
    event.invitations.update(**make_anonymous_values(Invitation, ""))
    drop_reasons(event)
    event.purged_at = timezone.now()
    event.save(update_fields=["purged_at"])

    def describe_purge() -> str:
        text = ngettext(
            "Deleted the personal data of {count} person.",
            "Deleted the personal data of {count} people.",
            len(people),
        )
        return text.format(count=len(people))

    record(event, actor, LogAction.PURGE, describe_purge, reason, people=len(people), second=second)


ANONYMISE = Step(Proposal.Kind.ANONYMISE, _check_can_be_anonymized, _anonymize_player)
PURGE = Step(Proposal.Kind.PURGE, _check_can_be_purged, _purge_requested_event)


def _make_alias(registration: Registration) -> str:
    with use_site_language():
        return _("Player {number}").format(number=registration.queue_number)


def forget_people(
    event: Event, people: Sequence[Registration], students: Sequence[EligibleStudent]
) -> None:
    """Remove these people and these list entries from all data of the event."""
    # Words are collected first, because the rows that they are read from are anonymized below.
    words = {word: "–" for row in students for word in EligibleStudent.personal.words(row)}
    for registration in people:
        words |= dict.fromkeys(
            list_identifying_words(event, registration), _make_alias(registration)
        )
    for registration in people:
        _forget_person(event, registration)
    event.students.filter(pk__in=[row.pk for row in students]).delete()
    event.imports.update(**make_anonymous_values(EligibilityImport, ""))
    scrub_event(event, Scrubber(words))


def _forget_person(event: Event, registration: Registration) -> None:
    account, placeholder = registration.user, _make_placeholder(_make_alias(registration))
    Letter.objects.filter(
        Q(event=event, name=registration.name) | Q(address=account.email)
    ).delete()
    registration.desk_sign_ins.all().delete()
    certificates = Certificate.objects.filter(registration=registration, withdrawn_at__isnull=True)
    certificates.update(withdrawn_at=timezone.now())
    matches = matches_of(event)
    for part in PARTS:
        for name in user_fields(part.model):
            rows = part.select(event, matches).filter(**{name: account.pk})
            rows.update(**{name: placeholder.pk}, **personal_columns(part.model).redaction_values)
    Registration.objects.filter(pk=registration.pk).update(
        **make_anonymous_values(Registration, _make_alias(registration)),
        anonymous=True,
        student=None,
    )
    forget_account_if_unneeded(account)


def _make_placeholder(alias: str) -> User:
    key = secrets.token_hex(8)
    user = User(
        username=f"nobody-{key}",
        email=f"nobody-{key}@{REMOVED_DOMAIN}",
        display_name=alias,
        is_active=False,
    )
    user.set_unusable_password()
    user.save()
    return user
