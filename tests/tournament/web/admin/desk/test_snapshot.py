"""Tests of the page that shows an event as it was at an earlier time."""

from datetime import datetime, timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.models import Hand, Match
from tests.factories import UNREACHABLE_TARGET
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tests.tournament.ruling import get_player
from tests.tournament.staging import play, running_round
from tournament.advancing.services import draw_bracket
from tournament.desk.snapshot import PastEvent, event_as_of
from tournament.models import AuditEntry, Event, Round, Ruling, User
from tournament.oversight.desk_log import add_entry
from tournament.registration.services import refuse, withdraw
from tournament.results.services import enter_result, undo_result
from tournament.rounds.services import close_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import publish_round, seat_round, unpublish_round
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db

Kind = Ruling.Kind
HOUR = timedelta(hours=1)


def backdate_by_an_hour(event: Event) -> datetime:
    """Move all recorded times back by an hour, and return a time half an hour ago."""
    with open_unguarded_cursor():
        AuditEntry.objects.filter(event=event).update(at=F("at") - HOUR)
    event.registrations.update(registered_at=F("registered_at") - HOUR)
    event.rulings.update(given_at=F("given_at") - HOUR, cancelled_at=F("cancelled_at") - HOUR)
    Match.objects.update(started_at=F("started_at") - HOUR, ended_at=F("ended_at") - HOUR)
    Hand.objects.update(dealt_at=F("dealt_at") - HOUR, ended_at=F("ended_at") - HOUR)
    return timezone.now() - HOUR / 2


def list_formatted_points(past_event: PastEvent) -> list[str]:
    return [row.figures[0] for row in past_event.rows]


def list_rounds(past_event: PastEvent) -> list[tuple[str, int, int]]:
    return [(each.state, each.finished, each.tables) for each in past_event.rounds]


def test_event_is_an_empty_draft_before_its_first_change(event: Event) -> None:
    long_ago = timezone.now() - timedelta(days=9)
    stood = event_as_of(event, long_ago)
    assert (stood.state, stood.registrations, stood.rounds, stood.rows) == (
        "draft",
        {"registered": 0},
        [],
        [],
    )


def test_snapshot_shows_the_state_of_a_round_at_its_time(event: Event, organizer: User) -> None:
    played = seat_round(first_stage(event), organizer)
    drafted = backdate_by_an_hour(event)
    publish_round(played, organizer)
    published = backdate_by_an_hour(event)
    unpublish_round(played, organizer, "Two came late.")
    states = [list_rounds(event_as_of(event, at))[0][0] for at in (drafted - HOUR, published)]
    assert states == [Round.State.DRAFT, Round.State.PUBLISHED]
    assert list_rounds(event_as_of(event, timezone.now()))[0][0] == Round.State.DRAFT


def test_points_count_from_their_entry_until_they_are_undone(event: Event, organizer: User) -> None:
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    before = backdate_by_an_hour(event)
    one = played.tables.all()[0]
    enter_result(one, organizer, [400, 0, 0, 0], "By the sheet.", override=True)
    entered = backdate_by_an_hour(event)
    correction = enter_result(one, organizer, [0, 0, 0, 300], "Swapped.", override=True)
    corrected = backdate_by_an_hour(event)
    undo_result(correction, organizer, "Not swapped.")
    moments = (before - HOUR - HOUR, entered - HOUR, corrected, timezone.now())
    message = [event_as_of(event, at) for at in moments]
    assert [list_formatted_points(each)[:1] for each in message] == [[], ["400"], ["300"], ["400"]]
    assert [list_rounds(each) for each in message] == [
        [("running", 0, 2)],
        [("running", 1, 2)],
        [("running", 1, 2)],
        [("running", 1, 2)],
    ]


@pytest.fixture
def match_round() -> Round:
    return running_round(4, hand_limit=2, options=UNREACHABLE_TARGET)


def test_snapshot_has_the_same_places_as_other_pages() -> None:
    event, organizer = make_organized_event(8)
    final = make_second_stage(event, organizer, 4)
    before = backdate_by_an_hour(event)
    earlier = leaderboard(Event.objects.get()).rows
    finish_paper_round(
        start_drafted_round(draw_bracket(final, organizer), organizer), organizer, [0, 0, 0, 10]
    )
    event = Event.objects.get()
    for moment, rows in ((before, earlier), (timezone.now(), leaderboard(event).rows)):
        stood = event_as_of(event, moment).rows
        assert [(row.rank, row.name) for row in stood] == [
            (row.rank, row.registration.name) for row in rows
        ]
    assert stood[0].sentence.startswith("Final: 1st place.")
    assert int(stood[0].figures[0]) < max(int(row.figures[0]) for row in stood)


