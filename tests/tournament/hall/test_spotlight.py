"""A running event at a glance: who leads, which table is in its last hand."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament.staging import (
    first_table,
    make_stage,
    match_of,
    organizer_of,
    play,
    published_round,
    running_round,
)
from tournament.hall.spotlight import OnStage, find_spotlight, to_watch
from tournament.models import Event, Round, Stage
from tournament.rounds.live_tables import stages
from tournament.rounds.services import pause
from tournament.standings.freezing import freeze, reveal

pytestmark = pytest.mark.django_db


def find_event_spotlight(played: Round) -> OnStage | None:
    event = Event.objects.get(pk=played.stage.event_id)
    return find_spotlight(event, stages(event))


def get_event_spotlight(played: Round) -> OnStage:
    found = find_event_spotlight(played)
    assert found is not None
    return found


def page(client: Client, played: Round) -> str:
    return client.get(reverse("event", args=[played.stage.event.slug])).content.decode()


def test_before_a_round_is_started_there_is_nothing_on_stage(client: Client) -> None:
    played = published_round()
    assert find_event_spotlight(played) is None
    told = page(client, played)
    assert "Leading" not in told
    assert "In play" not in told


def test_when_all_tables_are_through_who_leads_stands_there_and_none_is_in_play(
    client: Client,
) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    found = get_event_spotlight(played)
    assert (found.tables, found.in_play, found.played_out) == ([], 0, frozenset({played.pk}))
    assert found.leaders
    told = page(client, played)
    assert ">Leading</h2>" in told
    assert ">In play</h2>" not in told
    assert "all tables have finished" in told


def test_who_leads_and_what_is_in_play_stand_apart_with_who_would_go_through(
    client: Client,
) -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    stage = played.stage
    make_stage(stage.event, 2, state="waiting")
    Stage.objects.filter(pk=stage.pk).update(
        qualify_rule="number", qualify_value=3, rounds_planned=1
    )
    play(first_table(played), 1)
    told = page(client, played)
    assert told.index(">Leading</h2>") < told.index(">In play</h2>")
    line = "3 of 8 players advance. Tables 1 and 2 are still playing."
    assert told.count(line) == 1
    leaderboard = client.get(reverse("event-leaderboard", args=[stage.event.slug])).text
    assert leaderboard.count(line) == 1


def test_the_table_in_its_last_hand_comes_first() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    second = played.tables.get(number=2)
    play(second, 1)
    found = get_event_spotlight(played)
    assert [(each.view.number, each.last_hand) for each in found.tables] == [(2, True), (1, False)]


def test_a_final_comes_before_that() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    Round.objects.update(is_final=True)
    assert all(each.final for each in get_event_spotlight(played).tables)


def test_who_leads_the_event_and_the_table_is_named(client: Client) -> None:
    played = running_round(hand_limit=2, options={"target": 1000})
    assert get_event_spotlight(played).leaders == []
    play(first_table(played), 1)
    found = get_event_spotlight(played)
    [table] = found.tables
    assert table.leader is not None
    assert found.leaders[0].registration == table.leader.registration
    told = page(client, played)
    assert "last hand" in told
    assert match_of(first_table(played)).get_absolute_url() in told


def test_a_match_without_a_limit_has_no_last_hand() -> None:
    assert not get_event_spotlight(running_round()).tables[0].last_hand


def test_a_paused_table_says_so(client: Client) -> None:
    played = running_round()
    pause(played, organizer_of(played.stage.event), first_table(played))
    assert "paused" in page(client, played)


def test_a_board_that_stands_still_says_of_when_it_is(client: Client) -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    play(first_table(played), 1)
    event = freeze(played.stage.event, organizer_of(played.stage.event))
    before = [row.points for row in get_event_spotlight(played).leaders]
    play(played.tables.get(number=2))
    assert [row.points for row in get_event_spotlight(played).leaders] == before
    assert event.freeze
    assert "The leaderboard was frozen at" in page(client, played)


def test_while_places_are_revealed_from_the_last_on_nobody_is_said_to_lead() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    play(first_table(played), 1)
    organizer = organizer_of(played.stage.event)
    frozen = freeze(played.stage.event, organizer)
    assert get_event_spotlight(played).leaders
    reveal(frozen, organizer)
    found = get_event_spotlight(played)
    assert (found.leaders, found.in_play) == ([], 2)


def test_of_many_tables_the_best_are_named_and_the_rest_are_counted(client: Client) -> None:
    played = running_round(32)
    found = get_event_spotlight(played)
    assert (len(found.tables), found.more) == (6, 2)
    assert "and 2 more tables" in page(client, played)


def test_the_page_costs_the_same_for_more_tables(client: Client) -> None:
    def count(players: int) -> int:
        played = running_round(players)
        with CaptureQueriesContext(connection) as captured:
            page(client, played)
        return len(captured)

    assert count(12) == count(4)


def get_watch_link(played: Round, beside: str = "", step: int = 0) -> str:
    return to_watch(Event.objects.get(pk=played.stage.event_id), beside, step)


def test_who_watches_begins_where_there_is_most_to_see() -> None:
    played = running_round(8, hand_limit=2, options={"target": 1000})
    second = played.tables.get(number=2)
    play(second, 1)
    assert get_watch_link(played) == match_of(second).get_absolute_url()


def test_from_one_table_to_the_next_and_around() -> None:
    played = running_round(12)
    first, second, third = (match_of(each) for each in played.tables.order_by("number"))
    ways = [(first, 1), (third, 1), (first, -1), (second, -1)]
    links = [get_watch_link(played, match.public_id, step) for match, step in ways]
    assert links == [each.get_absolute_url() for each in (second, first, third, first)]


def test_beside_a_table_that_is_through_stands_the_best() -> None:
    played = running_round(8, hand_limit=1)
    first, second = played.tables.order_by("number")
    play(first)
    best = match_of(second).get_absolute_url()
    assert get_watch_link(played, match_of(first).public_id, 1) == best


def test_while_nothing_is_played_there_is_nothing_to_watch(client: Client) -> None:
    event = published_round().stage.event
    assert to_watch(event) == ""
    page = client.get(reverse("event-watch", args=[event.slug]))
    assert page["Location"] == reverse("event-tables", args=[event.slug])


def test_the_page_of_an_event_leads_on_from_table_to_table(client: Client) -> None:
    played = running_round(8)
    first, second = (match_of(each) for each in played.tables.order_by("number"))
    address = reverse("event-watch", args=[played.stage.event.slug])
    for asked in ("after", "before"):
        page = client.get(address, {asked: first.public_id})
        assert page["Location"] == second.get_absolute_url()
