"""Tests of the event page."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import make_event, make_organizer, make_registrations, make_user
from tests.tournament.live_boards import prepare_boards
from tests.tournament.staging import (
    first_table,
    make_stage,
    match_of,
    organizer_of,
    play,
    player_at,
    running_round,
)
from tournament.advancing.services import announce_winner
from tournament.models import Event, Registration, Round, Stage
from tournament.rounds.services import close_round

pytestmark = pytest.mark.django_db


def get_url(event: Event) -> str:
    return reverse("event", args=[event.slug])


def read_page(client: Client, event: Event) -> str:
    return client.get(get_url(event)).content.decode()


def test_event_page_shows_title_time_place_and_rules(client: Client) -> None:
    event = make_event(
        title="Autumn cards",
        place="Reading hall",
        description="Bring a <phone>.",
        starts_at=datetime(2026, 11, 28, 15, tzinfo=timezone.get_current_timezone()),
        hand_limit=8,
        capacity=40,
    )
    make_registrations(event, 2)
    page = read_page(client, event)
    for text in (
        "Autumn cards",
        "Reading hall",
        "Bring a &lt;phone&gt;.",
        "Sat 28 November 2026, 15:00 UTC",
        "UNO to 400",
        "to 400 points, at most 8 hands",
        "2 of 40",
    ):
        assert text in page


def test_draft_event_is_visible_only_to_its_organizers(client: Client) -> None:
    event = make_event(state=Event.State.DRAFT)
    assert client.get(get_url(event)).status_code == 404
    client.force_login(make_user())
    assert client.get(get_url(event)).status_code == 404
    client.force_login(make_organizer())
    assert client.get(get_url(event)).status_code == 404
    client.force_login(make_organizer(event))
    assert client.get(get_url(event)).status_code == 200


@pytest.mark.parametrize(
    ("fields", "call"),
    [
        ({}, "Registration is open."),
        ({"capacity": 5}, "5 spots left."),
        ({"registration_opens": timedelta(days=1)}, "Registration opens on"),
        ({"registration_closes": timedelta(days=-1)}, "Registration closed"),
        (
            {"state": Event.State.RUNNING, "registration_closes": timedelta(days=-1)},
            "No tables are in play right now.",
        ),
    ],
)
def test_visitor_sees_how_to_take_part(client: Client, fields: dict[str, Any], call: str) -> None:
    now = timezone.now()
    moments = {k: now + v if isinstance(v, timedelta) else v for k, v in fields.items()}
    assert call in read_page(client, make_event(**moments))


def test_full_event_offers_the_waitlist(client: Client) -> None:
    event = make_event(capacity=2)
    make_registrations(event, 2)
    assert "Join the waitlist" in read_page(client, event)


def test_player_sees_that_spots_are_left(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    page = read_page(client, event)
    assert "You have a spot." in page
    assert reverse("event-register", args=[event.slug]) in page


def test_player_in_a_match_is_linked_to_the_table(client: Client) -> None:
    played = running_round()
    table = first_table(played)
    client.force_login(player_at(table))
    page = read_page(client, played.stage.event)
    assert f'href="{match_of(table).get_absolute_url()}"' in page
    assert "Go to table 1" in page


def test_rounds_are_listed_once_published(client: Client) -> None:
    played = running_round()
    make_stage(played.stage.event, 2, title="Second round", format="bracket", state="open")
    page = read_page(client, played.stage.event)
    assert "First round" in page
    assert played.title in page
    assert "the top 2 of each table advance" in page


def test_announced_winner_is_shown_at_the_top(client: Client) -> None:
    played = running_round(hand_limit=1)
    event = played.stage.event
    play(first_table(played))
    close_round(played, organizer_of(event))
    event.stages.update(state=Stage.State.CLOSED)
    assert 'class="winner"' not in read_page(client, event)
    winner = announce_winner(event, organizer_of(event))
    assert all(f"<bdi>{each.name}</bdi>" in read_page(client, event) for each in winner.shared)
    assert "wins</h2>" in read_page(client, event) or len(winner.shared) > 1


def close_registration(client: Client, round_: Round) -> str:
    """Close registration and return the event's page."""
    Event.objects.update(registration_closes=timezone.now())
    return read_page(client, round_.stage.event)


