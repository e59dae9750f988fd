"""The demo's accounts: an organizer and fictional students, with random passwords.

An account's user name is its first email address, because the user may change the address later.
"""

import secrets
from collections.abc import Mapping, Sequence

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.db.models import QuerySet

from tournament.demo.people import list_students
from tournament.models import User
from tournament.pure.lists import ListedStudent

ORGANIZER = "organizer@example.edu"
# Contact details of all demo events.
CONTACT = {
    "contact_name": "Odile Organizer",
    "contact_email": ORGANIZER,
    "contact_phone": "+91 00000 00042",
    "contact_room": "Students' office, room 12",
}
# Letters and digits that are easy to read aloud and to type on a phone. Twelve of them have about
# 59 bits of entropy.
CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_password() -> str:
    parts = ["".join(secrets.choice(CHARACTERS) for _ in range(6)) for _ in range(2)]
    return "-".join(["ocho", *parts])


def list_accounts() -> QuerySet[User]:
    """Return the accounts that were created for the demo."""
    return User.objects.filter(username__in=[ORGANIZER, *(each.email for each in list_students())])


def find_organizer() -> User | None:
    """Return the organizer of the demo's events, or None if the account was removed."""
    return User.objects.filter(username=ORGANIZER).first()


def make_organizer(passwords: Mapping[str, str]) -> User:
    """Create the organizer, who runs the demo's events and may add more."""
    user = _make_account(ORGANIZER, "Odile Organizer", passwords, is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="add_event"))
    return user


def make_students(people: Sequence[ListedStudent], passwords: Mapping[str, str]) -> dict[str, User]:
    """Create the students' accounts, and return them by email address.

    Students without a password sign in with a code.
    """
    return {each.email: _make_account(each.email, each.name, passwords) for each in people}


def _make_account(email: str, name: str, passwords: Mapping[str, str], **fields: bool) -> User:
    first, _, last = name.partition(" ")
    user = User.objects.create_user(
        username=email,
        email=email,
        password=passwords.get(email),
        display_name=name,
        first_name=first,
        last_name=last,
        **fields,
    )
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user
