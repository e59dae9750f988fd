"""Tests of facts about matches: whose turn it is, the current hand and presence."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import facts, services
from games.facts import SiteOutage
from games.models import Match, Outage
from tests.games.helpers import act, begin
from tests.games.unsaved import seconds_after_noon
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_match() -> Match:
    return begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4 B1 B2")


def reload(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def test_seat_to_act_is_known_during_a_hand() -> None:
    playing = make_match()
    assert facts.turn_seat(reload(playing)) == 0
    act(playing, 0, {"play": "R1"})
    assert facts.turn_seat(reload(playing)) == 1


def test_no_seat_is_to_act_after_the_match() -> None:
    playing = make_match()
    services.abandon_match(playing, "The hall closes.")
    assert facts.turn_seat(reload(playing)) is None
    assert facts.turn(playing.pk, reload(playing).version) is None


def test_turn_shows_only_the_cards_of_its_seat() -> None:
    playing = make_match()
    turn = facts.turn(playing.pk, 1)
    assert turn is not None
    assert (turn.seat.number, turn.version) == (0, 1)
    assert turn.view()["cards"] == ["R1", "R2"]
    assert turn.view() == turn.view()


def test_hand_in_play_is_the_latest_hand() -> None:
    playing = make_match()
    assert (facts.hand_in_play(reload(playing)), facts.latest_hand(reload(playing))) == (1, 1)


def test_recently_heard_player_is_present() -> None:
    seat = make_match().seats.all()[0]
    now = timezone.now()
    assert not facts.is_present(seat, now)
    services.record_presence([seat.pk])
    seat.refresh_from_db()
    assert facts.is_present(seat, now)
    assert not facts.is_present(seat, now + timedelta(seconds=20))


def test_player_heard_at_any_table_is_connected() -> None:
    first, second = make_match().seats.order_by("number")[:2]
    assert first.user is not None
    assert second.user is not None
    services.record_presence([first.pk])
    now = timezone.now()
    later = now + timedelta(seconds=20)
    found = [facts.is_connected(user.pk, now) for user in (first.user, second.user)]
    assert found == [True, False]
    assert not facts.is_connected(first.user.pk, later)


def create_outage(began: datetime, **seconds: float) -> None:
    Outage.objects.create(after=began, began=began, **seconds)


def test_outages_exclude_clock_adjustments() -> None:
    create_outage(seconds_after_noon(-1), away=60)
    create_outage(seconds_after_noon(0), away=0.5)
    create_outage(seconds_after_noon(5), step=30)
    create_outage(seconds_after_noon(9), away=23, step=2)
    assert facts.list_outages(seconds_after_noon(0)) == [
        SiteOutage(seconds_after_noon(0), timedelta(seconds=0.5)),
        SiteOutage(seconds_after_noon(9), timedelta(seconds=23)),
    ]


def test_turn_has_its_seat_start_and_rules() -> None:
    playing = make_match()
    act(playing, 0, {"play": "R1"})
    version = reload(playing).version
    turn = facts.turn(playing.pk, version)
    assert turn is not None
    assert (turn.seat.number, turn.version, turn.rules.key) == (1, version, "uno-400")
    assert turn.began == facts.turn_start(reload(playing))
    assert turn.view()["cards"] == ["R3", "R4"]


def test_player_with_an_open_socket_is_connected_whenever_last_seen() -> None:
    playing = make_match()
    first, second, third = playing.seats.order_by("number")
    now = timezone.now()
    playing.seats.filter(pk=first.pk).update(here="p1", seen_at=now - timedelta(hours=1))
    playing.seats.filter(pk=second.pk).update(here="", seen_at=now - timedelta(seconds=8))
    playing.seats.filter(pk=third.pk).update(here="", seen_at=now - timedelta(seconds=10))
    users = [seat.user_id for seat in (first, second, third)]
    assert [facts.is_connected(user, now) for user in users if user] == [True, True, False]


def test_only_matches_with_an_action_count_as_played() -> None:
    begun, played = make_match(), make_match()
    act(played, 0, {"play": "R1"})
    both = Match.objects.filter(pk__in=[begun.pk, played.pk])
    assert list(facts.filter_played(both)) == [played]


def test_missing_player_counts_as_arriving_for_a_minute() -> None:
    playing = make_match()
    seat = playing.seats.all()[0]
    started = sure(playing.started_at)
    assert facts.is_arriving(playing, seat, started + timedelta(seconds=59.9))
    assert not facts.is_arriving(playing, seat, started + timedelta(seconds=60))
    services.record_presence([seat.pk])
    seat.refresh_from_db()
    assert not facts.is_arriving(playing, seat, started)
