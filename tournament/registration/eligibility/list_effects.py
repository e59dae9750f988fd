"""Players who become ineligible if the eligibility list or the conditions change."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from tournament.models import EligibleStudent, Event, Registration
from tournament.pure.lists import (
    COLUMNS,
    ListedStudent,
    is_any_allowed,
    unmet_conditions,
)
from tournament.pure.lists.domains import describe_domains
from tournament.pure.words import join_words

# Settings that determine which students are eligible.
CONDITIONS = ("eligibility_required", "conditions", "email_domains")


def find_newly_ineligible(
    before: Event, after: Event, lines: Mapping[str, ListedStudent] | None = None
) -> list[str]:
    """Return the names of participants who are eligible before a change, but not after it.

    `lines` contains the changed list entries, by normalized roll number.
    """
    rows = before.registrations.filter(Registration.TAKES_PART).select_related("student")
    participants = list(rows.order_by("queue_number"))
    addresses = _map_verified_addresses(participants)
    return [
        participant.name
        for participant in participants
        if _is_eligible(
            before,
            participant,
            _find_list_entry(participant.student, {}),
            addresses[participant.user_id],
        )
        and not _is_eligible(
            after,
            participant,
            _find_list_entry(participant.student, lines or {}),
            addresses[participant.user_id],
        )
    ]


def _map_verified_addresses(people: Iterable[Registration]) -> Mapping[int, set[str]]:
    addresses: dict[int, set[str]] = defaultdict(set)
    rows = EmailAddress.objects.filter(
        user__in=[person.user_id for person in people], verified=True
    )
    for user, address in rows.values_list("user_id", "email"):
        addresses[user].add(address)
    return addresses


def _find_list_entry(
    student: EligibleStudent | None, lines: Mapping[str, ListedStudent]
) -> Mapping[str, str]:
    """Return the student's changed list entry or, if it does not change, the current one."""
    if student is None:
        return {}
    new_entry = lines.get(student.roll_key)
    return vars(new_entry) if new_entry else {name: getattr(student, name) for name in COLUMNS}


def _is_eligible(
    event: Event, registration: Registration, entry: Mapping[str, str], addresses: Collection[str]
) -> bool:
    if registration.student and registration.student.exception:
        return True
    if event.eligibility_required and registration.student is None:
        return False
    if not is_any_allowed(addresses, event.email_domains):
        return False
    return registration.student is None or not unmet_conditions(entry, event.conditions)


def describe_conditions(event: Event) -> str:
    """Describe the event's conditions for registering, or return "" if there are none."""
    texts = [
        _("{column} = {wanted}").format(column=_(COLUMNS[row["field"]].title), wanted=row["value"])
        for row in event.conditions
    ]
    if event.email_domains:
        domains = describe_domains(event.email_domains)
        texts.append(_("an email address ending in {domains}").format(domains=domains))
    return join_words(texts)
