"""Checks that no one takes part twice, or under a name that looks like another participant's.

Rejected and withdrawn registrations do not count.
"""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.process import process_cache
from tournament.common.refusals import RefusedError
from tournament.models import Registration
from tournament.pure.codes import Code
from tournament.pure.texts import skeleton

# Enough for the names of a few large events.
CACHED_NAMES = 10_000


def find_same_student(registration: Registration) -> Registration | None:
    """Return another participant with the same roll number or list entry, or None."""
    same = Q()
    if registration.roll_key:
        same |= Q(roll_key=registration.roll_key)
    if registration.student_id:
        same |= Q(student=registration.student_id)
    return _select_others(registration).filter(same).first() if same else None


def find_namesake(registration: Registration) -> str | None:
    """Return another participant's name that looks the same, or None.

    Only names that players have chosen are checked. Those on the list come from the organizers.
    """
    if registration.student_id:
        return None
    looks = skeleton(registration.name)
    names = _select_others(registration).order_by().values_list("name", flat=True)
    return next((name for name in names if _compute_skeleton(name) == looks), None)


@process_cache(CACHED_NAMES)
def _compute_skeleton(name: str) -> str:
    # Cached because each new registration is compared with all earlier ones.
    return skeleton(name)


def _select_others(registration: Registration) -> QuerySet[Registration]:
    mine = Registration.objects.filter(Registration.TAKES_PART, event=registration.event_id)
    return mine.exclude(pk=registration.pk)


def check_not_replaced(registration: Registration) -> None:
    """Check that no other player has taken the roll number or name of a former registration.

    Called before the registration is restored. Raises RefusedError with the code `taken` or
    `name-taken`.
    """
    if other := find_same_student(registration):
        text = _(
            "{name} is already taking part with roll number {roll_number}. Reject or "
            "withdraw that registration before you approve this one."
        )
        message = text.format(name=other.name, roll_number=other.roll_number)
        raise RefusedError(Code.TAKEN, message)
    if other_name := find_namesake(registration):
        text = _(
            "{name} cannot be approved: another participant, “{other}”, has the same name "
            "or a very similar one. Rename one of them first."
        )
        raise RefusedError(Code.NAME_TAKEN, text.format(name=registration.name, other=other_name))
