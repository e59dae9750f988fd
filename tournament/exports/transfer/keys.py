"""Ids for rows that move between machines. Two machines must never assign the same id.

After importing an event, this machine takes new ids from a random range, so that its new rows do
not conflict with rows on the other machine.
"""

import secrets
from collections.abc import Iterable

from django.db import connection
from django.db.models import Max, Model

# Number of ids in a range. Thousands of ranges fit below JavaScript's limit for exact integers.
RANGE_SIZE = 2**36
# Maximum number of ranges that one import skips.
MAX_SKIPPED_RANGES = 2**11


def reserve_id_range(models: Iterable[type[Model]]) -> None:
    """Assign ids from a random range to new rows of these models."""
    models = list(models)
    highest = max(model._default_manager.aggregate(key=Max("pk"))["key"] or 0 for model in models)
    start = (highest // RANGE_SIZE + 1 + secrets.randbelow(MAX_SKIPPED_RANGES)) * RANGE_SIZE
    for model in models:
        _SET_SEQUENCE[connection.vendor](model._meta.db_table, start)


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


_SET_SEQUENCE = {"sqlite": _set_sqlite_sequence, "postgresql": _set_postgresql_sequence}
