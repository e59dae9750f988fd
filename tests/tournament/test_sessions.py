"""Sessions are written once by the request that they begin with, and belong to nobody else."""

import pytest
from django.contrib.sessions.backends.base import CreateError
from django.contrib.sessions.backends.db import SessionStore as DjangosStore
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.visitors import asha, sign_in
from tournament.plumbing.sessions import SessionStore

pytestmark = pytest.mark.django_db


def kept(key: str | None) -> dict[str, object]:
    return dict(SessionStore(key).items())


def test_a_new_session_is_written_with_all_that_it_has() -> None:
    session = SessionStore()
    session.create()
    session["cards"] = 7
    assert Session.objects.count() == 0
    session.save()
    assert kept(session.session_key) == {"cards": 7}


def test_what_a_session_had_before_its_key_stays_in_it() -> None:
    session = SessionStore()
    session["cards"] = 7
    session.save()
    session["cards"] = 8
    session.save()
    assert kept(session.session_key) == {"cards": 8}
    assert Session.objects.count() == 1


def test_another_key_ends_the_one_before_and_keeps_what_was_there() -> None:
    session = SessionStore()
    session["cards"] = 7
    session.save()
    before = session.session_key
    session.cycle_key()
    session.save()
    assert before != session.session_key
    assert (kept(before), kept(session.session_key)) == ({}, {"cards": 7})


def test_a_key_that_another_session_has_is_not_taken_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    theirs = SessionStore()
    theirs["cards"] = 7
    theirs.save()
    key = theirs.session_key
    monkeypatch.setattr("tournament.plumbing.sessions.get_random_string", lambda *_given: key)
    session = SessionStore()
    session["cards"] = 8
    with pytest.raises(CreateError):
        session.save()
    assert kept(key) == {"cards": 7}


def test_a_session_from_before_is_read_as_it_was() -> None:
    before = DjangosStore()
    before["cards"] = 7
    before.save()
    assert kept(before.session_key) == {"cards": 7}


def test_a_session_that_has_ended_or_never_was_has_no_key_any_more() -> None:
    ended = SessionStore()
    ended["cards"] = 7
    ended.set_expiry(-1)
    ended.save()
    for key in (ended.session_key, "a" * 32):
        session = SessionStore(key)
        assert (dict(session.items()), session.session_key) == ({}, None)


@pytest.mark.parametrize("key", ["\0" * 32, "ab-" * 10, "a' OR '' = '", "a" * 7, ""])
def test_a_key_that_no_session_can_have_is_none_and_nobody_asks_for_it(key: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        session = SessionStore(key)
        assert (dict(session.items()), session.session_key) == ({}, None)
    assert len(asked) == 0


def test_signing_in_writes_the_session_once_and_lets_in() -> None:
    user, client = asha(), Client()
    with CaptureQueriesContext(connection) as asked:
        sign_in(client)
    of_sessions = [each["sql"].split()[0] for each in asked if "django_session" in each["sql"]]
    assert of_sessions == ["INSERT"]
    assert client.session["_auth_user_id"] == str(user.pk)
