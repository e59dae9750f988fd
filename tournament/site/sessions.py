"""Django's database sessions, restricted to keys that a database can look up."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Session store that rejects invalid keys from cookies.

    A cookie may contain anything. PostgreSQL fails on a NUL, which no real key contains.
    """

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(None if "\0" in (session_key or "") else session_key)
