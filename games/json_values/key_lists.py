"""Queries for many rows by key, without one placeholder for each key."""

import json
from collections.abc import Collection

from django.db import connection
from django.db.models.expressions import RawSQL

# PostgreSQL types of text keys and integer keys.
_ARRAYS = {str: "text", int: "bigint"}


def match_any(keys: Collection[int] | Collection[str]) -> RawSQL:
    """Return these keys as a single value for `column__in=`.

    Parsing a thousand placeholders takes longer than fetching the rows.
    """
    given = list(keys)
    if connection.vendor != "postgresql":
        return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(given)])
    kind = _ARRAYS[type(given[0])] if given else "bigint"
    return RawSQL(f"SELECT unnest(%s::{kind}[])", [given])  # noqa: S611
