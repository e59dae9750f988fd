"""Django's sessions in the database, for keys that a database can be asked for."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """A cookie may have anything in it: PostgreSQL fails at a NUL, and no key has one."""

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(None if "\0" in (session_key or "") else session_key)
