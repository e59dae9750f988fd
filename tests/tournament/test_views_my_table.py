"""A player's page on the day, and the way there from everywhere."""

import pytest
from django.urls import reverse

from tests.factories import make_event, make_registrations, make_user
from tests.tournament.staging import (
    first_table,
    organizer_of,
    play,
    player_at,
    published_round,
    running_round,
)
from tournament.models import Event
from tournament.services import refuse

pytestmark = pytest.mark.django_db


def url(event: Event) -> str:
    return reverse("my-table", args=[event.slug])


def html(client, event: Event) -> str:
    return client.get(url(event)).content.decode()


def test_signing_in_comes_first_and_leads_back(client):
    event = make_event()
    assert client.get(url(event))["Location"] == f"/accounts/login/?next={url(event)}"


def test_a_draft_and_an_unknown_event_are_not_found(client):
    client.force_login(make_user())
    assert client.get(url(make_event(state=Event.State.DRAFT))).status_code == 404
    assert client.get("/e/no-such-event/my-table/").status_code == 404


def test_it_only_answers_to_reading(client):
    client.force_login(make_user())
    assert client.post(url(make_event())).status_code == 405


def test_no_cache_keeps_it(client):
    client.force_login(make_user())
    assert "no-store" in client.get(url(make_event()))["Cache-Control"]


def test_somebody_without_a_registration_is_led_to_it(client):
    client.force_login(make_user())
    event = make_event()
    page = html(client, event)
    assert "You are not registered for this event." in page
    assert reverse("event-register", args=[event.slug]) in page


def test_before_the_seating_it_says_that_there_is_a_place(client):
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    assert "You have a place." in html(client, event)


def test_a_published_seat_shows_table_seat_and_the_others(client):
    played = published_round(8)
    table = first_table(played)
    client.force_login(player_at(table))
    page = html(client, played.stage.event)
    assert f"<span>Table</span><strong>{table.number}</strong>" in page
    assert "<span>Seat</span><strong>1</strong>" in page
    assert all(str(seat) in page for seat in table.seats.all())
    assert "Go to my table" not in page


def test_a_started_match_is_one_tap_away(client):
    played = running_round()
    table = first_table(played)
    client.force_login(player_at(table))
    assert (
        f'<a class="button large" href="{table.match.get_absolute_url()}">Go to my table</a>'
    ) in html(client, played.stage.event)


def test_after_the_match_it_shows_the_result_and_the_rank(client):
    played = running_round(hand_limit=1)
    table = first_table(played)
    play(table)
    client.force_login(player_at(table))
    page = html(client, played.stage.event)
    assert "Your match is over." in page
    assert "Go to my table" not in page
    assert "on the leaderboard" in page


def test_a_refused_registration_shows_its_reason(client):
    event = make_event(requires_approval=True)
    played = published_round()
    [registration] = make_registrations(event, 1)
    refuse(registration, organizer_of(played.stage.event), "Not enrolled.")
    client.force_login(registration.user)
    assert "Not enrolled." in html(client, event)


def test_the_number_of_queries_does_not_grow(client, django_assert_max_num_queries):
    played = running_round(16)
    client.force_login(player_at(first_table(played)))
    with django_assert_max_num_queries(30):
        html(client, played.stage.event)


def test_my_table_leads_straight_to_the_one_event_that_is_played(client):
    played = running_round()
    event = played.stage.event
    client.force_login(player_at(first_table(played)))
    assert client.get(reverse("my-events"))["Location"] == url(event)


def test_otherwise_it_lists_the_own_events(client):
    event, secret = make_event(title="Mine"), make_event(title="Hidden")
    [registration] = make_registrations(event, 1)
    secret.registrations.create(
        user=registration.user,
        name="Asha",
        state="approved",
        queue_number=1,
        registered_at=registration.registered_at,
    )
    secret.state = Event.State.DRAFT
    secret.save()
    make_event(title="Another's")
    client.force_login(registration.user)
    page = client.get(reverse("my-events")).content.decode()
    assert "Mine" in page
    assert "Hidden" not in page
    assert "Another" not in page


def test_a_newcomer_is_shown_the_events(client):
    client.force_login(make_user())
    assert "not registered for any event" in client.get(reverse("my-events")).content.decode()


def test_a_visitor_signs_in_first(client):
    assert client.get(reverse("my-events"))["Location"] == "/accounts/login/?next=/my-table/"
