"""Students whom an organizer admits despite the list or the conditions, with a reason."""

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.rules.clusters import shorten
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import EligibleStudent, Event, LogAction, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code
from tournament.pure.lists import ListedStudent
from tournament.registration.eligibility.students import check_student


@transaction.atomic
def admit_student(
    event: Event, actor: User, student: ListedStudent, reason: str
) -> EligibleStudent:
    """Admit a student as an exception, with an existing or a new list entry.

    Raises RefusedError with the code `no-reason`, or like `check_student`.
    """
    event, reason = lock_event(event), reason.strip()
    if not reason:
        raise RefusedError(
            Code.NO_REASON, _("Say why this student is being admitted as an exception.")
        )
    entry = event.students.filter(roll_key=student.key).first()
    if entry is None:
        entry = EligibleStudent(event=event, **vars(student))
        check_student(entry)
    entry.exception = shorten(reason, 300)
    entry.save()
    text = translate_later(gettext_noop("Admitted {student} as an exception."), student=entry)
    record(event, actor, LogAction.EXCEPTION, text, reason, student=entry.roll_key)
    return entry


@transaction.atomic
def end_student_exception(entry: EligibleStudent, actor: User) -> EligibleStudent:
    """End the student's exception. An existing registration is kept.

    Raises RefusedError with the code `same`.
    """
    event = lock_event(entry.event, entry)
    if not entry.exception:
        raise RefusedError(
            Code.SAME, _("{student} has not been admitted as an exception.").format(student=entry)
        )
    reason, entry.exception = entry.exception, ""
    entry.save(update_fields=["exception"])
    text = translate_later(
        gettext_noop("{student} is no longer admitted as an exception."), student=entry
    )
    record(event, actor, LogAction.EXCEPTION_OFF, text, student=entry.roll_key, before=reason)
    return entry
