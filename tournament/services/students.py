"""Single lines of the list: added, corrected or taken off by hand."""

from collections.abc import Iterable

from django.db import transaction

from tournament import eligibility
from tournament.models import EligibleStudent, User
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event


def check_student(row: EligibleStudent) -> None:
    """Refuse a line that clashes with another of the list: roll, address."""
    row.roll_key = eligibility.normalise_roll(row.roll_number)
    row.email = eligibility.normalise_email(row.email)
    others = EligibleStudent.objects.filter(event=row.event_id).exclude(pk=row.pk)
    if same := others.filter(roll_key=row.roll_key).first():
        raise Refused("roll", f"{same.name} has the roll number {same.roll_number} already.")
    if row.email and (same := others.filter(email=row.email).first()):
        raise Refused("address", f"{same.name} ({same.roll_number}) has this address already.")


@transaction.atomic
def save_student(row: EligibleStudent, actor: User) -> EligibleStudent:
    """Add one line to the list or correct one. Refused with: roll, address."""
    event = lock_event(row.event)
    verb = "Corrected" if row.pk else "Added"
    check_student(row)
    row.save()
    record(event, actor, "student", f"{verb} {row} on the list.", student=row.roll_key)
    return row


@transaction.atomic
def remove_students(rows: Iterable[EligibleStudent], actor: User) -> int:
    """Take lines off the list; how many. Refused with: registered."""
    chosen = list(rows)
    for row in chosen:
        event = lock_event(row.event)
        if row.registrations.exists():
            raise Refused(
                "registered",
                f"{row} has registered: refuse the registration instead. Nothing was removed.",
            )
        row.delete()
        record(event, actor, "student", f"Took {row} off the list.", student=row.roll_key)
    return len(chosen)
