"""Tests of turning a player's public page on and off."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.tournament.helpers import make_organized_event
from tests.tournament.visitors import is_signed_in
from tournament.models import Event, PublicProfile, Registration, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def user(client: Client) -> User:
    user = make_user("Asha")
    client.force_login(user)
    return user


def save_public_page(client: Client, *chosen: str) -> str:
    sent = dict.fromkeys(chosen, "on")
    return client.post(reverse("choose-public-page"), sent, follow=True).text


def get_profile_address(user: User) -> str:
    public_id = PublicProfile.objects.get(user=user).public_id
    return reverse("player-career", args=[public_id])


def test_page_is_off_until_the_player_turns_it_on(client: Client, user: User) -> None:
    page = client.get(reverse("profile")).text
    assert "Open your public page" not in page
    assert not PublicProfile.objects.exists()
    page = save_public_page(client, "shown")
    assert "Your public page is on." in page
    assert get_profile_address(user) in page
    assert Client().get(get_profile_address(user)).status_code == 200


def test_page_is_not_found_once_it_is_turned_off(client: Client, user: User) -> None:
    save_public_page(client, "shown", "listed")
    page = get_profile_address(user)
    assert "Its address no longer works." in save_public_page(client, "listed")
    assert Client().get(page).status_code == 404
    assert not PublicProfile.objects.exists()


def test_page_is_indexed_only_if_the_player_allows_it(client: Client, user: User) -> None:
    save_public_page(client, "shown")
    before = get_profile_address(user)
    assert Client().get(before)["X-Robots-Tag"] == "noindex"
    save_public_page(client, "shown", "listed")
    assert get_profile_address(user) == before
    assert "X-Robots-Tag" not in Client().get(before)


def test_page_is_not_stored_by_browsers_or_proxies(client: Client, user: User) -> None:
    save_public_page(client, "shown")
    assert "no-store" in Client().get(get_profile_address(user))["Cache-Control"]


def test_page_is_marked_as_own_only_for_its_player(client: Client, user: User) -> None:
    save_public_page(client, "shown")
    assert "This is you" in client.get(get_profile_address(user)).text
    assert "This is you" not in Client().get(get_profile_address(user)).text


def test_player_page_links_to_the_public_page_only_while_it_is_on(
    client: Client, user: User
) -> None:
    one = get_first_player(make_organized_event(2)[0])
    Registration.objects.filter(pk=one.pk).update(user=user)
    page = reverse("event-player", args=[one.event.slug, one.queue_number])
    assert "All events of" not in Client().get(page).text
    save_public_page(client, "shown")
    assert f'<a href="{get_profile_address(user)}">All events of' in Client().get(page).text
    save_public_page(client)
    assert "All events of" not in Client().get(page).text


def get_first_player(event: Event) -> Registration:
    return event.registrations.get(queue_number=1)


def test_visitor_is_redirected_to_sign_in(client: Client) -> None:
    answer = client.post(reverse("choose-public-page"), {"shown": "on"})
    assert answer["Location"].startswith(reverse("account_login"))
    assert not is_signed_in(client)
