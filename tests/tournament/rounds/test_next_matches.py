"""Tests of calling players from a finished table to their next match."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import translation

from games.models import Match, Seat
from games.process import here
from games.sockets.desks import Desks
from tests.factories import make_event, make_organizer, make_players
from tests.tournament.staging import make_stage, organizer_of, play, running_round
from tournament.models import Round
from tournament.rounds.announcements import load_table_news
from tournament.rounds.next_matches import find_started_matches
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

QueryCountAssertion = Callable[..., Any]


def play_round_and_start_next(round_: Round) -> Round:
    """Play and close a round, and start the next one with the same players."""
    for table in round_.tables.all():
        play(table)
    organizer = organizer_of(round_.stage.event)
    close_round(round_, organizer)
    return start_round(publish_round(seat_round(round_.stage, organizer), organizer), organizer)


def list_matches(round_: Round) -> list[Match]:
    return list(Match.objects.filter(event_table__round=round_).order_by("event_table__number"))


def find_next_seat(match: Match, number: int, round_: Round) -> Seat:
    user = match.seats.get(number=number).user
    return Seat.objects.get(user=user, match__event_table__round=round_)


def get_message(match: Match, seat: int | None) -> Any:
    desks = Desks()
    desks.refresh([match.pk])
    return desks.message(match.pk, seat)  # type: ignore[arg-type]


def test_players_at_finished_tables_get_their_next_matches() -> None:
    first = running_round(8, hand_limit=1)
    second = play_round_and_start_next(first)
    for match in list_matches(first):
        for number in range(4):
            seat = find_next_seat(match, number, second)
            table = seat.match.event_table.number
            assert get_message(match, number)["next"] == {
                "address": f"/m/{seat.match.public_id}/",
                "text": f"Round 2 has started. You’re at table {table}, seat {seat.number + 1}.",
                "here": False,
            }
        assert "next" not in get_message(match, None)


def test_next_match_is_described_in_the_readers_language() -> None:
    [old] = list_matches(first := running_round(4, hand_limit=1))
    [table] = play_round_and_start_next(first).tables.all()
    sentence = load_table_news([old.pk])[old.pk].next[0].describe
    with translation.override("hi"):
        in_hindi = str(table.round)
    with translation.override("hi"):
        assert in_hindi in sentence()
    assert sentence().startswith("Round 2 has started.")


def test_running_table_has_no_next_match(django_assert_num_queries: QueryCountAssertion) -> None:
    [match] = list_matches(running_round(4))
    with django_assert_num_queries(3):
        assert load_table_news([match.pk])[match.pk].next == {}


def test_finished_round_without_a_next_round_has_no_next_match() -> None:
    played = running_round(4, hand_limit=1)
    for table in played.tables.all():
        play(table)
    assert find_started_matches([match.pk for match in list_matches(played)]) == {}


def test_next_match_states_whether_the_player_is_already_at_the_table() -> None:
    [old] = list_matches(first := running_round(4, hand_limit=1))
    second = play_round_and_start_next(first)
    Seat.objects.filter(match__event_table__round=second, number=0).update(here="process")
    started_by_seat = find_started_matches([old.pk])[old.pk]
    present = [number for number, started in started_by_seat.items() if started.here]
    assert [find_next_seat(old, number, second).number for number in present] == [0]


def test_match_of_another_event_is_not_a_next_match() -> None:
    first = running_round(4, hand_limit=1)
    [old] = list_matches(first)
    play(first.tables.get())
    other = make_event()
    users = list(Seat.objects.filter(match=old).values_list("user", flat=True))
    for registration in make_players(other, 4):
        registration.user_id = users.pop()
        registration.save()
    organizer = make_organizer(other)
    start_round(publish_round(seat_round(make_stage(other), organizer), organizer), organizer)
    assert find_started_matches([old.pk]) == {}


def test_start_of_a_round_notifies_finished_tables(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    first = running_round(8, hand_limit=1)
    poked: list[str] = []
    monkeypatch.setattr(here().hub, "poke", lambda topic, version=None: poked.append(topic))
    with django_capture_on_commit_callbacks(execute=True):
        play_round_and_start_next(first)
    desks = {topic for topic in poked if topic.startswith("desk:")}
    assert desks == {match.desk_topic for match in list_matches(first)}
