"""Tests of the winner's announcement on hall screens: who is named, and for how long."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tournament.helpers import make_finished_final, make_organized_event, play_first_round
from tests.typed import sure
from tournament.advancing.services import announce_winner, reopen_event
from tournament.hall.winner_screen import (
    DISPLAY_TIME,
    count_seconds_left,
    find_announcement,
    find_winner_publication,
)
from tournament.models import Event, Table, User
from tournament.pure.ranking.freeze import NOT_FROZEN
from tournament.results.services import enter_result
from tournament.standings.freezing import freeze, thaw

pytestmark = pytest.mark.django_db

DISPLAY_SECONDS = int(DISPLAY_TIME.total_seconds())


def make_decided_event(points: list[int]) -> tuple[Event, User]:
    """Create an event whose final ended with these points by seat, and announce its winner."""
    event = make_finished_final(points)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    organizer = event.organizers.get()
    announce_winner(event, organizer)
    return reload(event), organizer


def reload(event: Event) -> Event:
    return Event.objects.get(pk=event.pk)


def list_seated_names(event: Event) -> list[str]:
    [table] = Table.objects.filter(round__stage__event=event)
    return [sure(seat.registration).name for seat in table.seats.order_by("number")]


def list_winners_and_podium(event: Event) -> tuple[list[str], list[list[str]]]:
    """Return the winners, and the names on each step of the podium."""
    found = sure(find_announcement(reload(event)))
    steps = [sorted(one.name for one in step.people) for step in found.podium.steps]
    return sorted(one.name for one in found.winner.shared), steps


def test_winner_screen_shows_the_winner_and_the_podium() -> None:
    event, _organizer = make_decided_event([100, 400, 300, 200])
    one, two, three, four = list_seated_names(event)
    assert list_winners_and_podium(event) == ([two], [[two], [three], [four]])
    assert one not in list_winners_and_podium(event)[1][2]


def test_tied_players_win_together() -> None:
    event, _organizer = make_decided_event([400, 400, 200, 100])
    one, two, three, _four = list_seated_names(event)
    both = sorted([one, two])
    assert list_winners_and_podium(event) == (both, [both, [three]])


def test_event_with_one_stage_of_rounds_has_a_winner_screen() -> None:
    event, organizer = make_organized_event(4)
    event.stages.filter(number=2).delete()
    event.stages.update(rounds_planned=1)
    play_first_round(event, organizer)
    announce_winner(event, organizer)
    one, two, three, _four = list_seated_names(event)
    assert list_winners_and_podium(event) == ([one], [[one], [two], [three]])
    assert sure(find_announcement(reload(event))).winner.table is None


def test_confetti_uses_the_suits_or_colours_of_the_deck() -> None:
    event, _organizer = make_decided_event([400, 300])
    assert set(sure(find_announcement(event)).shapes) == set("RYGB")
    Event.objects.update(ruleset="crazy-eights")
    assert set(sure(find_announcement(reload(event))).shapes) == set("SHDC")


def test_winner_screen_requires_a_current_announcement() -> None:
    event, organizer = make_decided_event([400, 300])
    reopen_event(event, organizer, "Too early.")
    assert find_announcement(reload(event)) is None
    assert count_seconds_left(reload(event), 0) == 0


def test_winner_screen_follows_a_correction_of_the_final() -> None:
    event, organizer = make_decided_event([400, 300, 0, 0])
    one, two, *_others = list_seated_names(event)
    assert list_winners_and_podium(event)[0] == [one]
    table = Table.objects.get(round__stage__event=event)
    enter_result(table, organizer, [200, 300, 0, 0], "Counted again.", override=True)
    assert list_winners_and_podium(event) == (
        [two],
        [[two], [one], sorted(list_seated_names(event)[2:])],
    )


def test_frozen_leaderboard_postpones_the_winner_screen() -> None:
    event, organizer = make_decided_event([400, 300])
    announced = sure(find_winner_publication(event))
    freeze(event, organizer)
    assert find_announcement(reload(event)) is None
    assert count_seconds_left(reload(event), 0) == 0
    thaw(reload(event), organizer)
    assert reload(event).freeze == NOT_FROZEN
    assert sure(find_winner_publication(reload(event))) > announced
    assert list_winners_and_podium(event)[0] == list_seated_names(event)[:1]


def test_winner_screen_is_shown_everywhere_for_a_few_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event, _organizer = make_decided_event([400, 300])
    since = sure(find_winner_publication(event))
    now = since + timedelta(seconds=60)
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert count_seconds_left(event, 0) == DISPLAY_SECONDS - 60
    now = since + DISPLAY_TIME
    assert count_seconds_left(event, 0) == 0


def test_dismissing_a_winner_screen_does_not_dismiss_the_next() -> None:
    event, organizer = make_decided_event([400, 300])
    first = sure(find_winner_publication(event))
    past = int(first.timestamp())
    assert count_seconds_left(event, past) == 0
    assert 0 < count_seconds_left(event, past - 1) <= DISPLAY_SECONDS
    reopen_event(event, organizer, "Too early.")
    announce_winner(reload(event), organizer)
    assert sure(find_winner_publication(reload(event))) > first


def test_event_imported_without_its_log_shows_no_winner_screen() -> None:
    event = make_finished_final([400, 300])
    assert (find_winner_publication(event), count_seconds_left(event, 0)) == (None, 0)
    assert list_winners_and_podium(event)[0] == list_seated_names(event)[:1]
