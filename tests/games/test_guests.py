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


class FakeSession(dict[str, Any]):
    """Session that records its expiry in seconds."""

    expiry: int | None = None

    def set_expiry(self, seconds: int) -> None:
        self.expiry = seconds


def make_request(session: FakeSession, user: object = None) -> HttpRequest:
    made = HttpRequest()
    made.session = cast(Any, session)
    made.user = cast(Any, user or AnonymousUser())
    return made


def test_each_guest_is_distinct_and_signed_out() -> None:
    keys = {Guest().key for _ in range(50)}
    assert len(keys) == 50
    assert {len(key) for key in keys} == {24}
    assert (Guest().pk, Guest().is_authenticated) == (None, False)


def test_guest_session_expires_after_a_day() -> None:
    session, guest = FakeSession(), Guest("abc")
    assert guests.find_guest(session) is None
    guests.store_guest(make_request(session), guest)
    assert guests.find_guest(session) == guest
    assert session.expiry == timedelta(days=1).total_seconds()


@pytest.mark.parametrize("session", [FakeSession(), FakeSession(guest="")])
def test_session_may_have_no_guest(session: FakeSession) -> None:
    assert guests.find_guest(session) is None
    assert guests.remove_guest(make_request(session)) is None


def test_guest_is_removed_from_the_session_only_once() -> None:
    session = FakeSession(guest="abc", other=1)
    assert guests.remove_guest(make_request(session)) == Guest("abc")
    assert session == {"other": 1}
    assert guests.remove_guest(make_request(session)) is None


def test_account_takes_priority_over_guest_and_guest_over_visitor() -> None:
    user, visitor = User(pk=7), AnonymousUser()
    with_guest = FakeSession(guest="abc")
    assert guests.player_of(make_request(with_guest, user)) is user
    assert guests.player_of(make_request(with_guest, visitor)) == Guest("abc")
    assert guests.player_of(make_request(FakeSession(), visitor)) is visitor


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
def test_holder_and_seat_filter_depend_on_the_player(
    player: Any, holder: object, seats: Q, paths: Q
) -> None:
    assert guests.holder_of(player) == holder
    assert guests.held_by(player) == seats
    assert guests.held_by(player, "seats__") == paths
