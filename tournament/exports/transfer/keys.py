"""Keys of rows from other machines, which are kept, so no two machines may assign the same.

After importing an event, this machine assigns keys from a space of its own, drawn by lot.
Rows that are created here from then on have keys that no other machine assigns, and can
return without a clash.
"""

import secrets
from collections.abc import Iterable

from django.db import connection
from django.db.models import Max, Model

# Keys in a space, small enough for many spaces below JavaScript's integer limit.
SPACE = 2**36
# A machine may skip at most this many spaces in one jump.
FARTHEST = 2**11


def count_apart(models: Iterable[type[Model]]) -> None:
    """Make new rows of these models get keys above a number drawn by lot."""
    models = list(models)
    highest = max(_find_highest(model) for model in models)
    start = (highest // SPACE + 1 + secrets.randbelow(FARTHEST)) * SPACE
    for model in models:
        _COUNT_FROM[connection.vendor](model._meta.db_table, start)


def _find_highest(model: type[Model]) -> int:
    return model._default_manager.aggregate(key=Max("pk"))["key"] or 0


def _set_sqlite_sequence(table: str, start: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [start, table])
        if not cursor.rowcount:
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, start]
            )


def _set_postgresql_sequence(table: str, start: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [table, start])


_COUNT_FROM = {"sqlite": _set_sqlite_sequence, "postgresql": _set_postgresql_sequence}
