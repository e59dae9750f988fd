"""Queries that select rows by many keys, without a placeholder for each key."""

import json
from collections.abc import Collection

from django.db import connection
from django.db.models.expressions import RawSQL

# PostgreSQL types for text keys and integer keys.
_ARRAYS = {str: "text", int: "bigint"}


def match_any(keys: Collection[int] | Collection[str]) -> RawSQL:
    """Return an expression for `column__in=` that matches any of these keys.

    It passes the keys as a single value. Parsing a thousand placeholders would take longer than
    fetching the rows.
    """
    values = list(keys)
    if connection.vendor != "postgresql":
        return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(values)])
    kind = _ARRAYS[type(values[0])] if values else "bigint"
    return RawSQL(f"SELECT unnest(%s::{kind}[])", [values])  # noqa: S611
