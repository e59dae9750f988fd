"""Nobody takes part twice, or under what passes for another's name.

Registrations that were refused or have been withdrawn stand in nobody's way.
"""

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.process import kept
from games.stored.asked import Asked
from tournament.models import Registration
from tournament.plumbing.aggregates import Together
from tournament.services.errors import Refused
from tournament.texts import skeleton

# As many names as a big event has, in a few events.
KEPT = 10_000


def same_student(registration: Registration) -> Registration | None:
    """Who else takes part with this roll number or by this line of the list."""
    same = Q()
    if registration.roll_key:
        same |= Q(roll_key=registration.roll_key)
    if registration.student_id:
        same |= Q(student=registration.student_id)
    return _others(registration).filter(same).first() if same else None


def _names(event: int, but: int) -> QuerySet[Any, Any]:
    """What those are called who take part in an event, but for one registration, in one row."""
    others = Registration.objects.filter(Registration.TAKES_PART, event=event).exclude(pk=but)
    return others.order_by().values("event").annotate(names=Together("name")).values_list("names")


_NAMES = Asked(_names, (int, int))


def namesake(registration: Registration) -> str | None:
    """The name of somebody else who takes part, if it looks the same.

    Names on a list are the organizer's; a name of one's own must not pass for another's.
    """
    if registration.student_id:
        return None
    looks = skeleton(registration.name)
    found = _NAMES.values(registration.event_id, registration.pk or 0)
    names = found[0][0] if found else []
    return next((name for name in names if _looks(name) == looks), None)


@kept(KEPT)
def _looks(name: str) -> str:
    # Whoever registers is compared with everybody who has.
    return skeleton(name)


def _others(registration: Registration) -> QuerySet[Registration]:
    mine = Registration.objects.filter(Registration.TAKES_PART, event=registration.event_id)
    return mine.exclude(pk=registration.pk)


def check_not_replaced(registration: Registration) -> None:
    """Refuse to bring back a registration whose roll number or name is another's by now."""
    if other := same_student(registration):
        text = _(
            "{name} takes part with roll number {roll_number} already. Refuse or withdraw that "
            "registration before you approve this one."
        )
        told = text.format(name=other.name, roll_number=other.roll_number)
        raise Refused("taken", told)
    if other_name := namesake(registration):
        text = _(
            "{name} cannot be approved: “{other}”, who takes part, is called the same, or nearly "
            "so. Give one of them another name first."
        )
        raise Refused("name-taken", text.format(name=registration.name, other=other_name))
