"""Tests of the notice on every page that leads players to their running match."""

import pytest
from django.test import Client
from django.utils import timezone

from games import queries, services
from games.models import Match
from tests.factories import make_event, make_players, make_user
from tests.games.helpers import create_match
from tests.tournament.staging import first_table, player_at, running_round
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_match(user: User, **fields: object) -> Match:
    seats = [services.SeatSpec("Asha", user=user), services.SeatSpec("Ben", bot="plain")]
    match = create_match(ruleset="ocho", options={}, seats=seats, **fields)
    return services.start_match(match)


def read_page(user: User | None, path: str) -> str:
    client = Client()
    if user:
        client.force_login(user)
    return client.get(path).content.decode()


@pytest.mark.parametrize("path", ["/", "/rules/", "/my-events/"])
def test_every_page_calls_the_player_to_a_running_match(path: str) -> None:
    user = make_user()
    match = make_match(user, title="Round 1, table 3")
    shown = read_page(user, path)
    assert f'data-summons="{match.get_absolute_url()}"' in shown
    assert "Your match is under way: <bdi>Round 1, table 3</bdi>." in shown


def test_player_with_an_open_table_window_is_not_called_to_the_table() -> None:
    user = make_user()
    match = make_match(user, title="Round 1, table 3")
    match.seats.filter(number=0).update(here="process", seen_at=timezone.now())
    shown = read_page(user, "/rules/")
    assert f'data-table="{match.get_absolute_url()}"' in shown
    assert "data-summons" not in shown
    # The presence of other players makes no difference.
    match.seats.filter(number=0).update(here="")
    match.seats.filter(number=1).update(here="process")
    assert "data-summons" in read_page(user, "/rules/")


def test_event_match_is_announced_with_its_event() -> None:
    played = running_round(title="Winter Cup")
    shown = read_page(player_at(first_table(played)), "/")
    expected = "Your match in <bdi>Winter Cup</bdi> is under way: <bdi>Round 1, table 1</bdi>."
    assert expected in shown


def test_practice_match_is_offered_without_calling_the_player() -> None:
    user = make_user()
    match = make_match(user, practice=True)
    for path in ("/", "/practice/"):
        shown = read_page(user, path)
        assert "Your practice table is waiting." in shown
        assert f'href="{match.get_absolute_url()}"' in shown
        assert "data-summons" not in shown


def test_notice_is_hidden_from_other_users_and_visitors() -> None:
    make_match(make_user(), title="Round 1, table 3")
    for user in (make_user(), None):
        assert 'class="own-match"' not in read_page(user, "/")


def test_notice_can_be_fetched_without_a_page() -> None:
    user = make_user()
    assert read_page(user, "/my-match/").strip() == ""
    match = make_match(user, title="Round 1, table 3")
    line = read_page(user, "/my-match/").strip()
    assert line.startswith(f'<p class="own-match" data-table="{match.get_absolute_url()}"')
    assert line.endswith("</p>")
    assert line in read_page(user, "/")
    assert read_page(None, "/my-match/").strip() == ""


def test_players_pages_subscribe_to_news_of_a_running_event() -> None:
    [row] = make_players(make_event(), 1)
    assert "data-event" not in read_page(row.user, "/rules/")
    row.event.state = row.event.State.RUNNING
    row.event.save()
    assert f'<div id="own-match" data-event="{row.event.slug}"' in read_page(row.user, "/rules/")
    assert "data-event" not in read_page(make_user(), "/rules/")


def test_event_match_takes_precedence_over_practice_until_it_ends() -> None:
    user = make_user()
    event = make_match(user, title="Round 1, table 3")
    practice = make_match(user, practice=True)
    assert queries.running_match(user) == event
    services.abandon_match(event, "Fire alarm.")
    assert queries.running_match(user) == practice
    services.abandon_match(practice, "")
    assert queries.running_match(user) is None


def test_practice_can_be_repeated_with_the_same_settings() -> None:
    user = make_user()
    match = services.start_practice(user, "ocho", 3, "strong")
    same = {"ruleset": "ocho", "seats": 3, "strength": "strong", "fast": ""}
    assert queries.rematch(match) == same
    fast = services.start_practice(user, "ocho", 3, "strong", fast=True)
    assert queries.rematch(fast) == same | {"fast": "on"}
    shown = read_page(user, match.get_absolute_url())
    assert '<form id="again" method="post" action="/practice/" hidden>' in shown
    assert queries.rematch(make_match(make_user())) == {}
