"""Tests of the public leaderboard, which is computed only once for many pages."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from games.process import fresh_values
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tournament.models import Event
from tournament.pure.words import ordinal
from tournament.results.stages import stage_results
from tournament.seating.services import seat_round
from tournament.standings import queries as standings
from tournament.standings.queries import leaderboard
from tournament.web.live import boards
from tournament.web.live.boards import current_news, hash_public_facts

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fresh_values, "monotonic", lambda: 100.0)
    monkeypatch.setattr(boards, "MAX_AGE_SECONDS", 1.0)


@pytest.fixture
def computed_events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Return a list that collects the events whose standings are computed, in order."""
    found: list[Event] = []
    fetch = stage_results

    def fetch_and_record(event: Event, **asked: Any) -> Any:
        found.append(event)
        return fetch(event, **asked)

    monkeypatch.setattr(standings, "stage_results", fetch_and_record)
    return found


def visit_page(event: Event, name: str, player: int = 0) -> str:
    client = Client()
    client.force_login(event.registrations.all()[player].user)
    return client.get(reverse(name, args=[event.slug])).content.decode()


@pytest.mark.parametrize("name", ["event", "event-register"])
def test_pages_without_ranks_compute_no_leaderboard(
    name: str, computed_events: list[Event]
) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    assert "Lastcard" in visit_page(event, name)
    assert computed_events == []


def test_pages_of_all_players_share_one_leaderboard(computed_events: list[Event]) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    shown = [visit_page(event, "my-table", player) for player in range(4)]
    assert computed_events == [event]
    for row in leaderboard(event).rows:
        player = [each.pk for each in event.registrations.all()].index(row.registration.pk)
        assert (
            f"{ordinal(row.rank)}</strong> on the leaderboard</a>. Points: {row.points};"
            in (shown[player])
        )


def list_match_counts(event: Event, known_shape: str = "") -> set[int]:
    return {row.matches for row in current_news(event, known_shape).rows.values()}


def test_pages_and_sockets_share_one_leaderboard(
    computed_events: list[Event], client: Client
) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    news = boards.load_event_news(event.pk)
    page = client.get(reverse("event-leaderboard", args=[event.slug]))
    assert page.context["board"] is news.board
    assert f'data-hash="{news.shown.hash}"' in page.text
    assert news.html in page.text
    assert computed_events == [event]


def test_leaderboard_is_recomputed_after_a_second(
    computed_events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    before = current_news(event)
    assert current_news(event) is before
    monkeypatch.setattr(fresh_values, "monotonic", lambda: 100.0 + boards.MAX_AGE_SECONDS)
    assert current_news(event) is not before
    assert computed_events == [event, event]


@pytest.mark.django_db(transaction=True)
def test_leaderboard_is_recomputed_after_every_recorded_change(
    computed_events: list[Event],
) -> None:
    event, organizer = make_organized_event(4)
    drafted = seat_round(first_stage(event), organizer)
    assert list_match_counts(event) == {0}
    finish_paper_round(start_drafted_round(drafted, organizer), organizer)
    assert list_match_counts(event) == {1}
    assert computed_events == [event, event]


def test_cached_leaderboard_is_never_older_than_the_page(computed_events: list[Event]) -> None:
    event, organizer = make_organized_event(4)
    drafted = seat_round(first_stage(event), organizer)
    assert list_match_counts(event, hash_public_facts(event)) == {0}
    finish_paper_round(
        start_drafted_round(drafted, organizer), organizer
    )  # nothing is committed, so no page receives a poke
    assert list_match_counts(event, hash_public_facts(event)) == {1}
    assert computed_events == [event, event]


def test_each_event_has_its_own_leaderboard(computed_events: list[Event]) -> None:
    one, other = make_organized_event(2)[0], make_organized_event(3)[0]
    assert [len(current_news(event).rows) for event in (one, other, one)] == [2, 3, 2]
    assert computed_events == [one, other]


def test_each_language_has_its_own_leaderboard() -> None:
    event, _organizer = make_organized_event(2)
    with translation.override("en"):
        news = current_news(event)
    with translation.override("hi"):
        assert current_news(event) is not news


def test_leaderboard_does_not_load_hands_in_progress() -> None:
    event, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    with CaptureQueriesContext(connection) as captured:
        leaderboard(event)
    assert [query["sql"] for query in captured if '"games_match"."state"' in query["sql"]] == []
