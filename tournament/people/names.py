"""Changes to the names and roll numbers of registered players.

A match keeps the names that its players had when it started. Later matches and all other pages show
the new names.
"""

from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import EligibleStudent, Event, LogAction, Registration, User
from tournament.oversight.audit import record
from tournament.people.identity import find_namesake
from tournament.pure.codes import Code
from tournament.pure.texts import clean_text, is_name

State = Registration.State


@transaction.atomic
def rename_player(registration: Registration, actor: User, name: str) -> Registration:
    """Rename a player whose name does not come from the eligibility list.

    Raises RefusedError with the code `listed`, `no-name` or `name-taken`.
    """
    event = lock_event(registration.event, settled=True)
    stored = Registration.objects.get(pk=registration.pk)
    before, stored.name = stored.name, clean_text(name)
    if stored.name != before:
        _check_chosen_name(stored)
        stored.save(update_fields=["name"])
        text = translate_later(
            gettext_noop("{before} is now called {name}."), before=before, name=stored.name
        )
        record(event, actor, LogAction.RENAME, text, registration=stored.pk, before=[before])
    registration.name = stored.name
    return registration


def check_changed_name(registration: Registration) -> None:
    """Check a registration's name before it is saved, if it differs from the stored one.

    Raises RefusedError with the code `listed`, `no-name` or `name-taken`.
    """
    if Registration.objects.get(pk=registration.pk).name != registration.name:
        _check_chosen_name(registration)


def _check_chosen_name(registration: Registration) -> None:
    if registration.student_id:
        raise RefusedError(
            Code.LISTED,
            _("This name comes from the eligibility list. Correct the student’s entry there."),
        )
    if not is_name(registration.name):
        raise RefusedError(Code.NO_NAME, _("Enter the name that others will see."))
    if other := find_namesake(registration):
        text = _("Another participant, “{name}”, has the same name or a very similar one.")
        raise RefusedError(Code.NAME_TAKEN, text.format(name=other))


def apply_changed_entries(
    event: Event, actor: User, rows: Iterable[EligibleStudent], before: Mapping[int, str]
) -> None:
    """Apply changes of list entries to the registrations linked to them.

    * `rows`: the changed entries.
    * `before`: the previous name, by the entry's key.

    The caller must have locked the event.
    """
    lines = {row.pk: row for row in rows}
    for registration in event.registrations.filter(student__isnull=False):
        if row := lines.get(registration.student_id or 0):
            _apply_entry(event, actor, registration, row, before[row.pk])


def _apply_entry(
    event: Event, actor: User, registration: Registration, row: EligibleStudent, before: str
) -> None:
    description_before, values_before = (
        _describe_registration(registration),
        [registration.name, registration.roll_number],
    )
    # A name that the person entered is kept until the registration is approved.
    if registration.state == State.APPROVED or registration.name == before:
        registration.name = row.name
    registration.roll_number, registration.roll_key = row.roll_number, row.roll_key
    if _describe_registration(registration) != description_before:
        registration.save(update_fields=["name", "roll_number", "roll_key"])

        def describe_rename() -> str:
            now = _describe_registration(registration)
            return _("{before} is now called {now}, as on the eligibility list.").format(
                before=description_before, now=now
            )

        record(
            event,
            actor,
            LogAction.RENAME,
            describe_rename,
            registration=registration.pk,
            before=values_before,
        )


def _describe_registration(registration: Registration) -> str:
    return f"{registration.name} ({registration.roll_number})"
