"""Tests of guests, who practise without an account."""

from datetime import timedelta
from typing import Any, cast

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.http import HttpRequest

from games import guests
from games.guests import Guest
from tournament.models import User


class Session(dict[str, Any]):
    """A session that notes for how long it is kept."""

    kept: int | None = None

    def set_expiry(self, seconds: int) -> None:
        self.kept = seconds


def request(session: Session, user: object = None) -> HttpRequest:
    made = HttpRequest()
    made.session = cast(Any, session)
    made.user = cast(Any, user or AnonymousUser())
    return made


def test_every_guest_is_another_one_and_signed_in_nowhere() -> None:
    keys = {Guest().key for _ in range(50)}
    assert len(keys) == 50
    assert {len(key) for key in keys} == {24}
    assert (Guest().pk, Guest().is_authenticated) == (None, False)


def test_a_guest_is_known_by_the_session_for_a_day_from_when_they_play() -> None:
    session, guest = Session(), Guest("abc")
    assert guests.guest_in(session) is None
    guests.remember(request(session), guest)
    assert guests.guest_in(session) == guest
    assert session.kept == timedelta(days=1).total_seconds()


@pytest.mark.parametrize("session", [Session(), Session(guest="")])
def test_a_session_without_a_guest_is_nobody_s(session: Session) -> None:
    assert guests.guest_in(session) is None
    assert guests.no_longer_guest(request(session)) is None


def test_a_guest_who_signs_in_is_told_of_once() -> None:
    session = Session(guest="abc", other=1)
    assert guests.no_longer_guest(request(session)) == Guest("abc")
    assert session == {"other": 1}
    assert guests.no_longer_guest(request(session)) is None


def test_an_account_comes_before_a_guest_and_a_guest_before_a_visitor() -> None:
    user, visitor = User(pk=7), AnonymousUser()
    with_guest = Session(guest="abc")
    assert guests.player_of(request(with_guest, user)) is user
    assert guests.player_of(request(with_guest, visitor)) == Guest("abc")
    assert guests.player_of(request(Session(), visitor)) is visitor


@pytest.mark.parametrize(
    ("player", "holder", "seats", "paths"),
    [
        (Guest("abc"), "abc", Q(guest="abc"), Q(seats__guest="abc")),
        (
            User(pk=7),
            7,
            Q(user=7, user__isnull=False),
            Q(seats__user=7, seats__user__isnull=False),
        ),
        (
            AnonymousUser(),
            None,
            Q(user=None, user__isnull=False),
            Q(seats__user=None, seats__user__isnull=False),
        ),
    ],
    ids=["guest", "account", "visitor"],
)
def test_whose_a_seat_is(player: Any, holder: object, seats: Q, paths: Q) -> None:
    assert guests.holder_of(player) == holder
    assert guests.held_by(player) == seats
    assert guests.held_by(player, "seats__") == paths
