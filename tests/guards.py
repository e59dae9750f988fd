"""Bypass for the triggers that protect histories and logs.

It simulates an attacker with full access to the database.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper

SQLITE = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"


@contextmanager
def open_unguarded_cursor() -> Iterator[CursorWrapper]:
    """Drop the guards in the current transaction, provide a cursor, and restore the guards."""
    with connection.cursor() as cursor:
        guards = _drop_guards(cursor)
        yield cursor
        for statement in guards:
            cursor.execute(statement)


def _drop_guards(cursor: CursorWrapper) -> list[str]:
    """Drop the guards, and return the statements that restore them."""
    if connection.vendor == "postgresql":
        # A replica runs no triggers, not even those of foreign keys.
        cursor.execute("SET LOCAL session_replication_role = replica")
        return ["SET LOCAL session_replication_role = DEFAULT"]
    found = cursor.execute(SQLITE).fetchall()
    for name, _statement in found:
        cursor.execute(f"DROP TRIGGER {name}")
    return [statement for _name, statement in found]
