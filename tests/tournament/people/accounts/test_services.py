"""Tests that an account belongs to the owner of its email address, not to its creator."""

import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.contrib.auth import get_user
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse

from tests.tournament.visitors import (
    PASSWORD,
    is_signed_in,
    make_asha,
    read_code,
    request_code,
    sign_in,
    sign_up,
)
from tests.typed import Response
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
FIRST_CONFIRMATION = (
    "Your address has now been confirmed for the first time. Any password or name "
    "set before that, perhaps by someone else, has been removed. You can set both "
    "under “Your account”."
)


def list_messages(response: Response) -> list[str]:
    return [str(message) for message in response.context["messages"]]


@pytest.mark.parametrize("written", ["asha@college.example", "Asha@College.example"])
def test_account_created_by_a_stranger_is_handed_over_to_the_owner_of_the_address(
    client: Client, mailoutbox: list[EmailMessage], written: str
) -> None:
    stranger = Client()
    sign_up(stranger, display_name="Owned")
    page = request_code(client, written)
    entered = client.post(page, {"code": read_code(mailoutbox[-1])}, follow=True)
    assert get_user(client) == User.objects.get()
    assert FIRST_CONFIRMATION in list_messages(entered)
    sign_in(stranger)
    assert not is_signed_in(stranger)
    assert (User.objects.get().display_name, User.objects.get().has_usable_password()) == (
        "",
        False,
    )


def test_confirming_an_address_by_code_ends_sessions_and_invalidates_the_password(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    stranger = Client()
    user = make_asha()
    stranger.force_login(user)
    EmailAddress.objects.create(user=user, email="ben@college.example")
    client.post(request_code(client, "ben@college.example"), {"code": read_code(mailoutbox[-1])})
    assert get_user(client) == user
    assert not is_signed_in(stranger)
    sign_in(stranger)
    sign_in(stranger, login="ben@college.example")
    assert not is_signed_in(stranger)


def test_code_for_a_verified_address_leaves_the_account_unchanged(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    make_asha()
    other = Client()
    sign_in(other)
    entered = client.post(request_code(client), {"code": read_code(mailoutbox[-1])}, follow=True)
    assert list_messages(entered) == ["You’re signed in as Asha."]
    assert is_signed_in(other)
    assert User.objects.get().check_password(PASSWORD)


def test_confirmed_sign_up_keeps_its_password_and_name(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    location = sign_up(client)["Location"]
    client.post(location, {"code": read_code(mailoutbox[-1])})
    assert is_signed_in(client)
    assert User.objects.get().display_name == "Asha"
    assert User.objects.get().check_password(PASSWORD)


def test_user_without_a_password_is_asked_to_set_one(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(Client())
    client.post(request_code(client), {"code": read_code(mailoutbox[-1])})
    page = client.get(reverse("account_change_password"), follow=True)
    assert page.request["PATH_INFO"] == reverse("account_set_password")


# Limits on emails to one address


class LimitClock:
    """A clock for the rate limits that tests can move forward."""

    def __init__(self) -> None:
        self.now = time.time()

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def time(self) -> float:
        return self.now


@pytest.mark.parametrize("page", ["account_request_login_code", "account_reset_password"])
def test_each_page_sends_at_most_ten_emails_an_hour_to_an_address(
    page: str, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = LimitClock()
    monkeypatch.setattr(ratelimit, "time", clock)
    for _ in range(15):
        clock.now += 61
        Client().post(reverse(page), {"email": "asha@college.example"})
    assert len(mailoutbox) == 10
    clock.now += 3600
    Client().post(reverse(page), {"email": "asha@college.example"})
    assert len(mailoutbox) == 11


def test_unverified_address_gets_at_most_ten_codes_an_hour(
    mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = LimitClock()
    monkeypatch.setattr(ratelimit, "time", clock)
    sign_up(Client())
    for _ in range(15):
        clock.now += 61
        sign_in(Client())
    assert len(mailoutbox) == 10
