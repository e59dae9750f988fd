"""Eligibility lists for tests."""

from tournament.models import EligibilityImport, Event, User
from tournament.registration.eligibility.uploads import upload_list

HEADER = "Roll No.,Name,Email,Department,Course,Year\n"
VALID_LIST = HEADER + (
    "CHE-001,Asha Sen,asha@college.example,Chemical Engineering,UG,2\n"
    "CHE-002,Ben Roy,ben@college.example,Chemical Engineering,UG,3\n"
)


def upload_text(event: Event, organizer: User, text: str) -> EligibilityImport:
    return upload_list(event, organizer, "list.csv", text.encode())


def list_roll_numbers(event: Event) -> list[str]:
    """Return the roll numbers on the eligibility list of the event."""
    return list(event.students.values_list("roll_number", flat=True))
