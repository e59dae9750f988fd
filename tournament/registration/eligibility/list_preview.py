"""What a list's preview tells beside its verdicts: whom it names in vain, whom it leaves out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import EligibleStudent, Event, Registration
from tournament.registration.eligibility.list_effects import fit_no_more
from tournament.registration.eligibility.lists import (
    COLUMNS,
    ListedStudent,
    Verdict,
    VerdictKind,
    is_allowed,
    unmet_conditions,
)
from tournament.registration.eligibility.lists.domains import domains_text


@dataclass(frozen=True)
class Beside:
    """`barred`: how many of the file's students the event's conditions keep out; `missing`: names
    of people who take part by a line of the list that the file has no more, `removable` lines that
    nobody has registered by; `unfit`: who takes part and would no longer fit by the new line."""

    barred: int
    missing: list[str]
    removable: list[str]
    unfit: list[str]


def compare_rows(event: Event, verdicts: Sequence[Verdict]) -> Beside:
    """For all rows of a file."""
    let_in = exceptions(event)
    named = keys_named(verdicts)
    return Beside(
        barred=sum(bool(why_barred(verdict, event, let_in)) for verdict in verdicts),
        missing=[each.name for each in playing_unnamed(event, named)],
        removable=[str(line) for line in lines_unnamed(event, named)],
        unfit=fit_no_more(event, event, _map_new_lines(verdicts)),
    )


def keys_named(verdicts: Sequence[Verdict]) -> set[str]:
    """The roll numbers, as they are compared, that a file names, be it in a faulty row."""
    return {each.student.key for each in verdicts if each.student}


def _map_new_lines(verdicts: Sequence[Verdict]) -> Mapping[str, ListedStudent]:
    changed = (each for each in verdicts if each.kind == VerdictKind.CHANGED)
    return {each.student.key: each.student for each in changed if each.student}


def playing_unnamed(event: Event, named: Collection[str]) -> list[Registration]:
    """Who takes part by a line that is not among those named; exceptions aside."""
    playing = event.registrations.filter(Registration.TAKES_PART, student__exception="")
    rows = playing.select_related("event", "student", "user").order_by("queue_number")
    return [row for row in rows if row.student and row.student.roll_key not in named]


def lines_unnamed(event: Event, named: Collection[str]) -> list[EligibleStudent]:
    """Lines that are not among those named and that nobody has registered by; exceptions aside."""
    lines: QuerySet[EligibleStudent] = event.students.filter(registrations=None, exception="")
    return [line for line in lines if line.roll_key not in named]


def exceptions(event: Event) -> set[str]:
    """The roll numbers of those whom an organizer lets in whatever the conditions."""
    return set(event.students.exclude(exception="").values_list("roll_key", flat=True))


def why_barred(verdict: Verdict, event: Event, let_in: Collection[str] = ()) -> str:
    """Why the student of a row could not register, for organizers; "" if they could."""
    student = verdict.student
    if student is None or student.key in let_in:
        return ""
    for unmet in unmet_conditions(vars(student), event.conditions):
        text = _("Cannot register: the {column} must be {wanted}, but here it is “{has}”.")
        column = _(COLUMNS[unmet.field].title)
        return text.format(column=column, wanted=unmet.wanted, has=unmet.found)
    if student.email and not is_allowed(student.email, event.email_domains):
        text = _("Cannot register: the email address must end in {domains}.")
        return text.format(domains=domains_text(event.email_domains))
    return ""