def test_rulings_count_from_when_they_are_made_until_they_are_undone() -> None:
    event, organizer = make_organized_event(4)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    finish_paper_round(played, organizer, [400, 300, 200, 100])
    first, second = (get_player(played, number) for number in (0, 1))
    before = backdate_by_an_hour(event)
    rule(event, organizer, RulingRequest(Kind.POINTS, first, points=150), "Late.")
    rule(event, organizer, RulingRequest(Kind.DISQUALIFY, second), "Cards in the sleeve.")
    ruled = backdate_by_an_hour(event)
    for ruling in event.rulings.all():
        undo_ruling(ruling, organizer, "It was somebody else.")
    for at in (before - HOUR, timezone.now()):
        assert list_formatted_points(event_as_of(event, at)) == ["400", "300", "200", "100"]
    then = event_as_of(event, ruled)
    assert [row.name for row in then.rows][::3] == [first.name, second.name]
    assert list_formatted_points(then)[:3] == ["250", "200", "100"]
    assert "−150: penalty." in then.rows[0].sentence
    assert then.registrations["disqualified"] == 1


def test_snapshot_counts_only_hands_finished_by_its_time(match_round: Round) -> None:
    event, table = match_round.stage.event, match_round.tables.get()
    play(table, hands=1)
    after_one = backdate_by_an_hour(event)
    play(table)
    message = [event_as_of(event, at) for at in (after_one - HOUR * 2, after_one, timezone.now())]
    assert [list_rounds(each) for each in message] == [
        [],
        [("running", 0, 1)],
        [("running", 1, 1)],
    ]
    first = Hand.objects.filter(match=table.match, void=False).order_by("number")[0]
    assert list_formatted_points(message[1])[0] == str(max(first.points or [0]))


def test_snapshot_counts_registrations_at_its_time(event: Event, organizer: User) -> None:
    one, two = event.registrations.order_by("queue_number")[:2]
    before = backdate_by_an_hour(event)
    withdraw(one, organizer)
    after = backdate_by_an_hour(event)
    refuse(two, organizer, "Not a student.")
    found = [event_as_of(event, at).registrations for at in (before - HOUR, after, timezone.now())]
    assert found == [
        {"registered": 8, "has a spot": 6, "decided later": 2},
        {"registered": 8, "has a spot": 6, "withdrawn": 1, "decided later": 1},
        {"registered": 8, "has a spot": 6, "rejected": 1, "withdrawn": 1},
    ]


def test_snapshot_shows_the_state_of_the_event_at_its_time(event: Event, organizer: User) -> None:
    published = backdate_by_an_hour(event)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    for table in played.tables.all():
        enter_result(table, organizer, [400, 0, 0, 0], "By the sheet.", override=True)
    close_round(played, organizer)
    running = backdate_by_an_hour(event)
    add_entry(event, organizer, "winner", "Won.", "", {})
    states = [event_as_of(event, at).state for at in (published - HOUR, running, timezone.now())]
    assert states == ["published", "in progress", "finished"]


def test_snapshot_page_shows_the_event_at_the_requested_time(client: Client, event: Event) -> None:
    answer = client.get(page("stood", event), {"at": "2020-01-01T14:05:00"})
    assert "Snapshot: Wed 1 January 2020, 14:05:00" in answer.text
    assert answer.context["stood"].state == "draft"
    assert "Settings, rules and names are shown as they are today" in answer.text


@pytest.mark.parametrize("at", ["tomorrow", "2999-01-01T00:00", "14:05"])
def test_invalid_or_future_time_is_refused(client: Client, event: Event, at: str) -> None:
    answer = client.get(page("stood", event), {"at": at})
    assert "Enter a date and time in the past, including seconds." in answer.text


def test_log_rows_link_to_their_snapshot(client: Client, event: Event) -> None:
    shown = client.get(page("log", event))
    at = shown.context["rows"][0]["at"]
    assert f"{page('stood', event)}?at={at}" in shown.text
    assert client.get(page("stood", event), {"at": at}).context["stood"].latest[0] == (
        event.audit.order_by("pk").last()
    )


def test_snapshot_says_what_the_log_does_not_record(event: Event) -> None:
    with open_unguarded_cursor():
        event.audit.filter(action="publish-event").delete()
    message = event_as_of(event, timezone.now()).unknown
    assert "The log does not record when the event was published." in message


def test_snapshot_matches_the_leaderboard_during_a_bracket() -> None:
    event, organizer = make_organized_event(16, table_size=4)
    second = make_second_stage(event, organizer, 16)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    for step in (draw_bracket, lambda stage, by: publish_round(stage.rounds.get(number=2), by)):
        step(second, organizer)
        stood = [(row.rank, row.name) for row in event_as_of(event, timezone.now()).rows]
        assert stood == [(row.shown_rank, row.name) for row in leaderboard(event).rows]


def test_snapshot_matches_the_leaderboard_after_a_qualifier_is_replaced() -> None:
    event, organizer = make_organized_event(16, table_size=4)
    second = make_second_stage(event, organizer, 8)
    best = second.qualifiers.get(seed=1).registration
    withdraw(best, best.user, "Has an exam.")
    stood = [(row.rank, row.name) for row in event_as_of(event, timezone.now()).rows]
    assert stood == [(row.shown_rank, row.name) for row in leaderboard(event).rows]
