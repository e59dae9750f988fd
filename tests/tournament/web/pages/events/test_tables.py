"""Tests of the pages for seats, the bracket and results."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.factories import make_event
from tests.tournament.staging import (
    first_table,
    make_stage,
    match_of,
    organizer_of,
    play,
    player_at,
    published_round,
    running_round,
)
from tournament.advancing.services import draw_bracket, preview_cut, qualify
from tournament.models import Event, Round, Stage
from tournament.results.stages import stage_results
from tournament.rounds.services import abandon_table, close_round
from tournament.stages.cut import CutRule

pytestmark = pytest.mark.django_db
PAGES = ["event-tables", "event-bracket", "event-results"]


def read_page(client: Client, name: str, event: Event, query: str = "") -> str:
    return client.get(reverse(name, args=[event.slug]) + query).content.decode()


def list_seated_names(round_: Round) -> list[str]:
    return [str(seat) for table in round_.tables.all() for seat in table.seats.all()]


def make_drawn_bracket(players: int = 8) -> Round:
    """Draw the bracket of the second stage, after one round with matches of one hand."""
    played = running_round(players, hand_limit=1)
    event, organizer = played.stage.event, organizer_of(played.stage.event)
    for table in played.tables.all():
        play(table)
    close_round(played, organizer)
    second = make_stage(event, 2, title="Second round", format="bracket", state="waiting")
    rule = CutRule(Stage.Rule.TOP_K, 2, Stage.Ties.LOTS, min_matches=1)
    qualify(played.stage, organizer, rule, preview_cut(stage_results(played.stage), rule).through)
    return draw_bracket(second, organizer)


@pytest.mark.parametrize("name", PAGES)
def test_draft_event_has_no_table_pages(client: Client, name: str) -> None:
    event = make_event(state=Event.State.DRAFT)
    assert client.get(reverse(name, args=[event.slug])).status_code == 404


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("event-tables", "The seating has not been published yet."),
        ("event-bracket", "The knockout hasn’t started yet"),
        ("event-results", "No tables have finished yet."),
    ],
)
def test_empty_pages_explain_why(client: Client, name: str, sentence: str) -> None:
    assert sentence in read_page(client, name, make_event())


@pytest.mark.parametrize("name", PAGES)
def test_public_pages_show_no_private_data(client: Client, name: str) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    page = read_page(client, name, played.stage.event)
    for registration in played.stage.event.registrations.all():
        assert registration.user.email not in page
        assert registration.roll_number not in page


def test_seats_are_shown_once_published(client: Client) -> None:
    played = published_round(8)
    played.state = Round.State.DRAFT
    played.save()
    page = read_page(client, "event-tables", played.stage.event)
    assert [name for name in list_seated_names(played) if name in page] == []
    played.state = Round.State.PUBLISHED
    played.save()
    page = read_page(client, "event-tables", played.stage.event)
    assert [name for name in list_seated_names(played) if name not in page] == []
    assert "waiting to start" in page


def test_live_table_can_be_watched_and_shows_the_current_hand(client: Client) -> None:
    played = running_round()
    page = read_page(client, "event-tables", played.stage.event)
    assert "playing, hand 1" in page
    assert f'href="{match_of(first_table(played)).get_absolute_url()}"' in page


def test_name_index_lists_the_table_and_seat_of_each_player(client: Client) -> None:
    played = published_round(8)
    response = client.get(reverse("event-tables", args=[played.stage.event.slug]) + "?by=name")
    listed = [
        (seat.name, table.number, seat.number)
        for _, pairs in response.context["names"]
        for seat, table in pairs
    ]
    assert sorted(listed) == sorted(
        (str(seat), table.number, seat.number)
        for table in played.tables.all()
        for seat in table.seats.all()
    )
    assert [name for name, _, _ in listed] == sorted((n for n, _, _ in listed), key=str.casefold)
    letters = [letter for letter, _ in response.context["names"]]
    assert letters == sorted(set(letters))


@pytest.mark.parametrize("query", ["?view=hall", "?view=hall&by=name"])
def test_hall_screens_list_every_player(client: Client, query: str) -> None:
    played = published_round(8)
    page = read_page(client, "event-tables", played.stage.event, query)
    assert 'class="hall"' in page
    assert [name for name in list_seated_names(played) if name not in page] == []


def test_seat_of_the_signed_in_player_is_marked(client: Client) -> None:
    played = published_round(8)
    client.force_login(player_at(first_table(played)))
    assert read_page(client, "event-tables", played.stage.event).count("(you)") == 1


def test_results_list_finished_tables_with_their_hands(client: Client) -> None:
    played = running_round(8, hand_limit=1)
    table = first_table(played)
    play(table)
    page = read_page(client, "event-results", played.stage.event)
    assert page.count("table-card") == 1
    assert reverse("games:result", args=[match_of(table).public_id]) in page


def test_bracket_shows_advancing_players_with_their_seeds(client: Client) -> None:
    played = make_drawn_bracket()
    event = played.stage.event
    response = client.get(reverse("event-bracket", args=[event.slug]))
    page = response.content.decode()
    qualifiers = response.context["bracket"].qualifiers
    assert [qualifier.seed for qualifier in qualifiers] == [1, 2, 3, 4]
    assert all(qualifier.name in page for qualifier in qualifiers)


def test_query_count_is_independent_of_tables(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = running_round(16).stage.event
    for name in PAGES:
        with django_assert_max_num_queries(14):
            read_page(client, name, event)


def test_abandoned_match_is_listed_in_the_results_with_its_reason(client: Client) -> None:
    played = running_round(8, hand_limit=1)
    event, table = played.stage.event, first_table(played)
    abandon_table(table, organizer_of(event), "The fire alarm went off.")
    for name in ("event-tables", "event-results"):
        shown = read_page(client, name, event)
        assert "Abandoned: The fire alarm went off." in shown
        assert ">won<" not in shown
    table.refresh_from_db()
    shown = client.get(reverse("games:result", args=[match_of(table).public_id])).content.decode()
    assert "The match was abandoned: The fire alarm went off. This match doesn’t count." in shown
    assert 'id="totals"' not in shown


def test_finished_table_lists_its_seats_by_place(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    response = client.get(reverse("event-tables", args=[played.stage.event.slug]))
    [table] = response.context["current"].tables
    assert [seat.place for seat in table.standing] == sorted(seat.place for seat in table.seats)
    assert 'class="chair place" title="1st place"' in response.content.decode()


def test_s13_tables_in_play_are_listed_before_finished_ones(client: Client) -> None:
    played = running_round(12)
    event = played.stage.event
    play(first_table(played))
    shown = client.get(f"/e/{event.slug}/tables/").context["current"].tables
    assert [(table.number, table.state) for table in shown] == [
        (2, "playing"),
        (3, "playing"),
        (1, "finished"),
    ]
