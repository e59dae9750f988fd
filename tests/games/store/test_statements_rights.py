"""Tests of the rights to write: account or guest, session and seat must belong together."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from games import store
from games.models import Match, Seat
from games.play import notes
from games.store import MatchChange, Rights, RightsLostError
from tests.games.helpers import begin
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_session(expires: timedelta = timedelta(hours=1)) -> str:
    """Create a session that expires after this duration, and return its key."""
    kept = SessionStore()
    kept.create()
    key = kept.session_key
    assert key is not None
    Session.objects.filter(session_key=key).update(expire_date=timezone.now() + expires)
    return key


@pytest.fixture
def match() -> Match:
    return begin(["R1 R2 R3", "R4 R5 R6"], "R7")


def get_seat(match: Match) -> Seat:
    return match.seats.select_related("user").get(number=0)


def make_account_rights(match: Match, **changes: Any) -> Rights:
    one = get_seat(match)
    assert one.user is not None
    known = {"seat": one.pk, "holder": one.user.pk, "password": one.user.password}
    return Rights(**{**known, "session": make_session(), **changes})


def make_guest_rights(match: Match, **changes: Any) -> Rights:
    Seat.objects.filter(pk=get_seat(match).pk).update(user=None, guest="abc")
    known = {"seat": get_seat(match).pk, "holder": "abc", "password": "", "session": make_session()}
    return Rights(**{**known, **changes})


@pytest.mark.parametrize("make_rights", [make_account_rights, make_guest_rights])
def test_rights_hold_while_nothing_has_changed(make_rights: Any, match: Match) -> None:
    rights = make_rights(match)
    assert rights.hold()
    rights.check()


@pytest.mark.parametrize(
    "changed",
    [
        {"seat": 0},
        {"session": "0123456789abcdef0123456789abcdef"},
        {"session": ""},
    ],
)
@pytest.mark.parametrize("make_rights", [make_account_rights, make_guest_rights])
def test_wrong_seat_or_session_has_no_rights(
    make_rights: Any, changed: dict[str, Any], match: Match
) -> None:
    rights = make_rights(match, **changed)
    assert not rights.hold()
    with pytest.raises(RightsLostError):
        rights.check()


@pytest.mark.parametrize("make_rights", [make_account_rights, make_guest_rights])
def test_expired_session_has_no_rights(make_rights: Any, match: Match) -> None:
    assert not make_rights(match, session=make_session(timedelta(seconds=-1))).hold()


def test_changed_password_or_inactive_account_has_no_rights(match: Match) -> None:
    assert not make_account_rights(match, password="another").hold()
    rights = make_account_rights(match)
    User.objects.filter(pk=rights.holder).update(is_active=False)
    assert not rights.hold()


def test_player_who_left_the_seat_has_no_rights(match: Match) -> None:
    account, guest = make_account_rights(match), make_guest_rights(match)
    assert (account.hold(), guest.hold()) == (False, True)
    Seat.objects.filter(pk=guest.seat).update(guest="other")
    assert not guest.hold()


@pytest.mark.parametrize("make_rights", [make_account_rights, make_guest_rights])
def test_write_without_rights_changes_nothing(make_rights: Any, match: Match) -> None:
    live = store.load(match.pk)
    for rights, error in (
        (make_rights(match, session=""), RightsLostError),
        (make_rights(match), None),
    ):
        change = MatchChange.from_snapshots(live, timezone.now())
        change.rights = rights
        notes.add(change, "played-on")
        if error is None:
            assert store.commit(change).version == live.version + 1
            continue
        with pytest.raises(error):
            store.commit(change)
        assert Match.objects.get(pk=match.pk).version == live.version
