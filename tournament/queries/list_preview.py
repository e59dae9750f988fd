"""What a list's preview tells beside its verdicts: whom it names in vain, whom it leaves out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.eligibility import COLUMNS, Verdict, unmet_conditions
from tournament.models import Event, Registration


@dataclass(frozen=True)
class Beside:
    """`barred`: how many of the file's students the event's conditions keep out; `missing`: names
    of people who take part by a line of the list that the file has no more."""

    barred: int
    missing: list[str]


def beside(event: Event, verdicts: Sequence[Verdict]) -> Beside:
    """For all rows of a file."""
    barred = sum(bool(why_barred(verdict, event.conditions)) for verdict in verdicts)
    named = {each.student.key for each in verdicts if each.student}
    playing = event.registrations.filter(Registration.TAKES_PART, student__isnull=False)
    rows = playing.order_by("queue_number").values_list("student__roll_key", "name")
    return Beside(barred, [name for key, name in rows if key not in named])


def why_barred(verdict: Verdict, conditions: Iterable[Mapping[str, str]]) -> str:
    """Why the student of a row could not register, for organizers; "" if they could."""
    if verdict.student is None:
        return ""
    for unmet in unmet_conditions(vars(verdict.student), conditions):
        text = _("Cannot register: the {column} has to be {wanted}, here it is “{has}”.")
        column = _(COLUMNS[unmet.field].title)
        return text.format(column=column, wanted=unmet.wanted, has=unmet.found)
    return ""
