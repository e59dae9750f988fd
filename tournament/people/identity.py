"""Nobody takes part twice, or under what passes for another's name.

Registrations that were refused or have been withdrawn stand in nobody's way.
"""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.process import process_cache
from tournament.common.codes import Code
from tournament.common.refusals import Refused
from tournament.common.texts import skeleton
from tournament.models import Registration

# As many names as a big event has, in a few events.
KEPT = 10_000


def same_student(registration: Registration) -> Registration | None:
    """Who else takes part with this roll number or by this line of the list."""
    same = Q()
    if registration.roll_key:
        same |= Q(roll_key=registration.roll_key)
    if registration.student_id:
        same |= Q(student=registration.student_id)
    return _select_others(registration).filter(same).first() if same else None


def namesake(registration: Registration) -> str | None:
    """The name of somebody else who takes part, if it looks the same.

    Names on a list are the organizer's; a name of one's own must not pass for another's.
    """
    if registration.student_id:
        return None
    looks = skeleton(registration.name)
    names = _select_others(registration).order_by().values_list("name", flat=True)
    return next((name for name in names if _make_skeleton(name) == looks), None)


@process_cache(KEPT)
def _make_skeleton(name: str) -> str:
    # Whoever registers is compared with everybody who has.
    return skeleton(name)


def _select_others(registration: Registration) -> QuerySet[Registration]:
    mine = Registration.objects.filter(Registration.TAKES_PART, event=registration.event_id)
    return mine.exclude(pk=registration.pk)


def check_not_replaced(registration: Registration) -> None:
    """Refuse to bring back a registration whose roll number or name is another's by now."""
    if other := same_student(registration):
        text = _(
            "{name} already takes part with roll number {roll_number}. Reject or withdraw "
            "that registration before you approve this one."
        )
        told = text.format(name=other.name, roll_number=other.roll_number)
        raise Refused(Code.TAKEN, told)
    if other_name := namesake(registration):
        text = _(
            "{name} cannot be approved: “{other}”, who takes part, has the same name or "
            "nearly the same. Rename one of them first."
        )
        raise Refused(Code.NAME_TAKEN, text.format(name=registration.name, other=other_name))
