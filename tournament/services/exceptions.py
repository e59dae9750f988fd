"""Single students whom an organizer lets in whatever list and conditions say, with a reason."""

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.eligibility import Student
from tournament.models import EligibleStudent, Event, User
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event
from tournament.services.students import check_student


@transaction.atomic
def let_in(event: Event, actor: User, student: Student, reason: str) -> EligibleStudent:
    """Let this student register: by the line that there is with the roll number, or by a new one.

    Refused with: no-reason, and as `check_student`.
    """
    event, reason = lock_event(event), reason.strip()
    if not reason:
        raise Refused("no-reason", _("Please say why this student may register all the same."))
    line = event.students.filter(roll_key=student.key).first()
    if line is None:
        line = EligibleStudent(event=event, **vars(student))
        check_student(line)
    line.exception = reason[:300]
    line.save()

    def text() -> str:
        return _("Lets {student} in as an exception.").format(student=line)

    record(event, actor, "exception", text, reason, student=line.roll_key)
    return line


@transaction.atomic
def end_exception(line: EligibleStudent, actor: User) -> EligibleStudent:
    """The event's conditions hold for this student again; who has registered stays.

    Refused with: same.
    """
    event = lock_event(line.event)
    line.refresh_from_db()
    if not line.exception:
        raise Refused("same", _("{student} is no exception.").format(student=line))
    reason, line.exception = line.exception, ""
    line.save(update_fields=["exception"])

    def text() -> str:
        return _("{student} is an exception no more.").format(student=line)

    record(event, actor, "exception-off", text, student=line.roll_key, before=reason)
    return line
