"""Tests of sessions with invalid keys in the cookie."""

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DjangosStore
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tournament.site.sessions import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_session_stored_by_djangos_backend_is_readable() -> None:
    before = DjangosStore()
    before["cards"] = 7
    before.save()
    assert dict(SessionStore(before.session_key).items()) == {"cards": 7}


def test_session_key_with_nul_characters_is_not_looked_up() -> None:
    with CaptureQueriesContext(connection) as asked:
        session = SessionStore("\0" * 32)
        assert (dict(session.items()), session.session_key) == ({}, None)
    assert len(asked) == 0


@pytest.mark.parametrize("key", [r'"\000aaaaaaaaaaaa"', "a' OR '' = '", "a" * 7])
def test_invalid_session_cookie_is_treated_as_anonymous(client: Client, key: str) -> None:
    # Sent as a header, because Python's cookie classes reject some of these values.
    cookie = {"cookie": f"{settings.SESSION_COOKIE_NAME}={key}"}
    assert client.get(reverse("account_login"), headers=cookie).status_code == 200
