"""Students whom an organizer admits despite the list and conditions, with a reason."""

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
    """Admit this student as an exception, with the existing list entry or a new one.

    Refused with: no-reason, and as `check_student`.
    """
    event, reason = lock_event(event), reason.strip()
    if not reason:
        raise RefusedError(
            Code.NO_REASON, _("Say why this student is being admitted as an exception.")
        )
    line = event.students.filter(roll_key=student.key).first()
    if line is None:
        line = EligibleStudent(event=event, **vars(student))
        check_student(line)
    line.exception = shorten(reason, 300)
    line.save()
    text = translate_later(gettext_noop("Admitted {student} as an exception."), student=line)
    record(event, actor, LogAction.EXCEPTION, text, reason, student=line.roll_key)
    return line


@transaction.atomic
def end_exception(line: EligibleStudent, actor: User) -> EligibleStudent:
    """End the student's exception from the event's conditions; a registration stays.

    Refused with: same.
    """
    event = lock_event(line.event, line)
    if not line.exception:
        raise RefusedError(
            Code.SAME, _("{student} has not been admitted as an exception.").format(student=line)
        )
    reason, line.exception = line.exception, ""
    line.save(update_fields=["exception"])
    text = translate_later(
        gettext_noop("{student} is no longer admitted as an exception."), student=line
    )
    record(event, actor, LogAction.EXCEPTION_OFF, text, student=line.roll_key, before=reason)
    return line
