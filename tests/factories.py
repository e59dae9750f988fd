"""People and events for tests; every name is invented."""

import itertools
from typing import Any

from allauth.account.models import EmailAddress

from tournament.eligibility import normalise_roll
from tournament.models import EligibleStudent, Event, Registration, User
from tournament.services import register

numbers = itertools.count(1)
NAMES = ["Asha", "Ben", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari", "Ira", "Jai"]


def make_user(name: str = "", *, verified: bool = True, **fields: Any) -> User:
    """An account with a confirmed address of its own."""
    number = next(numbers)
    name = name or f"{NAMES[number % len(NAMES)]} {number}"
    email = fields.pop("email", f"player{number}@college.example")
    user = User.objects.create_user(
        username=f"player{number}", email=email, password="not-used", display_name=name, **fields
    )
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def make_organizer(*events: Event, **fields: Any) -> User:
    """A staff account that organizes the given events."""
    user = make_user(is_staff=True, **fields)
    for event in events:
        event.organizers.add(user)
    return user


def make_event(**fields: Any) -> Event:
    """A published event without an eligibility list, unless `fields` say otherwise."""
    number = next(numbers)
    defaults = {
        "title": f"Event {number}",
        "slug": f"event-{number}",
        "ruleset": "uno-400",
        "state": Event.State.OPEN,
        "eligibility_required": False,
    }
    return Event.objects.create(**(defaults | fields))


def make_student(event: Event, roll: str = "", **fields: Any) -> EligibleStudent:
    roll = roll or f"CHE-{next(numbers):04}"
    return EligibleStudent.objects.create(
        event=event, roll_number=roll, roll_key=normalise_roll(roll), **({"name": "Asha"} | fields)
    )


def make_registrations(event: Event, count: int) -> list[Registration]:
    """`count` people who have registered through the service."""
    return [register(event, make_user(), roll_number=f"R{next(numbers):05}") for _ in range(count)]
