"""People and events for tests; every name is invented."""

import itertools
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from tournament.models import EligibleStudent, Event, EventRole, Registration, User
from tournament.pure.lists import normalise_roll
from tournament.registration.services import register

unique_numbers = itertools.count(1)
# No deal reaches this target, so the match lasts until its limit.
UNREACHABLE_TARGET = {"target": 10_000}
NAMES = ["Asha", "Ben", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari", "Ira", "Jai"]


def make_user(name: str = "", *, verified: bool = True, **fields: Any) -> User:
    """Create an account with its own email address, verified unless `verified` is False."""
    number = next(unique_numbers)
    name = name or make_name(number)
    email = fields.pop("email", f"player{number}@college.example")
    user = User.objects.create_user(
        username=f"player{number}", email=email, password="not-used", display_name=name, **fields
    )
    EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)
    return user


def make_name(number: int) -> str:
    return f"{NAMES[number % len(NAMES)]} {number}"


def make_organizer(*events: Event, **fields: Any) -> User:
    """Create a staff account that owns the given events."""
    user = make_user(is_staff=True, **fields)
    for event in events:
        give_role(event, user)
    return user


def give_role(event: Event, user: User, role: str = "owner", **fields: Any) -> EventRole:
    """Give a user a role in the event by writing the row that the service would write."""
    return EventRole.objects.create(event=event, user=user, role=role, **fields)


def remove_role(event: Event, user: User, role: str = "owner") -> None:
    event.roles.filter(user=user, role=role).delete()


def make_event(**fields: Any) -> Event:
    """Create a published event without an eligibility list, unless `fields` say otherwise."""
    number = next(unique_numbers)
    defaults = {
        "title": f"Event {number}",
        "slug": f"event-{number}",
        "ruleset": "uno-400",
        "state": Event.State.OPEN,
        "eligibility_required": False,
    }
    return Event.objects.create(**(defaults | fields))


def make_student(event: Event, roll: str = "", **fields: Any) -> EligibleStudent:
    roll = roll or f"CHE-{next(unique_numbers):04}"
    return EligibleStudent.objects.create(
        event=event, roll_number=roll, roll_key=normalise_roll(roll), **({"name": "Asha"} | fields)
    )


def make_registrations(event: Event, count: int) -> list[Registration]:
    """Register `count` new users through the service and return their registrations."""
    return [
        register(event, make_user(), roll_number=f"R{next(unique_numbers):05}")
        for _ in range(count)
    ]


def make_players(event: Event, count: int) -> list[Registration]:
    """Create `count` approved registrations for an open event, as `register` would.

    Only three statements are executed, which saves time in tests that only need players to seat.
    """
    assert count == 0 or not any(
        [event.capacity, event.requires_approval, event.eligibility_required]
    )
    users = User.objects.bulk_create(
        _build_user(number) for number in itertools.islice(unique_numbers, count)
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    first = event.registrations.count() + 1
    return Registration.objects.bulk_create(
        _build_registration(event, user, number) for number, user in enumerate(users, first)
    )


def _build_user(number: int) -> User:
    return User(
        username=f"player{number}",
        email=f"player{number}@college.example",
        password=make_password(None),
        display_name=make_name(number),
    )


def _build_registration(event: Event, user: User, queue_number: int) -> Registration:
    roll_number = f"R{next(unique_numbers):05}"
    return Registration(
        event=event,
        user=user,
        name=user.display_name,
        roll_number=roll_number,
        roll_key=normalise_roll(roll_number),
        state=Registration.State.APPROVED,
        queue_number=queue_number,
        registered_at=timezone.now(),
    )
