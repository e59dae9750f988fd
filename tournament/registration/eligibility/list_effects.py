"""Players who would no longer be eligible if the list or the event's conditions changed."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from tournament.models import EligibleStudent, Event, Registration
from tournament.pure.lists import (
    COLUMNS,
    ListedStudent,
    any_allowed,
    unmet_conditions,
)
from tournament.pure.lists.domains import domains_text
from tournament.pure.words import join_words

# Settings that decide whether a student is eligible.
CONDITIONS = ("eligibility_required", "conditions", "email_domains")


def fit_no_more(
    before: Event, after: Event, lines: Mapping[str, ListedStudent] | None = None
) -> list[str]:
    """Return the names of participants who are eligible before the change but not after.

    `lines`: the new list entries by normalized roll number, for students who have one.
    """
    rows = before.registrations.filter(Registration.TAKES_PART).select_related("student")
    people = list(rows.order_by("queue_number"))
    addresses = _map_addresses(people)
    return [
        one.name
        for one in people
        if _fits(before, one, _find_line(one.student, {}), addresses[one.user_id])
        and not _fits(after, one, _find_line(one.student, lines or {}), addresses[one.user_id])
    ]


def _map_addresses(people: Iterable[Registration]) -> Mapping[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    rows = EmailAddress.objects.filter(user__in=[one.user_id for one in people], verified=True)
    for user, address in rows.values_list("user_id", "email"):
        found[user].add(address)
    return found


def _find_line(
    student: EligibleStudent | None, lines: Mapping[str, ListedStudent]
) -> Mapping[str, str]:
    """Return the student's current or new list entry."""
    if student is None:
        return {}
    new = lines.get(student.roll_key)
    return vars(new) if new else {name: getattr(student, name) for name in COLUMNS}


def _fits(
    event: Event, one: Registration, line: Mapping[str, str], addresses: Collection[str]
) -> bool:
    if one.student and one.student.exception:
        return True
    if event.eligibility_required and one.student is None:
        return False
    if not any_allowed(addresses, event.email_domains):
        return False
    return one.student is None or not unmet_conditions(line, event.conditions)


def describe_conditions(event: Event) -> str:
    """Describe the conditions for registering other than the list, "" if there are none."""
    texts = [
        _("{column} = {wanted}").format(column=_(COLUMNS[row["field"]].title), wanted=row["value"])
        for row in event.conditions
    ]
    if event.email_domains:
        domains = domains_text(event.email_domains)
        texts.append(_("an email address ending in {domains}").format(domains=domains))
    return join_words(texts)
