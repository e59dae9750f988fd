"""Tests of the highlights of a running event, and of the links to its tables."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament.live_boards import prepare_boards
from tests.tournament.staging import (
    first_table,
    make_stage,
    match_of,
    organizer_of,
    play,
    published_round,
    running_round,
)
from tournament.hall.spotlight import Spotlight, find_spotlight, find_table_link
from tournament.models import Event, Round, Stage
from tournament.rounds.live_tables import list_stage_views
from tournament.rounds.services import pause
from tournament.standings.freezing import freeze, reveal

pytestmark = pytest.mark.django_db


def find_event_spotlight(round_: Round) -> Spotlight | None:
    event = Event.objects.get(pk=round_.stage.event_id)
    return find_spotlight(event, list_stage_views(event))


def get_event_spotlight(round_: Round) -> Spotlight:
    found = find_event_spotlight(round_)
    assert found is not None
    return found


def read_event_page(client: Client, round_: Round) -> str:
    return client.get(reverse("event", args=[round_.stage.event.slug])).content.decode()


def test_spotlight_is_empty_before_the_round_starts(client: Client) -> None:
    played = published_round()
    assert find_event_spotlight(played) is None
    message = read_event_page(client, played)
    assert "Leading" not in message
    assert "In play" not in message


def test_finished_round_shows_the_leaders_and_no_tables_in_play(
    client: Client,
) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    found = get_event_spotlight(played)
    assert (found.tables, found.in_play, found.played_out) == ([], 0, frozenset({played.pk}))
    assert found.leaders
    message = read_event_page(client, played)
    assert ">Leading</h2>" in message
    assert ">In play</h2>" not in message
    assert "all tables have finished" in message


def test_spotlight_shows_leaders_tables_and_advancement_separately(
    client: Client,
) -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    stage = played.stage
    make_stage(stage.event, 2, state="waiting")
    Stage.objects.filter(pk=stage.pk).update(
        qualify_rule="number", qualify_value=3, rounds_planned=1
    )
    play(first_table(played), 1)
    message = read_event_page(client, played)
    assert message.index(">Leading</h2>") < message.index(">In play</h2>")
    line = "3 of 8 players advance. Tables 1 and 2 are still playing."
    assert message.count(line) == 1
    leaderboard = client.get(reverse("event-leaderboard", args=[stage.event.slug])).text
    assert leaderboard.count(line) == 1


def test_table_in_its_last_hand_is_listed_first() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    second = played.tables.get(number=2)
    play(second, 1)
    found = get_event_spotlight(played)
    assert [(each.view.number, each.last_hand) for each in found.tables] == [(2, True), (1, False)]


def test_final_is_listed_before_other_tables() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    Round.objects.update(is_final=True)
    assert all(each.final for each in get_event_spotlight(played).tables)


def test_spotlight_names_the_leader_and_the_table(client: Client) -> None:
    played = running_round(hand_limit=2, options={"target": 1000})
    assert get_event_spotlight(played).leaders == []
    play(first_table(played), 1)
    found = get_event_spotlight(played)
    [table] = found.tables
    assert table.leader is not None
    assert found.leaders[0].registration == table.leader.registration
    message = read_event_page(client, played)
    assert "last hand" in message
    assert match_of(first_table(played)).get_absolute_url() in message


def test_match_without_a_limit_has_no_last_hand() -> None:
    assert not get_event_spotlight(running_round()).tables[0].last_hand


def test_paused_table_is_marked(client: Client) -> None:
    played = running_round()
    pause(played, organizer_of(played.stage.event), first_table(played))
    assert "paused" in read_event_page(client, played)


def test_frozen_leaderboard_shows_its_time(client: Client) -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    play(first_table(played), 1)
    event = freeze(played.stage.event, organizer_of(played.stage.event))
    before = [row.points for row in get_event_spotlight(played).leaders]
    play(played.tables.get(number=2))
    assert [row.points for row in get_event_spotlight(played).leaders] == before
    assert event.freeze
    assert "The leaderboard was frozen at" in read_event_page(client, played)


def test_leaders_are_hidden_while_places_are_revealed() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    play(first_table(played), 1)
    organizer = organizer_of(played.stage.event)
    frozen = freeze(played.stage.event, organizer)
    assert get_event_spotlight(played).leaders
    reveal(frozen, organizer)
    found = get_event_spotlight(played)
    assert (found.leaders, found.in_play) == ([], 2)


def test_spotlight_names_the_best_tables_and_counts_the_rest(client: Client) -> None:
    played = running_round(32)
    found = get_event_spotlight(played)
    assert (len(found.tables), found.more) == (6, 2)
    assert "and 2 more tables" in read_event_page(client, played)


def test_spotlight_query_count_does_not_depend_on_tables(client: Client) -> None:
    def count_queries(players: int) -> int:
        played = running_round(players)
        with prepare_boards(played.stage.event), CaptureQueriesContext(connection) as captured:
            read_event_page(client, played)
        return len(captured)

    assert count_queries(12) == count_queries(4)


def get_watch_link(round_: Round, query: str = "", step: int = 0) -> str:
    return find_table_link(Event.objects.get(pk=round_.stage.event_id), query, step)


def test_watch_link_starts_at_the_most_interesting_table() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    second = played.tables.get(number=2)
    play(second, 1)
    assert get_watch_link(played) == match_of(second).get_absolute_url()


def test_watch_links_cycle_through_the_tables() -> None:
    played = running_round(12)
    first, second, third = (match_of(each) for each in played.tables.order_by("number"))
    ways = [(first, 1), (third, 1), (first, -1), (second, -1)]
    links = [get_watch_link(played, match.public_id, step) for match, step in ways]
    assert links == [each.get_absolute_url() for each in (second, first, third, first)]


def test_finished_table_links_to_the_best_remaining_table() -> None:
    played = running_round(8, hand_limit=1)
    first, second = played.tables.order_by("number")
    play(first)
    best = match_of(second).get_absolute_url()
    assert get_watch_link(played, match_of(first).public_id, 1) == best


def test_watch_link_is_absent_when_no_table_is_in_play(client: Client) -> None:
    event = published_round().stage.event
    assert find_table_link(event) == ""
    page = client.get(reverse("event-watch", args=[event.slug]))
    assert page["Location"] == reverse("event-tables", args=[event.slug])


def test_event_page_links_from_table_to_table(client: Client) -> None:
    played = running_round(8)
    first, second = (match_of(each) for each in played.tables.order_by("number"))
    address = reverse("event-watch", args=[played.stage.event.slug])
    for asked in ("after", "before"):
        page = client.get(address, {asked: first.public_id})
        assert page["Location"] == second.get_absolute_url()
