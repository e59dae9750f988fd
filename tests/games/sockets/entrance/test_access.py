"""Tests of access to a match: who may see it or act in it, and by which session."""

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
    identify,
    session_key,
    still_valid,
)
from games.store import Rights
from tests.factories import make_user
from tests.games.helpers import make_match
from tests.games.unsaved import NOON
from tournament.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return make_match(people=2)


def owner(match: Match, number: int = 0) -> User:
    user = match.seats.get(number=number).user
    assert user is not None
    return user


def practice_of(holder: Guest) -> Match:
    """Create a practice match in which this guest sits in seat 0."""
    match = make_match(people=1, bots=1, practice=True)
    match.seats.filter(number=0).update(user=None, guest=holder.key)
    return match


def number(match: Match, user: Any) -> int | None:
    return access.admit(match.public_id, user).number


def test_everybody_may_watch_and_who_has_a_seat_sits_there(match: Match) -> None:
    visitors = (None, AnonymousUser(), make_user(), Guest("abc"))
    assert [number(match, user) for user in visitors] == [None] * 4
    assert [number(match, owner(match, seat)) for seat in (0, 1)] == [0, 1]


def test_a_guest_has_no_seat_in_a_match_that_is_no_practice(match: Match) -> None:
    match.seats.filter(number=0).update(user=None, guest="abc")
    assert number(match, Guest("abc")) is None


def test_a_practice_is_its_player_s_alone() -> None:
    own, other = practice_of(Guest("abc")), make_match(people=1, bots=1, practice=True)
    assert number(own, Guest("abc")) == 0
    assert number(other, owner(other)) == 0
    for match, user in ((own, Guest("x")), (own, make_user()), (own, None), (other, Guest("abc"))):
        with pytest.raises(Match.DoesNotExist):
            access.admit(match.public_id, user)


def test_a_match_that_is_not_there_is_not_found() -> None:
    with pytest.raises(Match.DoesNotExist):
        access.admit("nowhere", make_user())


# --- commentators


class Leave(NoCommentary):
    """All cards are open to one user since NOON, by the session "proved"."""

    def __init__(self, user: User) -> None:
        self.user = user

    def commentator_since(self, match: int, user: Any) -> datetime | None:
        return NOON if user == self.user else None

    def is_proven(self, user: Any, session_key: str) -> bool:
        return session_key == "proved"


@pytest.fixture
def commentator(monkeypatch: pytest.MonkeyPatch) -> User:
    user = make_user()
    monkeypatch.setattr(access, "_get_commentary", lambda: Leave(user))
    return user


def test_a_commentator_sees_a_match_by_a_session_that_has_proved_who_it_is(
    match: Match, commentator: User
) -> None:
    admission = access.admit_commentator(match.public_id, commentator, "proved")
    assert (admission.match, admission.seat) == (match, None)
    assert access.commentator_since(match.pk, commentator) == NOON
    assert access.commentator_since(match.pk, None) is None


def test_without_leave_proof_or_with_a_seat_nobody_sees_all_cards(
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
def test_a_session_is_named_by_its_cookie(headers: list[tuple[bytes, bytes]], key: str) -> None:
    assert session_key({"headers": headers}) == key


def session_of(client: Any, user: User | None = None, **known: str) -> str:
    """Return the key of a session in which `user` is signed in, or that holds `known`."""
    if user is not None:
        client.force_login(user)
    session = client.session
    session.update(known)
    session.save()
    client.cookies["sessionid"] = session.session_key
    key: str = session.session_key
    return key


def test_who_is_behind_a_session(client: Any) -> None:
    assert identify("") is None
    assert identify(session_of(client, other="1")) is None
    guest = session_of(client, guest="abc")
    assert identify(guest) == Identity(Guest("abc"), guest)
    user = make_user()
    key = session_of(client, user)
    assert identify(key) == Identity(user, key, user.password)


def test_a_session_that_has_ended_or_whose_account_may_not_sign_in_is_gone(client: Any) -> None:
    with pytest.raises(SessionEndedError):
        identify("0123456789abcdef0123456789abcdef")
    user = make_user()
    key = session_of(client, user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    with pytest.raises(SessionEndedError):
        identify(key)


@pytest.mark.parametrize(
    ("user", "guest", "holder"), [(Guest("abc"), True, "abc"), (User(pk=7), False, 7)]
)
def test_what_a_seat_of_an_identity_says(user: Any, guest: bool, holder: Holder) -> None:
    identity = Identity(user, "key", "hash")
    assert (identity.guest, identity.holder) == (guest, holder)
    assert access.rights(3, identity) == Rights(3, holder, "hash", "key")


def test_an_identity_is_valid_as_long_as_session_and_account_are_as_they_were(
    client: Any, django_assert_num_queries: Any
) -> None:
    user = make_user()
    signed_in = identify(session_of(client, user))
    assert signed_in is not None
    client.logout()
    key = session_of(client, user)
    again = identify(key)
    guest = identify(session_of(type(client)(), guest="abc"))
    assert again is not None
    assert guest is not None
    with django_assert_num_queries(2):
        valid = still_valid([signed_in, again, guest])
    assert valid == {again.session_key, guest.session_key}
    User.objects.filter(pk=user.pk).update(password="another")
    assert still_valid([again, guest]) == {guest.session_key}


def test_who_may_not_sign_in_any_more_is_not_valid(client: Any) -> None:
    user = make_user()
    known = identify(session_of(client, user))
    assert known is not None
    assert still_valid([known]) == {known.session_key}
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert still_valid([known]) == set()
