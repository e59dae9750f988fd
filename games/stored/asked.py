"""Questions that come with nearly every page: their statements are put together once.

Django's ORM puts a statement together anew each time: for a row or two that takes five times as
long as the database needs for its answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.expressions import Col

Row = TypeVar("Row", bound=models.Model)
# A place in a row, and what makes of the database's value the model's.
Conversion = tuple[int, Callable[[Any, Any, Any], Any], Any]


@dataclass(frozen=True, eq=False)
class Asked(Generic[Row]):
    """A query set whose values come later: `build` makes it of one value for each of `kinds`.

    It is built once, of marks, and asked with any values: whole numbers, text or moments, that are
    compared as they are and neither None nor lists. Only the model's own columns are read.
    """

    build: Callable[..., "models.QuerySet[Row, Any]"]
    kinds: tuple[type, ...] = (int,)

    def rows(self, *values: int | str | datetime) -> list[Row]:
        """What the query set of these values has, as objects."""
        kept, found = self._found(values)
        return [kept.model.from_db(DEFAULT_DB_ALIAS, kept.names, each) for each in found]

    def first(self, *values: int | str | datetime) -> Row | None:
        """The first of them; the query set should not ask for more."""
        rows = self.rows(*values)
        return rows[0] if rows else None

    def values(self, *values: int | str | datetime) -> list[list[Any]]:
        """Its columns, without an object."""
        return self._found(values)[1]

    def _found(self, values: Sequence[Any]) -> "tuple[_Statement, list[list[Any]]]":
        database = connections[DEFAULT_DB_ALIAS]
        kept = _statement(self, database.vendor)
        sent = [_sent(value, database) for value in values]
        given = [each if place is None else sent[place] for place, each in kept.given]
        with database.cursor() as cursor:
            cursor.execute(kept.sql, given)
            found = [list(row) for row in cursor.fetchall()]
        for row in found:
            for place, convert, column in kept.conversions:
                row[place] = convert(row[place], column, database)
        return kept, found


@dataclass(frozen=True)
class _Statement:
    """`given`: what is sent along, each the value at a place of the question or always the same."""

    sql: str
    given: list[tuple[int | None, Any]]
    model: Any
    names: list[str]
    conversions: list[Conversion]


@cache
def _statement(asked: Asked[Any], _vendor: str) -> _Statement:
    database = connections[DEFAULT_DB_ALIAS]
    marks = [_mark(kind, place) for place, kind in enumerate(asked.kinds)]
    query: Any = asked.build(*marks).query
    compiler = query.get_compiler(connection=database)
    sql, given = compiler.as_sql()
    columns = [column for column, _sql, _alias in compiler.select]
    return _Statement(
        sql,
        _with_places(list(given), [_sent(mark, database) for mark in marks]),
        query.model,
        [column.target.attname for column in columns if isinstance(column, Col)],
        [
            (place, convert, column)
            for place, (converts, column) in compiler.get_converters(columns).items()
            for convert in converts
        ],
    )


def _with_places(given: list[Any], marks: list[Any]) -> list[tuple[int | None, Any]]:
    """Where which mark stands; each of them stands somewhere."""
    found = [(marks.index(each) if each in marks else None, each) for each in given]
    assert {place for place, _each in found} >= {*range(len(marks))}
    return found


def _mark(kind: type, place: int) -> int | str | datetime:
    """A value that no query set has of itself."""
    if kind is datetime:
        return datetime(1, 2, 3, tzinfo=UTC) + timedelta(days=place)
    return -(10**9) - place if kind is int else f"mark-{place}-of-a-question"


def _sent(value: Any, database: Any) -> Any:
    """As the database takes it."""
    if isinstance(value, datetime):
        return database.ops.adapt_datetimefield_value(value)
    return value
