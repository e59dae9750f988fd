"""Sessions are Django's own, whatever a cookie holds."""

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore as DjangosStore
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tournament.site.sessions import SessionStore

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_a_session_from_before_is_read_as_it_was() -> None:
    before = DjangosStore()
    before["cards"] = 7
    before.save()
    assert dict(SessionStore(before.session_key).items()) == {"cards": 7}


def test_nobody_asks_for_a_key_that_no_session_can_have() -> None:
    with CaptureQueriesContext(connection) as asked:
        session = SessionStore("\0" * 32)
        assert (dict(session.items()), session.session_key) == ({}, None)
    assert len(asked) == 0


@pytest.mark.parametrize("key", [r'"\000aaaaaaaaaaaa"', "a' OR '' = '", "a" * 7])
def test_a_cookie_that_is_no_session_s_makes_a_visitor(client: Client, key: str) -> None:
    # As a header: Python's own cookies refuse to be made of some of these.
    cookie = {"cookie": f"{settings.SESSION_COOKIE_NAME}={key}"}
    assert client.get(reverse("account_login"), headers=cookie).status_code == 200
