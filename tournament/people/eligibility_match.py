"""Matching of registrations to the eligibility list. A roll number alone is not enough."""

from collections.abc import Collection

from allauth.account.models import EmailAddress
from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import EligibleStudent, Event, Registration, User
from tournament.pure.codes import Code
from tournament.pure.lists import (
    COLUMNS,
    is_any_allowed,
    normalise_roll,
    unmet_conditions,
)
from tournament.pure.lists.domains import describe_domains
from tournament.pure.texts import clean_text


def make_not_listed_error() -> RefusedError:
    """Return the refusal for a person who is not on the list.

    It is the same for everyone, so that it does not reveal who is on the list.
    """
    return RefusedError(
        Code.NOT_LISTED,
        _(
            "Your roll number and email address don’t match an entry on this event’s "
            "eligibility list. Check the number for typos, sign in with your college "
            "address, or ask the organizers."
        ),
    )


def list_verified_addresses(user: User) -> set[str]:
    """Return the user's confirmed email addresses in lower case."""
    mine = EmailAddress.objects.filter(user=user, verified=True)
    return {address.lower() for address in mine.values_list("email", flat=True)}


def find_student(event: Event, user: User, roll_number: str) -> EligibleStudent:
    """Return the list entry that entitles the user to register.

    Raises RefusedError with the code `no-roll`, `not-listed`, `condition` or `domain`.
    """
    if not normalise_roll(roll_number):
        text = _("Enter your roll number as printed on your student card.")
        raise RefusedError(Code.NO_ROLL, text)
    student = event.students.filter(roll_key=normalise_roll(roll_number)).first()
    if student is None or (student.email and not _has_address(student, user)):
        raise make_not_listed_error()
    for refused in list_unmet_conditions(event, student, list_verified_addresses(user)):
        raise refused if student.email else make_not_listed_error()
    return student


def list_unmet_conditions(
    event: Event, student: EligibleStudent, addresses: Collection[str]
) -> list[RefusedError]:
    """Return a refusal for each condition of the event that the student does not meet.

    `addresses` are the student's confirmed addresses. Students admitted as an exception need not
    meet the conditions.
    """
    if student.exception:
        return []
    columns = {name: getattr(student, name) for name in COLUMNS}
    unmet_rules = unmet_conditions(columns, event.conditions)
    refusals = [RefusedError(Code.CONDITION, each.sentence) for each in unmet_rules]
    return [*refusals, *list_domain_refusals(event, addresses)]


def list_domain_refusals(event: Event, addresses: Collection[str]) -> list[RefusedError]:
    """Return a refusal if no address is in one of the event's domains, or an empty list."""
    if is_any_allowed(addresses, event.email_domains):
        return []
    text = _("This event is for people with a confirmed email address that ends in {domains}.")
    return [RefusedError(Code.DOMAIN, text.format(domains=describe_domains(event.email_domains)))]


def _has_address(student: EligibleStudent, user: User) -> bool:
    return student.email.lower() in list_verified_addresses(user)


def has_proven_identity(registration: Registration) -> bool:
    """Return whether the person's email address proves that they are the student on the list.

    Always true for a registration without a list entry.
    """
    student = registration.student
    return student is None or _has_address(student, registration.user)


def link_to_list_entry(registration: Registration, student: EligibleStudent) -> None:
    """Link the registration to a list entry.

    The registration gets the name on the list only if the person's email address proves their
    identity.
    """
    user = registration.user
    registration.student = student
    registration.name = clean_text(user.display_name) or student.roll_number
    registration.roll_number, registration.roll_key = student.roll_number, student.roll_key
    if has_proven_identity(registration):
        copy_listed_name(registration)


def copy_listed_name(registration: Registration) -> None:
    """Copy the name from the registration's list entry, if there is one."""
    if registration.student:
        registration.name = registration.student.name
