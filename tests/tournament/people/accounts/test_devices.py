"""Tests of devices known to an account, of their cookie, and of signing out everywhere."""

import pytest
import time_machine
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from tests.factories import make_user
from tests.tournament.visitors import sign_in
from tournament.models import User
from tournament.people.accounts import devices

pytestmark = pytest.mark.django_db


def make_next_request(response: HttpResponse) -> HttpRequest:
    """Return the next request of the browser that received the response."""
    request = RequestFactory().get("/")
    request.COOKIES["device"] = response.cookies["device"].value
    return request


def sign_in_one_after_another(request: HttpRequest, *users: User) -> HttpRequest:
    """Let users sign in one after another, and return the browser's next request."""
    for user in users:
        response = HttpResponse()
        devices.remember_device(request, response, user)
        request = make_next_request(response)
    return request


@pytest.fixture
def new_request() -> HttpRequest:
    return RequestFactory().get("/")


def test_new_browser_is_an_unknown_device(new_request: HttpRequest) -> None:
    assert devices.find_known_device(new_request, make_user().email) == ""


def test_device_gets_its_own_number_after_sign_in(new_request: HttpRequest) -> None:
    user = make_user()
    numbers = {
        devices.find_known_device(sign_in_one_after_another(new_request, user), user.email)
        for _ in range(2)
    }
    assert len(numbers) == 2
    assert "" not in numbers


def test_device_number_is_shared_by_all_its_users(new_request: HttpRequest) -> None:
    first, second = make_user(), make_user()
    once = sign_in_one_after_another(new_request, first)
    both = sign_in_one_after_another(once, second)
    number = devices.find_known_device(once, first.email)
    assert [devices.find_known_device(both, user.email) for user in (first, second)] == [
        number,
        number,
    ]


def test_device_is_recognized_for_any_spelling_of_the_address(new_request: HttpRequest) -> None:
    user = make_user()
    assert (
        devices.find_known_device(sign_in_one_after_another(new_request, user), user.email.upper())
        != ""
    )


def test_shared_device_remembers_the_last_eight_accounts(new_request: HttpRequest) -> None:
    users = [make_user() for _ in range(9)]
    shared = sign_in_one_after_another(new_request, *users)
    known = [bool(devices.find_known_device(shared, user.email)) for user in users]
    assert known == [False] + [True] * 8


@pytest.mark.parametrize("field", ["password", "sign_outs"])
def test_new_password_or_global_sign_out_makes_the_device_unknown(
    new_request: HttpRequest, field: str
) -> None:
    user = make_user()
    browser = sign_in_one_after_another(new_request, user)
    User.objects.filter(pk=user.pk).update(**{field: 7})
    assert devices.find_known_device(browser, user.email) == ""


@pytest.mark.parametrize("forged", ["", "x", "W10:abc"])
def test_invalid_device_cookie_is_ignored(new_request: HttpRequest, forged: str) -> None:
    new_request.COOKIES["device"] = forged
    assert devices.read_device(new_request) is None


def test_value_signed_for_another_purpose_is_ignored(new_request: HttpRequest) -> None:
    new_request.COOKIES["device"] = signing.dumps(["n", {}], salt="other")
    assert devices.read_device(new_request) is None


def test_device_is_forgotten_after_four_hundred_days(new_request: HttpRequest) -> None:
    user = make_user()
    browser = sign_in_one_after_another(new_request, user)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        clock.shift(devices.MAX_AGE + 1)
        assert devices.find_known_device(browser, user.email) == ""


def test_request_without_a_device_cookie_needs_no_query(
    new_request: HttpRequest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        devices.find_known_device(new_request, "nobody@college.example")


def test_sign_in_sets_an_http_only_cookie(client: Client) -> None:
    user = make_user()
    user.set_password("seven-lucky-cards")
    user.save()
    cookie = sign_in(client, login=user.email).cookies["device"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")
    assert cookie["max-age"] == devices.MAX_AGE


def test_device_cookie_is_secure_with_https(new_request: HttpRequest, settings: Settings) -> None:
    settings.HTTPS = True
    response = HttpResponse()
    devices.remember_device(new_request, response, make_user())
    assert response.cookies["device"]["secure"] is True


def test_failed_sign_in_sets_no_device_cookie(client: Client) -> None:
    assert "device" not in sign_in(client, login=make_user().email).cookies


# Signing out everywhere


def test_global_sign_out_ends_every_session_of_that_account_only(client: Client) -> None:
    user, other = make_user(), make_user()
    elsewhere, stranger = Client(), Client()
    for browser, who in ((client, user), (elsewhere, user), (stranger, other)):
        browser.force_login(who)
    answer = client.post(reverse("sign-out-everywhere"), follow=True)
    assert "You have been signed out of all devices." in answer.content.decode()
    profile = reverse("profile")
    codes = [browser.get(profile).status_code for browser in (client, elsewhere, stranger)]
    assert codes == [302, 302, 200]


@pytest.mark.parametrize("method", ["get", "head"])
def test_global_sign_out_requires_a_post(client: Client, method: str) -> None:
    client.force_login(make_user())
    answer = getattr(client, method)(reverse("sign-out-everywhere"))
    assert answer["Location"] == reverse("profile")
    assert client.get(reverse("profile")).status_code == 200


def test_profile_has_the_global_sign_out_button(client: Client) -> None:
    client.force_login(make_user())
    assert reverse("sign-out-everywhere") in client.get(reverse("profile")).content.decode()
