"""Tests of link previews and calendar entries."""

import re
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import icalendar
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.services import start_practice
from tests.factories import make_event, make_players, make_user
from tests.tournament.helpers import make_organized_event
from tests.tournament.staging import (
    first_table,
    make_stage,
    match_of,
    organizer_of,
    play,
    player_at,
    running_round,
)
from tests.typed import sure
from tournament.models import Event, LogAction, Registration, Round
from tournament.oversight.audit import record
from tournament.pure.words import join_words
from tournament.standings.freezing import freeze, reveal, thaw
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def map_meta_tags(client: Client, address: str) -> dict[str, str]:
    """Return the meta tags in a page's head, by name."""
    text = client.get(address).content.decode()
    found = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', text)
    return dict(found)


def get_address(name: str, event: Event) -> str:
    return reverse(name, args=[event.slug])


@pytest.fixture(scope="module")
def shared_round(shared_rows: None) -> Round:
    found = running_round(8, hand_limit=1, place="Hall 3")
    play(first_table(found))
    return found


@pytest.fixture
def started_round(shared_round: Round) -> Round:
    return deepcopy(shared_round)


def finish_event(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    Round.objects.update(state=Round.State.CLOSED)


def test_u66_upcoming_event_preview_has_day_and_place(client: Client) -> None:
    starts = datetime(2026, 11, 28, 15, tzinfo=UTC)
    event = make_event(title="Ocho Open", place="Hall 3", starts_at=starts)
    tags = map_meta_tags(client, get_address("event", event))
    assert tags["og:title"] == "Ocho Open"
    assert tags["description"] == ("Registration open. Sat 28 November 2026, 15:00 UTC. Hall 3.")
    assert tags["og:image"] == "http://testserver" + get_address("event-picture", event)
    assert tags["og:url"] == "http://testserver" + get_address("event", event)


def test_u66_finished_event_preview_names_the_winner(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    finish_event(played.stage.event)
    tags = map_meta_tags(client, get_address("event", played.stage.event))
    assert re.fullmatch(r"Finished\. .+ won\. \d+ points\.", tags["og:description"])


def test_preview_hides_the_winner_while_places_are_secret(client: Client) -> None:
    played = running_round(hand_limit=1)
    play(first_table(played))
    freeze(played.stage.event, organizer_of(played.stage.event))
    finish_event(played.stage.event)
    assert (
        "won" not in map_meta_tags(client, get_address("event", played.stage.event))["description"]
    )


def test_u66_result_preview_names_the_winner(client: Client, started_round: Round) -> None:
    table = first_table(started_round)
    match = match_of(table)
    tags = map_meta_tags(client, reverse("games:result", args=[match.public_id]))
    assert tags["og:title"] == f"{started_round.stage.event.title} · Round 1, table 1"
    assert " won" in tags["description"]
    assert tags["og:image"].endswith(reverse("match-picture", args=[match.public_id]))


def test_preview_of_a_secret_result_names_only_the_players(client: Client) -> None:
    played = running_round(hand_limit=1)
    freeze(played.stage.event, organizer_of(played.stage.event))
    table = first_table(played)
    play(table)
    one = sure(table.seats.get(number=0).registration)
    client.force_login(one.user)
    tags = map_meta_tags(client, reverse("games:result", args=[match_of(table).public_id]))
    assert "won" not in tags["description"]
    assert one.name in tags["description"]


def test_u66_replay_preview_describes_its_match_and_names_the_event(
    client: Client, started_round: Round
) -> None:
    match = match_of(first_table(started_round))
    title = f"{started_round.stage.event.title} · "
    table = client.get(match.get_absolute_url()).content.decode()
    assert f"<title>{title}Round 1, table 1" in table
    for name, args in (("games:result", [match.public_id]), ("games:replay", [match.public_id, 1])):
        text = client.get(reverse(name, args=args)).content.decode()
        assert "og:image" in text
        assert f"<title>{title}" in text
    shared = map_meta_tags(client, reverse("games:replay", args=[match.public_id, 1]))["og:title"]
    assert shared == f"Replay of hand 1 · {title}Round 1, table 1"
    shared = map_meta_tags(client, reverse("games:review", args=[match.public_id]))["og:title"]
    assert shared == f"Was it luck? · {title}Round 1, table 1"


def test_live_table_preview_names_the_players_and_the_event(client: Client) -> None:
    played = running_round(place="Hall 3")
    table = first_table(played)
    names = [seat.name for seat in match_of(table).seats.all()]
    address = match_of(table).get_absolute_url()
    tags, text = map_meta_tags(client, address), client.get(address).content.decode()
    title = played.stage.event.title
    assert tags["og:title"] == f"{title} · Round 1, table 1"
    assert tags["og:description"] == f"Round 1, table 1. {join_words(names)}."
    assert tags["og:image"].endswith(reverse("match-picture", args=[match_of(table).public_id]))
    assert f'<small class="bar-event"><bdi>{title}</bdi></small>' in text
    assert f'data-event="{title}"' in text


@pytest.mark.parametrize(
    ("viewers", "delay", "is_result_shown"),
    [("live", 0, True), ("delayed", 300, False), ("hand", 0, True)],
)
def test_live_table_preview_has_the_result_once_viewers_see_it(
    client: Client, viewers: str, delay: int, is_result_shown: bool
) -> None:
    played = running_round(hand_limit=1, viewers=viewers, viewer_delay_seconds=delay)
    table = first_table(played)
    play(table)
    address = match_of(table).get_absolute_url()
    assert (" won" in map_meta_tags(client, address)["description"]) == is_result_shown


def test_page_of_a_seated_player_has_no_preview_tags(client: Client) -> None:
    table = first_table(running_round())
    client.force_login(player_at(table))
    assert "og:title" not in map_meta_tags(client, match_of(table).get_absolute_url())


def test_shuffle_proof_page_preview_names_its_match(client: Client, started_round: Round) -> None:
    match = match_of(first_table(started_round))
    address = reverse("games:fair", args=[match.public_id])
    title = f"{started_round.stage.event.title} · "
    assert map_meta_tags(client, address)["og:title"] == (
        f"How the cards were shuffled · {title}Round 1, table 1"
    )
    assert f"<title>{title}How the cards were" in client.get(address).content.decode()


def test_leaderboard_preview_names_the_top_three(client: Client, started_round: Round) -> None:
    event = started_round.stage.event
    tags = map_meta_tags(client, get_address("event-leaderboard", event))
    first = leaderboard(event).rows[:3]
    lines = [f"{row.rank}. {row.name} · {row.points} points" for row in first]
    assert tags["og:title"] == f"Leaderboard · {event.title}"
    assert tags["og:description"] == f"Under way. {'. '.join(lines)}."
    assert tags["og:image"] == "http://testserver" + get_address("leaderboard-picture", event)


def test_leaderboard_preview_has_time_and_place_before_play_begins(client: Client) -> None:
    event = running_round(place="Hall 3").stage.event
    assert (
        map_meta_tags(client, get_address("event-leaderboard", event))["description"]
        == "Under way. Hall 3."
    )


def test_leaderboard_preview_names_no_one_before_the_reveal(client: Client) -> None:
    played = running_round(hand_limit=1)
    event, organizer = played.stage.event, organizer_of(played.stage.event)
    play(first_table(played))
    freeze(event, organizer)
    before = map_meta_tags(client, get_address("event-leaderboard", event))
    secret = client.get(get_address("leaderboard-picture", event)).content
    finish_event(event)
    reveal(event, organizer)
    assert before["description"] == "Under way. Places have not been revealed yet."
    after = map_meta_tags(client, get_address("event-leaderboard", event))
    assert after["description"] == "Finished. Places have not been revealed yet."
    thaw(event, organizer)
    assert client.get(get_address("leaderboard-picture", event)).content != secret


def test_unknown_stages_and_rule_sets_have_no_picture(client: Client, started_round: Round) -> None:
    board = get_address("leaderboard-picture", started_round.stage.event)
    paths = [board + "?stage=9", board + "?stage=x", "/rules/nothing/picture.png"]
    assert [client.get(path).status_code for path in paths] == [404, 404, 404]


def test_u66_player_page_preview_has_place_and_points(client: Client, started_round: Round) -> None:
    one = sure(first_table(started_round).seats.get(number=0).registration)
    tags = map_meta_tags(client, reverse("event-player", args=[one.event.slug, one.queue_number]))
    assert tags["og:title"] == f"{one.name} · {one.event.title}"
    assert re.search(
        r" \d(?:st|nd|rd|th) place · \d+ points?\. \d of 1 hand won\.", tags["description"]
    )


@pytest.mark.parametrize("kind", ["event", "player", "match"])
def test_pictures_are_drawn_once_and_cached(
    client: Client, started_round: Round, kind: str
) -> None:
    event, match = started_round.stage.event, match_of(first_table(started_round))
    addresses = {
        "event": get_address("event-picture", event),
        "player": reverse("player-picture", args=[event.slug, 1]),
        "match": reverse("match-picture", args=[match.public_id]),
    }
    first, again = client.get(addresses[kind]), client.get(addresses[kind])
    assert first.headers["Content-Type"] == "image/png"
    assert first.headers["Cache-Control"] == "public, max-age=300"
    assert first.content == again.content


def test_hidden_pages_have_no_picture(client: Client, started_round: Round) -> None:
    event, match = started_round.stage.event, match_of(first_table(started_round))
    [waiting] = make_players(event, 1)
    Registration.objects.filter(pk=waiting.pk).update(state="waitlist")
    number = waiting.queue_number
    addresses = [
        reverse("player-picture", args=[event.slug, number]),
        reverse("match-picture", args=["no-such"]),
    ]
    assert [client.get(each).status_code for each in addresses] == [404, 404]
    Event.objects.update(state=Event.State.DRAFT)
    addresses = [
        get_address("event-picture", event),
        reverse("match-picture", args=[match.public_id]),
    ]
    assert [client.get(each).status_code for each in addresses] == [404, 404]


def test_practice_match_has_no_preview(client: Client) -> None:
    user = make_user()
    client.force_login(user)
    match = start_practice(user, "ocho", 2)
    assert "og:image" not in map_meta_tags(client, reverse("games:result", args=[match.public_id]))
    assert client.get(reverse("match-picture", args=[match.public_id])).status_code == 404


def test_event_can_be_added_to_a_calendar(client: Client) -> None:
    event = make_event(starts_at=timezone.now() + timedelta(days=1))
    address = get_address("event-calendar", event)
    assert address in client.get(get_address("event", event)).content.decode()
    response = client.get(address)
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert f"SUMMARY:{event.title}\r\n" in response.content.decode()
    assert f"URL:http://testserver{get_address('event', event)}\r\n" in response.content.decode()


def test_calendar_entry_ends_at_the_latest_end_of_the_rounds(client: Client) -> None:
    starts = timezone.now().replace(microsecond=0) + timedelta(days=1)
    event = make_event(starts_at=starts, round_minutes=30)
    make_stage(event, rounds_planned=2)
    ends = (starts + timedelta(minutes=70)).astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    text = client.get(get_address("event-calendar", event)).content.decode()
    assert f"DTEND:{ends}\r\n" in text


def read_entry(client: Client, address: str) -> Any:
    [entry] = icalendar.Calendar.from_ical(client.get(address).content).walk("VEVENT")
    return entry


def test_moving_an_event_earlier_updates_calendars(client: Client) -> None:
    starts = timezone.now().replace(microsecond=0) + timedelta(days=10)
    event, organizer = make_organized_event(0, starts_at=starts)
    address = get_address("event-calendar", event)
    first = read_entry(client, address)
    record(event, organizer, LogAction.CHANGE_SETTINGS, lambda: "")
    Event.objects.update(starts_at=starts - timedelta(days=1))
    moved = read_entry(client, address)
    assert moved["UID"] == first["UID"]
    assert moved["DTSTART"].dt == first["DTSTART"].dt - timedelta(days=1)
    assert moved["SEQUENCE"] > first["SEQUENCE"]
    assert moved["DTSTAMP"].dt >= first["DTSTAMP"].dt


def test_event_that_ended_without_a_round_is_cancelled_in_calendars(client: Client) -> None:
    event = make_event(starts_at=timezone.now(), state=Event.State.FINISHED)
    assert (
        "STATUS:CANCELLED\r\n" in client.get(get_address("event-calendar", event)).content.decode()
    )


def test_event_without_a_date_has_no_calendar_entry(client: Client) -> None:
    event = make_event()
    assert client.get(get_address("event-calendar", event)).status_code == 404
    assert "calendar" not in client.get(get_address("event", event)).content.decode()
