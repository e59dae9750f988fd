"""Database sessions that ignore keys that the database cannot look up."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Session store that ignores invalid keys in cookies.

    A cookie can contain anything. PostgreSQL rejects NUL characters, which no real key has.
    """

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(None if "\0" in (session_key or "") else session_key)
