"""Tests of access to a match: permission to see it or act in it, and sessions."""

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from games.apps import NoCommentary
from games.guests import Guest
from games.models import Match
from games.seats import Holder
from games.sockets.entrance import access
from games.sockets.entrance.identity import (
    Identity,
    SessionEndedError,
    find_valid_keys,
    identify,
    session_key,
)
from tests.factories import make_user
from tests.games.helpers import make_match
from tests.games.unsaved import NOON
from tournament.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return make_match(people=2)


def get_seat_owner(match: Match, number: int = 0) -> User:
    user = match.seats.get(number=number).user
    assert user is not None
    return user


def make_practice_match(holder: Guest) -> Match:
    """Create a practice match in which this guest sits in seat 0."""
    match = make_match(people=1, bots=1, practice=True)
    match.seats.filter(number=0).update(user=None, guest=holder.key)
    return match


def get_admitted_seat(match: Match, user: Any) -> int | None:
    return access.admit(match.public_id, user).number


def test_anyone_can_watch_and_a_seat_holder_gets_their_seat(match: Match) -> None:
    visitors = (None, AnonymousUser(), make_user(), Guest("abc"))
    assert [get_admitted_seat(match, user) for user in visitors] == [None] * 4
    assert [get_admitted_seat(match, get_seat_owner(match, seat)) for seat in (0, 1)] == [0, 1]


def test_guest_has_no_seat_outside_practice(match: Match) -> None:
    match.seats.filter(number=0).update(user=None, guest="abc")
    assert get_admitted_seat(match, Guest("abc")) is None


def test_practice_table_is_private_to_its_player() -> None:
    own, other = make_practice_match(Guest("abc")), make_match(people=1, bots=1, practice=True)
    assert get_admitted_seat(own, Guest("abc")) == 0
    assert get_admitted_seat(other, get_seat_owner(other)) == 0
    for match, user in ((own, Guest("x")), (own, make_user()), (own, None), (other, Guest("abc"))):
        with pytest.raises(Match.DoesNotExist):
            access.admit(match.public_id, user)


def test_missing_match_is_not_found() -> None:
    with pytest.raises(Match.DoesNotExist):
        access.admit("nowhere", make_user())


# --- commentators


class CommentatorPermission(NoCommentary):
    """Permission for one user to see all cards since NOON, in the session "proved"."""

    def __init__(self, user: User) -> None:
        self.user = user

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        return NOON if user == self.user else None

    def is_proven(self, user: Any, session_key: str) -> bool:
        return session_key == "proved"


@pytest.fixture
def commentator(monkeypatch: pytest.MonkeyPatch) -> User:
    user = make_user()
    monkeypatch.setattr(access, "_get_commentary", lambda: CommentatorPermission(user))
    return user


def test_commentator_with_a_verified_session_sees_the_match(
    match: Match, commentator: User
) -> None:
    admission = access.admit_commentator(match.public_id, commentator, "proved")
    assert (admission.match, admission.seat) == (match, None)
    assert access.commentator_since(match.pk, commentator) == NOON
    assert access.commentator_since(match.pk, None) is None


def test_commentary_needs_permission_verification_and_no_seat(
    match: Match, commentator: User
) -> None:
    own = make_match(people=1, bots=1)
    own.seats.filter(number=0).update(user=commentator)
    for where, user, session in (
        (match, commentator, "other"),
        (match, make_user(), "proved"),
        (own, commentator, "proved"),
    ):
        with pytest.raises(Match.DoesNotExist):
            access.admit_commentator(where.public_id, user, session)


# --- sessions


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ([], ""),
        ([(b"cookie", b"sessionid=abc")], "abc"),
        ([(b"cookie", b"x=1; sessionid=abc; y=2")], "abc"),
        ([(b"cookie", b"x=1"), (b"cookie", b"sessionid=abc")], "abc"),
        ([(b"cookie", b"sessionid=")], ""),
        ([(b"x-cookie", b"sessionid=abc")], ""),
        ([(b"cookie", b"xsessionid=abc")], ""),
    ],
)
def test_session_is_identified_by_its_cookie(headers: list[tuple[bytes, bytes]], key: str) -> None:
    assert session_key({"headers": headers}) == key


def make_session(client: Any, user: User | None = None, **known: str) -> str:
    """Create a session of `user`, or one that stores `known`, and return its key."""
    if user is not None:
        client.force_login(user)
    session = client.session
    session.update(known)
    session.save()
    client.cookies["sessionid"] = session.session_key
    key: str = session.session_key
    return key


def test_session_resolves_to_its_account_or_guest(client: Any) -> None:
    assert identify("") is None
    assert identify(make_session(client, other="1")) is None
    guest = make_session(client, guest="abc")
    assert identify(guest) == Identity(Guest("abc"), guest)
    user = make_user()
    key = make_session(client, user)
    assert identify(key) == Identity(user, key, user.password)


def test_ended_session_or_inactive_account_is_rejected(client: Any) -> None:
    with pytest.raises(SessionEndedError):
        identify("0123456789abcdef0123456789abcdef")
    user = make_user()
    key = make_session(client, user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(SessionEndedError):
        identify(key)


@pytest.mark.parametrize(
    ("user", "guest", "holder"), [(Guest("abc"), True, "abc"), (User(pk=7), False, 7)]
)
def test_identity_determines_the_holder_of_a_seat(user: Any, guest: bool, holder: Holder) -> None:
    identity = Identity(user, "key")
    assert (identity.is_guest, identity.holder) == (guest, holder)


def test_identity_is_valid_while_session_and_account_are_unchanged(
    client: Any, django_assert_num_queries: Any
) -> None:
    user = make_user()
    signed_in = identify(make_session(client, user))
    assert signed_in is not None
    client.logout()
    key = make_session(client, user)
    again = identify(key)
    guest = identify(make_session(type(client)(), guest="abc"))
    assert again is not None
    assert guest is not None
    with django_assert_num_queries(2):
        valid = find_valid_keys([signed_in, again, guest])
    assert valid == {again.session_key, guest.session_key}
    User.objects.filter(pk=user.pk).update(password="another")
    assert find_valid_keys([again, guest]) == {guest.session_key}


def test_inactive_account_invalidates_the_identity(client: Any) -> None:
    user = make_user()
    known = identify(make_session(client, user))
    assert known is not None
    assert find_valid_keys([known]) == {known.session_key}
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert find_valid_keys([known]) == set()
