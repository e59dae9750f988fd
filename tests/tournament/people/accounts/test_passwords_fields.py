"""Tests of password fields in forms, and of what may be typed into them."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.visitors import PASSWORD, is_signed_in, make_asha, sign_in, sign_up
from tournament.models import User

pytestmark = pytest.mark.django_db
# The field from which password managers read the account. It is empty on pages where the user types
# the address.
USERNAME_FIELD = re.compile(
    r'<input(?=[^>]*autocomplete="username")(?:[^>]*?value="([^"]*)")?[^>]*>'
)
PASSWORD_FIELD = re.compile(r'<input[^>]*name="[^"]*password[^>]*>')


@pytest.mark.parametrize("page", ["account_login", "account_signup", "account_change_password"])
def test_password_fields_are_masked_and_allow_pasting(client: Client, page: str) -> None:
    """Check that password fields are masked, and that password managers can fill them in."""
    if page == "account_change_password":
        client.force_login(make_asha())
    html = client.get(reverse(page)).content.decode()
    fields = PASSWORD_FIELD.findall(html)
    assert fields != []
    assert [field for field in fields if 'type="password"' not in field] == []
    assert [field for field in fields if 'autocomplete="off"' in field or "onpaste" in field] == []


@pytest.mark.parametrize("page", ["account_login", "account_signup"])
def test_password_managers_store_the_address_as_the_user_name(client: Client, page: str) -> None:
    html = client.get(reverse(page)).content.decode()
    assert USERNAME_FIELD.findall(html) == [""]


@pytest.mark.parametrize(
    "page", ["account_change_password", "account_set_password", "account_reauthenticate"]
)
def test_password_pages_name_the_account_for_password_managers(client: Client, page: str) -> None:
    user = make_asha()
    sign_in(client)
    if page == "account_set_password":
        user.set_unusable_password()
        user.save()
        client.force_login(user)
    html = client.get(reverse(page), follow=True).content.decode()
    assert USERNAME_FIELD.findall(html) == [user.email]


@pytest.mark.parametrize(
    "typed", [PASSWORD.upper(), f" {PASSWORD}", f"{PASSWORD} ", PASSWORD[:-1], f"{PASSWORD}x"]
)
def test_password_is_compared_exactly_as_typed(client: Client, typed: str) -> None:
    make_asha()
    sign_in(client, password=typed)
    assert not is_signed_in(client)


@pytest.mark.parametrize(
    "password",
    [
        "x9" * 64,
        "only small letters here",
        "48151623421081",
        "পাসওয়ার্ড যা কেউ জানে না",
        "!?!%&/()=+#-.,",
    ],
    ids=["128 characters", "lower case only", "digits", "another script", "symbols"],
)
def test_password_may_contain_any_characters(client: Client, password: str) -> None:
    sign_up(client, password1=password)
    assert User.objects.get().check_password(password)


def test_password_change_requires_the_old_password(client: Client) -> None:
    user = make_asha()
    sign_in(client)
    new = {"password1": "eight-lucky-lamps"}
    client.post(reverse("account_change_password"), {"oldpassword": "something-else-1"} | new)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
