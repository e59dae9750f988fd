"""Facts in the preview of an uploaded list: excluded and missing students."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import EligibleStudent, Event, Registration
from tournament.pure.lists import (
    COLUMNS,
    ListedStudent,
    Verdict,
    VerdictKind,
    is_allowed,
    unmet_conditions,
)
from tournament.pure.lists.domains import describe_domains
from tournament.registration.eligibility.list_effects import find_newly_ineligible


@dataclass(frozen=True)
class PreviewFacts:
    """Facts about an uploaded list, in addition to the verdicts on its rows.

    * `ineligible_count`: the number of students in the file whom the event's conditions exclude.
    * `missing`: the names of players whose list entry is not in the file.
    * `removable`: the list entries that are not in the file and have no registration.
    * `newly_ineligible`: the names of players who would not be eligible with their new entry.
    """

    ineligible_count: int
    missing: list[str]
    removable: list[str]
    newly_ineligible: list[str]


def find_preview_facts(event: Event, verdicts: Sequence[Verdict]) -> PreviewFacts:
    """Return the facts about a file with these verdicts."""
    exempted = find_exempted_roll_keys(event)
    keys = list_roll_keys(verdicts)
    return PreviewFacts(
        ineligible_count=sum(
            bool(explain_ineligibility(verdict, event, exempted)) for verdict in verdicts
        ),
        missing=[each.name for each in list_missing_players(event, keys)],
        removable=[str(line) for line in list_removable_entries(event, keys)],
        newly_ineligible=find_newly_ineligible(event, event, _map_new_lines(verdicts)),
    )


def list_roll_keys(verdicts: Sequence[Verdict]) -> set[str]:
    """Return the normalized roll numbers in a file, including those in invalid rows."""
    return {each.student.key for each in verdicts if each.student}


def _map_new_lines(verdicts: Sequence[Verdict]) -> Mapping[str, ListedStudent]:
    changed = (each for each in verdicts if each.kind == VerdictKind.CHANGED)
    return {each.student.key: each.student for each in changed if each.student}


def list_missing_players(event: Event, keys: Collection[str]) -> list[Registration]:
    """Return the players whose list entry is not in the file, except admitted exceptions."""
    participants = event.registrations.filter(Registration.TAKES_PART, student__exception="")
    rows = participants.select_related("event", "student", "user").order_by("queue_number")
    return [row for row in rows if row.student and row.student.roll_key not in keys]


def list_removable_entries(event: Event, keys: Collection[str]) -> list[EligibleStudent]:
    """Return the list entries that are not in the file and have no registration.

    Students who were admitted as exceptions are left out.
    """
    entries: QuerySet[EligibleStudent] = event.students.filter(registrations=None, exception="")
    return [entry for entry in entries if entry.roll_key not in keys]


def find_exempted_roll_keys(event: Event) -> set[str]:
    """Return the roll numbers of students who are admitted as exceptions."""
    return set(event.students.exclude(exception="").values_list("roll_key", flat=True))


def explain_ineligibility(verdict: Verdict, event: Event, exempted: Collection[str] = ()) -> str:
    """Explain to organizers why the student cannot register, or return "" if the student can."""
    student = verdict.student
    if student is None or student.key in exempted:
        return ""
    for unmet in unmet_conditions(vars(student), event.conditions):
        text = _("Cannot register: the {column} must be {wanted}, not “{has}”.")
        column = _(COLUMNS[unmet.field].title)
        return text.format(column=column, wanted=unmet.wanted, has=unmet.found)
    if student.email and not is_allowed(student.email, event.email_domains):
        text = _("Cannot register: the email address must end in {domains}.")
        return text.format(domains=describe_domains(event.email_domains))
    return ""
