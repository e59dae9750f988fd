"""Copying an event: its rules, stages and settings, with new dates and new secrets."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.events.services import check_event, free_address
from tournament.models import Event, LogAction, Role, Stage, User
from tournament.oversight.audit import record

# Fields of the original event and its progress; dates are asked anew, and keys are never copied.
OWN: dict[type[Event | Stage], set[str]] = {
    Event: {"id", "slug", "title", "state", "freeze"},
    Stage: {"id", "event", "state"},
}


@dataclass(frozen=True)
class CopyOptions:
    """Options for copying an event, with the differences from the original.

    `students` and `staff` say whether the list and the roles are copied as well.
    """

    title: str
    starts_at: datetime | None = None
    registration_closes: datetime | None = None
    students: bool = False
    staff: bool = False


@transaction.atomic
def copy_event(event: Event, actor: User, again: CopyOptions) -> Event:
    """Create a draft like this event, owned by the organizer who copies it.

    Raises RefusedError as `check_event` does.
    """
    made = Event(title=again.title, slug=free_address(again.title), **_read_settings(event))
    made.starts_at, made.registration_closes = again.starts_at, again.registration_closes
    check_event(made)
    made.save()
    Stage.objects.bulk_create(
        Stage(event=made, **_read_settings(each)) for each in event.stages.all()
    )
    if again.students:
        _copy_list(event, made)
    made.roles.create(user=actor, role=Role.OWNER)
    if again.staff:
        _copy_staff(event, made)
    text = translate_later(
        gettext_noop("Created {event} as a copy of {other}."), event=made, other=event
    )
    record(made, actor, LogAction.CREATE, text, like=event.pk)
    return made


def _read_settings(row: Event | Stage) -> dict[str, Any]:
    """Return the settings made by people, by field, without times and personal data."""
    own = {*OWN[type(row)], *type(row).personal.shown}
    fields = (f for f in row._meta.concrete_fields if f.editable and f.name not in own)
    return {f.name: getattr(row, f.name) for f in fields if not isinstance(f, models.DateTimeField)}


def _copy_list(event: Event, copy: Event) -> None:
    """Copy the eligibility list, without lines added as exceptions for the earlier event."""
    lines = list(event.students.filter(exception=""))
    for line in lines:
        line.pk, line.event = None, copy
    copy.students.bulk_create(lines)


def _copy_staff(event: Event, target: Event) -> None:
    """Copy the roles, except for commentators, who have to be named by two organizers."""
    known = set(target.roles.values_list("user_id", "role"))
    kept: Iterable[tuple[int, str]] = (
        pair for pair in event.roles.values_list("user_id", "role") if pair not in known
    )
    wanted = [(user, role) for user, role in kept if role != Role.COMMENTATOR]
    target.roles.bulk_create(target.roles.model(event=target, user_id=u, role=r) for u, r in wanted)
