"""An event's own page: what it is, and the one thing to do now."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.factories import make_event, make_organizer, make_registrations, make_user
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


def url(event: Event) -> str:
    return reverse("event", args=[event.slug])


def html(client: Client, event: Event) -> str:
    return client.get(url(event)).content.decode()


def test_it_says_what_when_where_and_by_which_rules(client: Client) -> None:
    event = make_event(
        title="Autumn cards",
        place="Reading hall",
        description="Bring a <phone>.",
        starts_at=datetime(2026, 11, 28, 15, tzinfo=timezone.get_current_timezone()),
        hand_limit=8,
        capacity=40,
    )
    make_registrations(event, 2)
    page = html(client, event)
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


def test_a_draft_is_there_for_its_organizers_alone(client: Client) -> None:
    event = make_event(state=Event.State.DRAFT)
    assert client.get(url(event)).status_code == 404
    client.force_login(make_user())
    assert client.get(url(event)).status_code == 404
    client.force_login(make_organizer())
    assert client.get(url(event)).status_code == 404
    client.force_login(make_organizer(event))
    assert client.get(url(event)).status_code == 200


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
def test_a_visitor_reads_how_to_take_part(
    client: Client, fields: dict[str, Any], call: str
) -> None:
    now = timezone.now()
    moments = {k: now + v if isinstance(v, timedelta) else v for k, v in fields.items()}
    assert call in html(client, make_event(**moments))


def test_without_a_place_left_there_is_the_waiting_list(client: Client) -> None:
    event = make_event(capacity=2)
    make_registrations(event, 2)
    assert "Join the waitlist" in html(client, event)


def test_a_player_reads_that_there_is_a_place(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    client.force_login(registration.user)
    page = html(client, event)
    assert "You have a spot." in page
    assert reverse("event-register", args=[event.slug]) in page


def test_a_player_whose_match_is_on_is_led_to_the_table(client: Client) -> None:
    played = running_round()
    table = first_table(played)
    client.force_login(player_at(table))
    page = html(client, played.stage.event)
    assert f'href="{match_of(table).get_absolute_url()}"' in page
    assert "Go to table 1" in page


def test_rounds_are_listed_once_they_are_published(client: Client) -> None:
    played = running_round()
    make_stage(played.stage.event, 2, title="Second round", format="bracket", state="open")
    page = html(client, played.stage.event)
    assert "First round" in page
    assert played.title in page
    assert "the top 2 of each table advance" in page


def test_the_winner_stands_on_top_once_announced(client: Client) -> None:
    played = running_round(hand_limit=1)
    event = played.stage.event
    play(first_table(played))
    close_round(played, organizer_of(event))
    event.stages.update(state=Stage.State.CLOSED)
    assert 'class="winner"' not in html(client, event)
    winner = announce_winner(event, organizer_of(event))
    assert all(f"<bdi>{each.name}</bdi>" in html(client, event) for each in winner.shared)
    assert "wins</h2>" in html(client, event) or len(winner.shared) > 1


def close_registration(client: Client, played: Round) -> str:
    """Close registration and return the event's page."""
    Event.objects.update(registration_closes=timezone.now())
    return html(client, played.stage.event)


def test_a_table_is_offered_to_watch_only_while_one_is_in_play(client: Client) -> None:
    played = running_round(hand_limit=1)
    page = close_registration(client, played)
    assert "1 table in play." in page
    assert "Watch a table" in page
    play(first_table(played))
    page = html(client, played.stage.event)
    assert "No tables are in play right now." in page
    assert "Watch a table" not in page


def test_a_stage_is_marked_now_only_while_a_round_of_it_is_open(client: Client) -> None:
    played = running_round(hand_limit=1)
    event = played.stage.event
    now, done = '<span class="badge live">now</span>', '<span class="badge">done</span>'
    assert now in html(client, event)
    play(first_table(played))
    close_round(played, organizer_of(event))
    assert now not in html(client, event)
    assert done not in html(client, event)
    # The last stage stays open until the winner is announced; its final has been played.
    Round.objects.filter(pk=played.pk).update(is_final=True)
    assert now not in html(client, event)
    assert done in html(client, event)


def test_names_of_any_script_keep_to_themselves(client: Client) -> None:
    event = make_event(title="بطولة 2026", place="القاعة 4")
    page = html(client, event)
    assert '<h1 class="event-title"><bdi>بطولة 2026</bdi></h1>' in page
    assert "<dd><bdi>القاعة 4</bdi></dd>" in page


def test_organizers_find_the_way_to_their_desk(client: Client) -> None:
    event = make_event()
    assert "Organize this event" not in html(client, event)
    client.force_login(make_organizer(event))
    assert f'href="{reverse("admin:event-desk", args=[event.pk])}"' in html(client, event)


def test_no_address_and_no_roll_number_is_shown(client: Client) -> None:
    event = make_event()
    [registration] = make_registrations(event, 1)
    page = html(client, event)
    assert registration.user.email not in page
    assert registration.roll_number not in page


def queries_of(
    client: Client, event: Event, django_assert_max_num_queries: DjangoAssertNumQueries, most: int
) -> None:
    with django_assert_max_num_queries(most):
        client.get(url(event))


def test_the_number_of_queries_does_not_grow_with_players(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = running_round(12).stage.event
    queries_of(client, event, django_assert_max_num_queries, 14)


def test_s15_a_player_who_waits_is_offered_a_table_to_watch(client: Client) -> None:
    played = running_round(8)
    first, second = played.tables.all()
    client.force_login(player_at(first))
    play(first)
    event = played.stage.event
    assert f'href="{reverse("event-watch", args=[event.slug])}">Watch a table' in html(
        client, event
    )
    play(second)
    assert "Watch a table" not in html(client, event)


@pytest.mark.parametrize(
    ("closes", "offered"), [(timedelta(days=1), True), (timedelta(days=-1), False)]
)
def test_s18_who_has_withdrawn_reads_that_they_can_come_back(
    client: Client, closes: timedelta, offered: bool
) -> None:
    event = make_event()
    [mine] = make_registrations(event, 1)
    event.registration_closes = timezone.now() + closes
    event.save()
    mine.state = Registration.State.WITHDRAWN
    mine.save()
    client.force_login(mine.user)
    page = html(client, event)
    assert "You’ve withdrawn from this event." in page
    assert ("You can rejoin while registration is open." in page) is offered
    assert (">Register again</a>" in page) is offered
    assert ">My registration</a>" not in page


def test_s21_every_paragraph_of_the_description_has_its_own_direction(client: Client) -> None:
    page = html(client, make_event(description="নমস্কার <b>\n\nمرحبا\nبكم"))
    assert '<p dir="auto">নমস্কার &lt;b&gt;</p>' in page
    assert '<p dir="auto">مرحبا<br>بكم</p>' in page