def test_watching_is_offered_only_while_a_table_is_playing(client: Client) -> None:
    played = running_round(hand_limit=1)
    page = close_registration(client, played)
    assert "1 table in play." in page
    assert "Watch a table" in page
    play(first_table(played))
    page = read_page(client, played.stage.event)
    assert "No tables are in play right now." in page
    assert "Watch a table" not in page


def test_stage_is_marked_current_only_while_it_has_an_open_round(client: Client) -> None:
    played = running_round(hand_limit=1)
    event = played.stage.event
    now, done = '<span class="badge live">now</span>', '<span class="badge">done</span>'
    assert now in read_page(client, event)
    play(first_table(played))
    close_round(played, organizer_of(event))
    assert now not in read_page(client, event)
    assert done not in read_page(client, event)
    # The final has been played, but the stage stays open until the winner is announced.
    Round.objects.filter(pk=played.pk).update(is_final=True)
    assert now not in read_page(client, event)
    assert done in read_page(client, event)


def test_names_are_isolated_from_the_surrounding_text_direction(client: Client) -> None:
    event = make_event(title="بطولة 2026", place="القاعة 4")
    page = read_page(client, event)
    assert '<h1 class="event-title"><bdi>بطولة 2026</bdi></h1>' in page
    assert " · <bdi>القاعة 4</bdi></p>" in page


def test_organizers_see_a_link_to_the_desk(client: Client) -> None:
    event = make_event()
    assert "Organize this event" not in read_page(client, event)
    client.force_login(make_organizer(event))
    assert f'href="{reverse("admin:event-desk", args=[event.pk])}"' in read_page(client, event)


def test_email_addresses_and_roll_numbers_are_not_shown(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    page = read_page(client, event)
    assert registration.user.email not in page
    assert registration.roll_number not in page


def limit_queries(
    client: Client, event: Event, django_assert_max_num_queries: DjangoAssertNumQueries, most: int
) -> None:
    with django_assert_max_num_queries(most):
        client.get(get_url(event))


def test_query_count_is_independent_of_players(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = running_round(12).stage.event
    with prepare_boards(event):
        limit_queries(client, event, django_assert_max_num_queries, 14)


def test_s15_waiting_player_is_offered_a_table_to_watch(client: Client) -> None:
    played = running_round(8)
    first, second = played.tables.all()
    client.force_login(player_at(first))
    play(first)
    event = played.stage.event
    assert f'href="{reverse("event-watch", args=[event.slug])}">Watch a table' in read_page(
        client, event
    )
    play(second)
    assert "Watch a table" not in read_page(client, event)


@pytest.mark.parametrize(
    ("closes", "offered"), [(timedelta(days=1), True), (timedelta(days=-1), False)]
)
def test_s18_withdrawn_player_sees_how_to_return(
    client: Client, closes: timedelta, offered: bool
) -> None:
    event = make_event()
    [mine] = make_registrations(event, 1)
    event.registration_closes = timezone.now() + closes
    event.save()
    mine.state = Registration.State.WITHDRAWN
    mine.save()
    client.force_login(mine.user)
    page = read_page(client, event)
    assert "You’ve withdrawn from this event." in page
    assert ("You can rejoin while registration is open." in page) is offered
    assert (">Register again</a>" in page) is offered
    assert ">My registration</a>" not in page


def test_s21_each_description_paragraph_has_its_own_text_direction(client: Client) -> None:
    page = read_page(client, make_event(description="নমস্কার <b>\n\nمرحبا\nبكم"))
    assert '<p dir="auto">নমস্কার &lt;b&gt;</p>' in page
    assert '<p dir="auto">مرحبا<br>بكم</p>' in page
