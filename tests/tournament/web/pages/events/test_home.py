"""Tests of the home page."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import make_event, make_registrations, make_user
from tests.tournament.staging import running_round
from tests.typed import Response
from tournament.models import Event

pytestmark = pytest.mark.django_db


def list_event_titles(response: Response, name: str) -> list[str]:
    return [event.title for event in response.context[name]]


def test_home_page_groups_events_by_state(client: Client) -> None:
    make_event(title="Now", state=Event.State.RUNNING)
    make_event(title="Soon")
    make_event(title="Past", state=Event.State.FINISHED)
    make_event(title="Secret plans", state=Event.State.DRAFT)
    response = client.get(reverse("home"))
    assert list_event_titles(response, "running") == ["Now"]
    assert list_event_titles(response, "upcoming") == ["Soon"]
    assert list_event_titles(response, "finished") == ["Past"]
    assert "Secret plans" not in response.content.decode()


def test_watching_is_offered_only_while_a_table_is_playing(client: Client) -> None:
    make_event(title="Resting", state=Event.State.RUNNING)
    page = client.get(reverse("home")).content.decode()
    assert "Watch" not in page.replace("Watching needs no account", "")
    assert "Follow <bdi>Resting</bdi>" in page
    playing = running_round(title="Lively").stage.event
    response = client.get(reverse("home"))
    assert list_event_titles(response, "running") == ["Lively", "Resting"]
    assert "Watch <bdi>Lively</bdi>" in response.content.decode()
    watch = reverse("event-watch", args=[playing.slug])
    assert response.content.decode().count(f'href="{watch}"') == 1


def test_upcoming_events_are_listed_soonest_first(client: Client) -> None:
    now = timezone.now()
    make_event(title="Later", starts_at=now + timedelta(days=9))
    make_event(title="Sooner", starts_at=now + timedelta(days=2))
    assert list_event_titles(client.get(reverse("home")), "upcoming") == ["Sooner", "Later"]


def test_home_page_counts_players_with_a_spot(client: Client) -> None:
    event = make_event(capacity=3, requires_approval=True)
    make_registrations(event, 4)
    assert "3 of 3 players" in client.get(reverse("home")).content.decode()


def test_home_page_says_if_there_are_no_events(client: Client) -> None:
    assert "No tournaments announced" in client.get(reverse("home")).content.decode()


def test_query_count_is_independent_of_events(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        make_registrations(make_event(), 2)
    with django_assert_num_queries(1):
        client.get(reverse("home"))


def test_page_of_a_signed_in_user_shows_the_name_and_is_not_cached(client: Client) -> None:
    client.force_login(make_user("Asha"))
    response = client.get(reverse("home"))
    assert "Asha" in response.content.decode()
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("page", ["home", "profile", "my-events", "rule-sets"])
def test_signed_in_user_can_sign_out_on_every_page(client: Client, page: str) -> None:
    client.force_login(make_user("Asha"))
    html = client.get(reverse(page)).content.decode()
    assert f'<form method="post" action="{reverse("account_logout")}">' in html


def test_visitor_page_may_be_cached(client: Client) -> None:
    assert "Cache-Control" not in client.get(reverse("home")).headers


def test_s7_home_page_subscribes_to_its_first_three_events(client: Client) -> None:
    for slug in ("one", "two"):
        make_event(slug=slug, state=Event.State.RUNNING)
    for slug in ("three", "four"):
        make_event(slug=slug)
    make_event(slug="past", state=Event.State.FINISHED)
    page = client.get("/").content.decode()
    followed = page.split('data-refresh="')[1].split('"')[0].split()
    assert (set(followed[:2]), len(followed)) == ({"one", "two"}, 3)
    assert "past" not in followed


def test_home_page_without_open_events_subscribes_to_none(client: Client) -> None:
    assert "refresh.js" not in client.get("/").content.decode()
