"""Tests of an event's pages about tables that viewers see with a delay."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Hand, Match
from tests.factories import UNREACHABLE_TARGET, give_role, make_event, make_user
from tests.tournament.staging import (
    first_table,
    match_of,
    organizer_of,
    play,
    player_at,
    running_round,
)
from tests.typed import sure
from tournament.desk.control import control_room
from tournament.events.spectator_texts import describe_replays, describe_viewers, find_newest_replay
from tournament.hall.queries import player_page, tables
from tournament.models import Event, Table
from tournament.rounds.live_tables import count_tables_in_play
from tournament.rounds.services import close_round
from tournament.web.live import boards

pytestmark = pytest.mark.django_db

ONE_MINUTE_DELAY: dict[str, Any] = {"viewers": "delayed", "viewer_delay_seconds": 60}


def backdate_two_minutes(table: Table) -> None:
    """Set all times of the table's hands and of the match's end to two minutes ago."""
    then = timezone.now() - timedelta(minutes=2)
    hands = Hand.objects.filter(match=table.match)
    hands.filter(dealt_at__isnull=False).update(dealt_at=then)
    hands.filter(ended_at__isnull=False).update(ended_at=then)
    Match.objects.filter(pk=match_of(table).pk, ended_at__isnull=False).update(ended_at=then)


def read_pages(client: Client, event: Event) -> list[str]:
    names = ("event-leaderboard", "event-tables", "event-results", "event")
    return [client.get(reverse(name, args=[event.slug])).content.decode() for name in names]


def test_points_and_results_reach_event_pages_after_the_delay(client: Client) -> None:
    played = running_round(hand_limit=2, options=UNREACHABLE_TARGET, **ONE_MINUTE_DELAY)
    event, table = played.stage.event, first_table(played)
    backdate_two_minutes(table)
    before, shape = (
        (read_pages(client, event), boards.read_news(event).html),
        boards.hash_public_facts(event),
    )
    play(table, hands=1)
    assert (read_pages(client, event), boards.read_news(event).html) == before
    backdate_two_minutes(table)
    (view,) = tables(event)[0].tables
    assert (view.state, view.hand) == ("playing", 1)
    assert max(sure(seat.points) for seat in view.seats) > 0
    play(table)
    assert tables(event)[0].tables[0].state == "playing"
    assert boards.hash_public_facts(event) == shape
    backdate_two_minutes(table)
    assert tables(event)[0].tables[0].state == "finished"
    assert boards.read_news(event).html != before[1]
    assert boards.hash_public_facts(event) != shape


def test_end_of_the_last_table_reaches_every_page_after_the_delay(client: Client) -> None:
    played = running_round(hand_limit=1, **ONE_MINUTE_DELAY)
    event, table = played.stage.event, play(first_table(played))

    def get_play_state() -> tuple[int, int]:
        page = client.get(reverse("home"))
        (shown,) = [each for each in page.context["running"] if each == event]
        return count_tables_in_play(event), shown.in_play

    assert get_play_state() == (1, True)
    # A change to the event affects future rounds only.
    Event.objects.filter(pk=event.pk).update(viewers="live", viewer_delay_seconds=0)
    event.refresh_from_db()
    assert get_play_state() == (1, True)
    backdate_two_minutes(table)
    assert get_play_state() == (0, False)


def test_closed_round_has_no_table_to_watch(client: Client) -> None:
    played = running_round(hand_limit=1, **ONE_MINUTE_DELAY)
    play(first_table(played))
    close_round(played, organizer_of(played.stage.event))
    assert count_tables_in_play(played.stage.event) == 0
    assert [each.in_play for each in client.get(reverse("home")).context["running"]] == [False]


def test_seated_player_sees_the_table_without_delay() -> None:
    played = running_round(hand_limit=1, **ONE_MINUTE_DELAY)
    table = play(first_table(played))
    page = player_page(played.stage.event, player_at(table))
    assert sure(sure(page).table).state == "finished"


def test_closed_round_is_shown_without_delay(client: Client) -> None:
    played = running_round(hand_limit=1, **ONE_MINUTE_DELAY)
    play(first_table(played))
    assert tables(played.stage.event)[0].finished == 0
    close_round(played, organizer_of(played.stage.event))
    assert tables(played.stage.event)[0].finished == 1


def test_organizer_desk_shows_a_finished_table_without_delay() -> None:
    played = running_round(hand_limit=1, **ONE_MINUTE_DELAY)
    play(first_table(played))
    assert sure(control_room(played.stage.event)).finished == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"viewers": "live"}, "Viewers see every move live, but no one’s cards."),
        (ONE_MINUTE_DELAY, "Viewers see every move with a delay of 1 minute."),
        (
            ONE_MINUTE_DELAY | {"viewer_delay_seconds": 45},
            "Viewers see every move with a delay of 45 seconds.",
        ),
        ({"viewers": "hand"}, "Viewers see each hand after it is over."),
    ],
)
def test_rules_page_explains_the_viewer_delay(
    client: Client, fields: dict[str, Any], sentence: str
) -> None:
    event = make_event(replays="never", **fields)
    assert describe_viewers(event) == sentence
    page = client.get(reverse("event-rules", args=[event.slug])).content.decode()
    assert sentence in page
    assert describe_replays(event).partition(",")[0] in page


def test_leaderboard_and_event_page_state_their_delay(client: Client) -> None:
    played = running_round(hand_limit=2, options=UNREACHABLE_TARGET, **ONE_MINUTE_DELAY)
    table = play(first_table(played), hands=1)
    backdate_two_minutes(table)
    board, _, _, info = read_pages(client, played.stage.event)
    assert "is counted after a delay of 1 minute." in board
    assert "<dd>see every move with a delay of 1 minute</dd>" in info


def test_commentator_sees_the_link_to_all_cards(client: Client) -> None:
    played = running_round()
    event, match = played.stage.event, first_table(played).match
    user = make_user(is_staff=True)
    give_role(event, user, "commentator")
    address = reverse("games:commentary", args=[sure(match).public_id])
    assert address not in read_pages(client, event)[1]
    client.force_login(user)
    assert address in read_pages(client, event)[1]


def get_event(table: Table) -> Event:
    return Event.objects.get(pk=table.round.stage.event_id)


def test_latest_replay_is_offered_when_no_table_is_in_play(
    client: Client,
) -> None:
    table = first_table(running_round(hand_limit=2))
    event = get_event(table)
    replay = f"/m/{match_of(table).public_id}/hands/2/"
    pages = ["/", reverse("event", args=[event.slug])]
    for path in pages:
        message = client.get(path).content.decode()
        assert reverse("event-watch", args=[event.slug]) in message
        assert "Latest replay" not in message
    play(table)
    for path in pages:
        message = client.get(path).content.decode()
        assert f'href="{replay}">Latest replay' in message
        assert reverse("event-watch", args=[event.slug]) not in message
    assert client.get(replay).status_code == 200


def test_no_replay_is_offered_before_the_first_hand_ends(client: Client) -> None:
    event = get_event(first_table(running_round()))
    assert find_newest_replay(event) == ""


def test_finished_hand_of_a_running_match_is_offered_if_its_replay_is_public() -> None:
    table = play(first_table(running_round(hand_limit=3)), hands=1)
    Match.objects.filter(pk=match_of(table).pk).update(replays="over")
    assert find_newest_replay(get_event(table)) == ""
    Match.objects.filter(pk=match_of(table).pk).update(replays="hand")
    assert find_newest_replay(get_event(table)) == f"/m/{match_of(table).public_id}/hands/1/"


def test_replay_offer_respects_the_viewer_delay() -> None:
    table = play(first_table(running_round(hand_limit=1, **ONE_MINUTE_DELAY)))
    assert find_newest_replay(get_event(table)) == ""
    backdate_two_minutes(table)
    Match.objects.filter(pk=match_of(table).pk).update(
        ended_at=timezone.now() - timedelta(minutes=2)
    )
    assert find_newest_replay(get_event(table)) == f"/m/{match_of(table).public_id}/hands/1/"
