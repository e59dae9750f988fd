"""F39: responses whose text or timing reveals accounts or eligible students to a stranger."""

import re
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import make_event, make_student, make_user
from tests.tournament.visitors import make_asha, sign_in, sign_up

pytestmark = pytest.mark.django_db

KNOWN, UNKNOWN = "asha@college.example", "nobody@college.example"
Request = Callable[[Client, str], Any]


def request_reset(client: Client, email: str) -> Any:
    return client.post(reverse("account_reset_password"), {"email": email})


def request_code(client: Client, email: str) -> Any:
    return client.post(reverse("account_request_login_code"), {"email": email})


def try_wrong_password(client: Client, email: str) -> Any:
    return sign_in(client, login=email, password="wrong-wrong-wrong")


def sign_up_again(client: Client, email: str) -> Any:
    return sign_up(client, email=email)


REQUESTS: list[Request] = [sign_up_again, try_wrong_password, request_code, request_reset]


@pytest.fixture(autouse=True)
def make_ashas_account() -> None:
    """Create Asha's account, and reset the limits on tries."""
    cache.clear()
    make_asha()


def summarize_response(response: Any, client: Client, email: str) -> tuple[int, str, str]:
    """Return the status, the redirect target and the final page without its variable parts."""
    location = response.get("Location", "")
    page = (client.get(location) if location else response).content.decode()
    return response.status_code, location, re.sub(r'value="\w{64}"', "", page.replace(email, "X"))


@pytest.mark.parametrize("ask", REQUESTS)
def test_known_and_unknown_addresses_get_the_same_response(ask: Request) -> None:
    answers = []
    for email in (KNOWN, UNKNOWN):
        client = Client()
        answers.append(summarize_response(ask(client, email), client, email))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("ask", REQUESTS)
def test_code_page_refuses_wrong_codes_alike_for_both_addresses(ask: Request) -> None:
    answers = []
    for email in (KNOWN, UNKNOWN):
        client = Client()
        page = ask(client, email).get("Location")
        if page is not None:
            answers.append(
                summarize_response(client.post(page, {"code": "XXXX-XXXX"}), client, email)
            )
    assert answers[1:] == answers[:1]


def test_both_addresses_can_be_corrected() -> None:
    answers = []
    for email in (KNOWN, UNKNOWN):
        client = Client()
        page = sign_up(client, email=email)["Location"]
        meant = client.post(page, {"action": "change", "email": f"meant.{email}"})
        answers.append(summarize_response(meant, client, f"meant.{email}"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("ask", REQUESTS)
def test_both_addresses_need_the_same_number_of_hashes_and_at_most_one_email(
    ask: Request, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    """Count password hashes, because a hash takes about 100 ms, nearly all of a page's time."""
    encode = Mock(wraps=MD5PasswordHasher().encode)
    monkeypatch.setattr(MD5PasswordHasher, "encode", encode)
    costs = []
    for email in (KNOWN, UNKNOWN):
        encode.reset_mock()
        mailoutbox.clear()
        ask(Client(), email)
        costs.append((encode.call_count, len(mailoutbox)))
    assert costs[0] == costs[1]


def count_queries(ask: Request, email: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        ask(Client(), email)
    return len(queries)


# Signing up may differ more. It creates an account, so an address can be probed only once.
@pytest.mark.parametrize(
    ("ask", "most"),
    [(sign_up_again, 15), (try_wrong_password, 2), (request_code, 2), (request_reset, 2)],
)
def test_both_addresses_need_about_the_same_number_of_queries(ask: Request, most: int) -> None:
    """Allow a small difference, because network jitter hides it."""
    ask(Client(), "first@college.example")  # runs the queries that a process makes only once
    assert abs(count_queries(ask, KNOWN) - count_queries(ask, UNKNOWN)) <= most


# Eligibility list


def submit_roll_number(client: Client, roll: str) -> tuple[int, list[str], int]:
    """Register with a roll number, and return the status, the errors and the number of queries."""
    event = make_event(eligibility_required=True)
    make_student(event, "CHE-0042", name="Asha Venkatraman", email=KNOWN)
    client.force_login(make_user())
    with CaptureQueriesContext(connection) as queries:
        response = client.post(reverse("event-register", args=[event.slug]), {"roll_number": roll})
    errors = [str(e) for each in response.context["form"].errors.values() for e in each]
    assert not event.registrations.exists()
    return response.status_code, errors, len(queries)


def test_listed_and_unlisted_roll_numbers_are_refused_alike() -> None:
    status, errors, asked = submit_roll_number(Client(), "CHE-0042")
    other = submit_roll_number(Client(), "CHE-9999")
    assert (status, errors) == other[:2]
    assert (
        "Your roll number and email address don’t match an entry on this event’s eligibility "
        "list. Check the number for typos, sign in with your college address, or ask the "
        "organizers." in errors[0]
    )
    assert abs(asked - other[2]) <= 2


def test_event_conditions_reveal_nothing_about_another_student() -> None:
    """Check that a failed condition looks like an unknown roll number.

    Anyone could claim the roll number of a list entry without an email address.
    """
    event = make_event(
        eligibility_required=True, conditions=[{"field": "programme", "value": "PG"}]
    )
    make_student(event, "CHE-0042", name="Asha", email="", programme="UG")
    client = Client()
    client.force_login(make_user())
    address = reverse("event-register", args=[event.slug])
    answers = [client.post(address, {"roll_number": roll}) for roll in ("CHE-0042", "CHE-9999")]
    one, other = ([str(e) for e in a.context["form"].errors["roll_number"]] for a in answers)
    assert one == other
