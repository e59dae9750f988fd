"""Devices that an account knows, and what their cookie says."""

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


def sent_back(response: HttpResponse) -> HttpRequest:
    """Return the browser's next request."""
    request = RequestFactory().get("/")
    request.COOKIES["device"] = response.cookies["device"].value
    return request


def signed_in_on(request: HttpRequest, *users: User) -> HttpRequest:
    """Return the browser's request after these users have signed in there one after another."""
    for user in users:
        response = HttpResponse()
        devices.remember(request, response, user)
        request = sent_back(response)
    return request


@pytest.fixture
def fresh() -> HttpRequest:
    return RequestFactory().get("/")


def test_a_new_browser_is_known_to_nobody(fresh: HttpRequest) -> None:
    assert devices.known_device(fresh, make_user().email) == ""


def test_after_signing_in_it_is_known_under_a_number_of_its_own(fresh: HttpRequest) -> None:
    user = make_user()
    numbers = {devices.known_device(signed_in_on(fresh, user), user.email) for _ in range(2)}
    assert len(numbers) == 2
    assert "" not in numbers


def test_the_number_stays_whoever_signs_in(fresh: HttpRequest) -> None:
    first, second = make_user(), make_user()
    once = signed_in_on(fresh, first)
    both = signed_in_on(once, second)
    number = devices.known_device(once, first.email)
    assert [devices.known_device(both, user.email) for user in (first, second)] == [number, number]


def test_an_address_is_known_however_it_is_written(fresh: HttpRequest) -> None:
    user = make_user()
    assert devices.known_device(signed_in_on(fresh, user), user.email.upper()) != ""


def test_a_shared_computer_remembers_the_last_eight(fresh: HttpRequest) -> None:
    users = [make_user() for _ in range(9)]
    shared = signed_in_on(fresh, *users)
    known = [bool(devices.known_device(shared, user.email)) for user in users]
    assert known == [False] + [True] * 8


@pytest.mark.parametrize("field", ["password", "sign_outs"])
def test_a_new_password_or_signing_out_everywhere_makes_it_a_stranger(
    fresh: HttpRequest, field: str
) -> None:
    user = make_user()
    browser = signed_in_on(fresh, user)
    User.objects.filter(pk=user.pk).update(**{field: 7})
    assert devices.known_device(browser, user.email) == ""


@pytest.mark.parametrize("forged", ["", "x", "W10:abc"])
def test_a_cookie_that_is_not_ours_is_none(fresh: HttpRequest, forged: str) -> None:
    fresh.COOKIES["device"] = forged
    assert devices.read(fresh) is None


def test_what_we_signed_for_something_else_is_none(fresh: HttpRequest) -> None:
    fresh.COOKIES["device"] = signing.dumps(["n", {}], salt="other")
    assert devices.read(fresh) is None


def test_it_is_forgotten_after_four_hundred_days(fresh: HttpRequest) -> None:
    user = make_user()
    browser = signed_in_on(fresh, user)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        clock.shift(devices.AGE + 1)
        assert devices.known_device(browser, user.email) == ""


def test_who_has_no_cookie_costs_no_query(
    fresh: HttpRequest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        devices.known_device(fresh, "nobody@college.example")


def test_signing_in_sets_a_cookie_that_scripts_do_not_read(client: Client) -> None:
    user = make_user()
    user.set_password("seven-lucky-cards")
    user.save()
    cookie = sign_in(client, login=user.email).cookies["device"]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", "")
    assert cookie["max-age"] == devices.AGE


def test_with_https_it_never_leaves_without(fresh: HttpRequest, settings: Settings) -> None:
    settings.HTTPS = True
    response = HttpResponse()
    devices.remember(fresh, response, make_user())
    assert response.cookies["device"]["secure"] is True


def test_a_sign_in_that_fails_sets_none(client: Client) -> None:
    assert "device" not in sign_in(client, login=make_user().email).cookies


# Signing out everywhere


def test_signing_out_everywhere_ends_every_session_of_the_account_alone(client: Client) -> None:
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
def test_it_needs_a_tap_on_a_button(client: Client, method: str) -> None:
    client.force_login(make_user())
    answer = getattr(client, method)(reverse("sign-out-everywhere"))
    assert answer["Location"] == reverse("profile")
    assert client.get(reverse("profile")).status_code == 200


def test_the_profile_has_the_button(client: Client) -> None:
    client.force_login(make_user())
    assert reverse("sign-out-everywhere") in client.get(reverse("profile")).content.decode()
