"""Sessions in the database. A new one is written once, by the request that it begins with.

Django's own asks whether a key is free, takes it with a row that has nothing in it, and writes the
row again at the request's end: a query and a commit more for everybody of a hall that signs in.
"""

import re

from django.contrib.sessions.backends import base, db
from django.db import connection
from django.utils import timezone
from django.utils.crypto import get_random_string

KEY_LENGTH = 32
KEY = re.compile(r"[a-z0-9]{8,40}")
ASKED = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(db.SessionStore):
    _unwritten = False

    def load(self) -> dict[str, object]:
        """Written out, as every page of whoever is signed in begins with it: put together by the
        ORM it takes four times as long."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(ASKED, [self.session_key, now])
            found = cursor.fetchone()
        if found is None:
            self._session_key = None
            return {}
        kept: dict[str, object] = self.decode(found[0])
        return kept

    def _validate_session_key(self, key: str | None) -> bool:
        """A cookie may have anything in it: PostgreSQL fails at a NUL, and no key has one."""
        return KEY.fullmatch(key or "") is not None

    def create(self) -> None:
        """Take a key of 165 random bits. Should somebody have it, `save` finds out."""
        self._session_cache: dict[str, object] = getattr(self, "_session_cache", {})
        self._session_key = get_random_string(KEY_LENGTH, base.VALID_KEY_CHARS)
        self._unwritten = self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Raises CreateError where a new key is another session's, which stays as it is."""
        if self.session_key is None:
            self.create()
        super().save(must_create or self._unwritten)
        self._unwritten = False
