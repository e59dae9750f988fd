"""Tests of the limits on password guesses and requested emails."""

import pytest
import time_machine
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tests.factories import make_user
from tests.tournament.second_factor import authenticator_clock
from tournament.models import User
from tournament.people.accounts import devices, limits

__all__ = ["authenticator_clock"]

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

ASHA_ADDRESS = "asha@college.example"


def make_request_from(address: str) -> HttpRequest:
    return RequestFactory().post("/", REMOTE_ADDR=address)


@pytest.fixture
def user() -> User:
    return make_user("Asha", email=ASHA_ADDRESS)


def make_known_device_request(user: User, address: str = "192.0.2.1") -> HttpRequest:
    """Return a request from a device that is known to the account."""
    response, request = HttpResponse(), make_request_from(address)
    devices.remember_device(request, response, user)
    request.COOKIES["device"] = response.cookies["device"].value
    return request


def count_allowed_emails(
    request: HttpRequest, kind: str = "login_code", email: str = ASHA_ADDRESS
) -> int:
    """Request four emails in a row, and return how many may be sent."""
    return sum(limits.may_send_email(request, email, kind) for _ in range(4))


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8:1:2::3", "2001:db8:1:9::4", True),
        ("2001:db8:1::1", "2001:db8:2::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
    ],
)
def test_attempts_from_one_network_are_counted_together(
    first: str, second: str, together: bool
) -> None:
    counted = [
        limits.make_attempt_key(make_request_from(address), ASHA_ADDRESS)
        for address in (first, second)
    ]
    assert (counted[0] == counted[1]) is together


def test_spellings_of_one_address_are_counted_together() -> None:
    request = make_request_from("192.0.2.1")
    assert limits.make_attempt_key(request, ASHA_ADDRESS.upper()) == limits.make_attempt_key(
        request, ASHA_ADDRESS
    )


def test_known_device_is_counted_separately_from_its_network(user: User) -> None:
    request = make_known_device_request(user)
    at_first = limits.make_attempt_key(request, ASHA_ADDRESS)
    request.META["REMOTE_ADDR"] = "198.51.100.7"
    assert limits.make_attempt_key(request, ASHA_ADDRESS) == at_first
    assert at_first != limits.make_attempt_key(make_request_from("192.0.2.1"), ASHA_ADDRESS)


def test_known_device_is_unknown_for_another_account(user: User) -> None:
    others = (
        limits.make_attempt_key(each, "ben@college.example")
        for each in (make_known_device_request(user), make_known_device_request(user))
    )
    assert len(set(others)) == 1


def test_three_emails_of_a_kind_are_allowed_per_minute() -> None:
    request = make_request_from("192.0.2.1")
    assert [
        count_allowed_emails(request, kind) for kind in ("login_code", "reset", "login_code")
    ] == [3, 3, 0]
    assert count_allowed_emails(request, email="ben@college.example") == 3
    assert count_allowed_emails(make_request_from("198.51.100.7")) == 3


def test_ten_emails_of_a_kind_are_allowed_per_hour(
    authenticator_clock: time_machine.Traveller,
) -> None:
    request = make_request_from("192.0.2.1")
    sent = []
    for _ in range(5):
        sent.append(count_allowed_emails(request))
        authenticator_clock.shift(61)
    assert sent == [3, 3, 3, 1, 0]


def test_hourly_email_limit_applies_only_to_unknown_devices(user: User) -> None:
    sent = [count_allowed_emails(make_request_from(f"192.0.2.{number}")) for number in range(12)]
    assert sent == [3] * 10 + [0, 0]
    assert count_allowed_emails(make_known_device_request(user)) == 3


def test_attempts_from_known_devices_do_not_use_up_the_limit_for_unknown_ones(user: User) -> None:
    known = make_known_device_request(user)
    assert all(limits.count_guess(known, ASHA_ADDRESS) for _ in range(301))
    stranger = make_request_from("198.51.100.7")
    tried = [bool(limits.count_guess(stranger, ASHA_ADDRESS)) for _ in range(301)]
    assert tried == [True] * 300 + [False]


def test_successful_attempt_is_not_counted() -> None:
    stranger = make_request_from("198.51.100.7")
    for _ in range(301):
        usage = limits.count_guess(stranger, ASHA_ADDRESS)
        assert usage is not None
        usage.rollback()
