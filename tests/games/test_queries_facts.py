"""What lists of matches may ask of one: whose turn, which hand, who is here."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.models import Match
from games.queries import facts
from tests.games.helpers import act, begin

pytestmark = pytest.mark.django_db


def match() -> Match:
    return begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4 B1 B2")


def again(played: Match) -> Match:
    return Match.objects.get(pk=played.pk)


def test_the_seat_to_act_is_told_while_a_hand_is_played() -> None:
    playing = match()
    assert facts.turn_seat(again(playing)) == 0
    act(playing, 0, {"play": "R1"})
    assert facts.turn_seat(again(playing)) == 1


def test_nobody_is_to_act_once_the_match_is_over() -> None:
    playing = match()
    services.abandon_match(playing, "The hall closes.")
    assert facts.turn_seat(again(playing)) is None
    assert facts.turn(playing.pk, again(playing).version) is None


def test_a_turn_has_the_view_of_its_seat_and_of_no_other() -> None:
    playing = match()
    turn = facts.turn(playing.pk, 1)
    assert turn is not None
    assert (turn.seat.number, turn.version) == (0, 1)
    assert turn.view()["cards"] == ["R1", "R2"]
    assert turn.view() == turn.view()


def test_the_hand_in_play_is_the_hand_shown_until_the_match_is_over() -> None:
    playing = match()
    assert (facts.hand_in_play(again(playing)), facts.hand_shown(again(playing))) == (1, 1)


def test_who_was_heard_lately_is_present() -> None:
    seat = match().seats.all()[0]
    now = timezone.now()
    assert not facts.present(seat, now)
    services.heard([seat.pk])
    seat.refresh_from_db()
    assert facts.present(seat, now)
    assert not facts.present(seat, now + timedelta(seconds=20))


def test_whose_device_was_heard_at_any_table_is_connected() -> None:
    first, second = match().seats.order_by("number")[:2]
    assert first.user is not None
    assert second.user is not None
    services.heard([first.pk])
    now = timezone.now()
    later = now + timedelta(seconds=20)
    told = [facts.connected(user.pk, now) for user in (first.user, second.user)]
    assert told == [True, False]
    assert not facts.connected(first.user.pk, later)
