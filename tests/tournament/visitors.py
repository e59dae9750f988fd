"""Visitors' actions on the account pages, where Asha has an account."""

import re
from typing import Any

from django.contrib.auth import get_user
from django.core.mail import EmailMessage
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_organizer, make_user
from tests.typed import Response
from tournament.models import Event, Registration, User
from tournament.people.accounts.desk_codes import create_desk_code
from tournament.people.accounts.limits import count_guess

PASSWORD = "seven-lucky-cards"
CODE_LINE = re.compile(r"^ {4}(\w{4}-\w{4})$", re.MULTILINE)


def make_asha(**fields: Any) -> User:
    user = make_user("Asha", email="asha@college.example", **fields)
    user.set_password(PASSWORD)
    user.save()
    return user


def read_code(mail: EmailMessage) -> str:
    [code] = CODE_LINE.findall(str(mail.body))
    return str(code)


def create_registration(event: Event, user: User) -> Registration:
    """Create an approved registration of the user for the event."""
    return Registration.objects.create(
        event=event,
        user=user,
        name="Asha",
        queue_number=1,
        state=Registration.State.APPROVED,
        registered_at=timezone.now(),
    )


def sign_in_at_desk(registration: Registration) -> Client:
    """Sign in a phone with a code from the desk of the registration's event."""
    organizer = registration.event.organizers.first() or make_organizer(registration.event)
    client = Client()
    client.post(reverse("desk-sign-in"), {"code": create_desk_code(registration, organizer).code})
    return client


def sign_up(client: Client, **changes: Any) -> Response:
    data = {"display_name": "Asha", "email": "asha@college.example", "password1": PASSWORD}
    return client.post(reverse("account_signup"), data | changes)


def sign_in(client: Client, **changes: Any) -> Response:
    data = {"login": "asha@college.example", "password": PASSWORD}
    return client.post(reverse("account_login") + "?next=/my-table/", data | changes)


def record_guesses_of_strangers(times: int) -> None:
    """Record `times` wrong passwords for Asha's account, each from a different network.

    The rate limit is called directly, without requesting a page.
    """
    for number in range(times):
        address = f"203.0.{number // 200}.{number % 200}"
        count_guess(RequestFactory().post("/", REMOTE_ADDR=address), "asha@college.example")


def is_signed_in(client: Client) -> bool:
    return get_user(client).is_authenticated


def request_code(client: Client, email: str = "asha@college.example") -> str:
    """Request a sign-in code and return the address of the page that asks for it."""
    return client.post(reverse("account_request_login_code"), {"email": email})["Location"]
