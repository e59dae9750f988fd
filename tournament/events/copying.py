"""Copying an event, with the same rules, stages and settings, but new dates and secret keys."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.events.services import check_event, choose_free_slug
from tournament.models import Event, LogAction, Role, Stage, User
from tournament.oversight.audit import record

# Fields that belong only to the original event. In addition, dates and secret keys are never
# copied.
NOT_COPIED: dict[type[Event | Stage], set[str]] = {
    Event: {"id", "slug", "title", "state", "freeze"},
    Stage: {"id", "event", "state"},
}


@dataclass(frozen=True)
class CopyOptions:
    """Options for copying an event.

    * `students`: whether to copy the eligibility list.
    * `staff`: whether to copy the roles.
    """

    title: str
    starts_at: datetime | None = None
    registration_closes: datetime | None = None
    students: bool = False
    staff: bool = False


@transaction.atomic
def copy_event(event: Event, actor: User, options: CopyOptions) -> Event:
    """Create a draft with the same settings, owned by the organizer who copies the event.

    Raises RefusedError like `check_event`.
    """
    copy = Event(title=options.title, slug=choose_free_slug(options.title), **_read_settings(event))
    copy.starts_at, copy.registration_closes = options.starts_at, options.registration_closes
    check_event(copy)
    copy.save()
    Stage.objects.bulk_create(
        Stage(event=copy, **_read_settings(each)) for each in event.stages.all()
    )
    if options.students:
        _copy_list(event, copy)
    copy.roles.create(user=actor, role=Role.OWNER)
    if options.staff:
        _copy_staff(event, copy)
    text = translate_later(
        gettext_noop("Created {event} as a copy of {other}."), event=copy, other=event
    )
    record(copy, actor, LogAction.CREATE, text, like=event.pk)
    return copy


def _read_settings(row: Event | Stage) -> dict[str, Any]:
    """Return the editable settings by field, without times and personal data."""
    excluded = {*NOT_COPIED[type(row)], *type(row).personal.shown}
    fields = (f for f in row._meta.concrete_fields if f.editable and f.name not in excluded)
    return {f.name: getattr(row, f.name) for f in fields if not isinstance(f, models.DateTimeField)}


def _copy_list(event: Event, copy: Event) -> None:
    """Copy the eligibility list, without students who were admitted as exceptions."""
    lines = list(event.students.filter(exception=""))
    for line in lines:
        line.pk, line.event = None, copy
    copy.students.bulk_create(lines)


def _copy_staff(event: Event, target: Event) -> None:
    """Copy the roles, without commentators, whom two organizers have to appoint."""
    existing = set(target.roles.values_list("user_id", "role"))
    new_roles: Iterable[tuple[int, str]] = (
        pair for pair in event.roles.values_list("user_id", "role") if pair not in existing
    )
    allowed = [(user, role) for user, role in new_roles if role != Role.COMMENTATOR]
    target.roles.bulk_create(
        target.roles.model(event=target, user_id=user_id, role=role) for user_id, role in allowed
    )
