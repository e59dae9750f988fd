"""Tests of the form that changes the avatar."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.tournament.visitors import is_signed_in
from tests.typed import sure
from tournament.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(client: Client) -> User:
    user = make_user("Asha")
    client.force_login(user)
    return user


def list_checked_inputs(page: str) -> list[tuple[str, str]]:
    """Return the names and values of the options selected on the page."""
    inputs = re.findall(r"<input[^>]*type=\"radio\"[^>]*>", page)
    on = [each for each in inputs if " checked" in each]
    found = [sure(re.search(r'name="(\w+)"[^>]*value="(\w*)"', each)) for each in on]
    return [(each[1], each[2]) for each in found]


def test_chosen_color_and_avatar_are_saved_and_shown(client: Client, user: User) -> None:
    answer = client.post(reverse("choose-look"), {"color": "petrol", "sign": "owl"}, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "Your avatar has been saved. It will be shown at tables from your next match on."
    ]
    user.refresh_from_db()
    assert user.look == "petrol owl"
    assert list_checked_inputs(answer.text) == [("color", "petrol"), ("sign", "owl")]


def test_avatar_without_a_choice_is_the_default_one(client: Client, user: User) -> None:
    assert list_checked_inputs(client.get(reverse("profile")).text) == [("color", ""), ("sign", "")]


@pytest.mark.parametrize("choice", [{"color": "red"}, {"sign": "owl plum"}, {"color": "plum plum"}])
def test_unavailable_choice_is_not_saved(
    client: Client, user: User, choice: dict[str, str]
) -> None:
    answer = client.post(reverse("choose-look"), choice, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        "That colour or icon is no longer available. Choose again."
    ]
    user.refresh_from_db()
    assert user.look == ""


def test_visitor_is_redirected_to_sign_in(client: Client) -> None:
    answer = client.post(reverse("choose-look"), {"color": "plum"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert not is_signed_in(client)
