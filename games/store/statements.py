"""SQL statements that save an action. They are written by hand for speed.

Saving an action takes one UPDATE of the match and one INSERT into the log. With the ORM, these
would take five times as much processor time as the rules, and four round trips to PostgreSQL. Here,
they are a single PostgreSQL statement that commits by itself. Other processes read the result with
one SELECT.

SQLite allows only one writer, and each commit waits for the disk. Changes that arrive during a
commit are therefore written together in the next transaction. No change is reported as saved before
it is committed.

A statement also checks the right to write: account or guest, session and seat must still belong
together at that moment. A user who has just signed out is thus rejected without another query.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

import orjson
import psycopg
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.utils import timezone

from games.json_values.codec import JsonValue
from games.json_values.field import StoredValue
from games.models import LoggedAction, Match, Seat
from games.seats import Holder

Row = TypeVar("Row", bound=models.Model)
# Index of a column in a row, and the function that converts its value from the database to a Python
# value.
Conversion = tuple[int, Callable[[Any], Any]]
# Function that makes a change on SQLite, and returns whether the match was changed.
Work = Callable[[], bool]
# Columns whose values both databases accept unchanged.
PLAIN = (models.IntegerField, models.CharField, models.BooleanField, models.ForeignKey)
# Dataclasses and datetimes are passed to `_write_value`, so only those with a `to_json` method are
# accepted.
_JSON_OPTIONS = (
    orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
)


class RightsLostError(Exception):
    """The session has ended, or the seat has another holder. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Rights:
    """A person's right to act for a seat, in one session.

    * `seat`: the seat's primary key.
    * `holder`: the account or guest at the seat.
    * `password`: the hash of the account's password, or "" for a guest.
    * `session`: the key of the session.
    """

    seat: int
    holder: Holder
    password: str
    session: str

    def hold(self) -> bool:
        """Return whether seat, person and session still belong together, using one query."""
        with connection.cursor() as cursor:
            cursor.execute(self.condition, self.values())
            return cursor.fetchone() is not None

    def check(self) -> None:
        """Raise RightsLostError unless the rights still hold."""
        if not self.hold():
            raise RightsLostError

    @property
    def condition(self) -> str:
        """SQL query that returns a row if the rights hold. It can be used as a subquery."""
        return (
            _write_guest_condition() if isinstance(self.holder, str) else _write_account_condition()
        )

    def values(self) -> list[Any]:
        """Return the values for the placeholders of `condition`, at the current time."""
        proof = [] if isinstance(self.holder, str) else [self.password]
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [self.seat, self.holder, *proof, self.session, now]


def swap(match: Match, fields: Mapping[str, object], rights: Rights | None = None) -> bool:
    """Write these fields if the match is unchanged, and return whether they were written.

    The match must still have the same id, version and claims, and the writer must have the rights.
    """
    sql = _write_update(tuple(fields), rights.condition if rights else "")
    with _open_cursor() as cursor:
        cursor.execute(
            sql, [*_prepare_values(Match, fields), *_list_identity_values(match, rights)]
        )
        return bool(cursor.rowcount)


def swap_and_log(
    match: Match,
    fields: Mapping[str, object],
    action: LoggedAction,
    rights: Rights | None = None,
) -> bool:
    """Call `swap` and, if it succeeds, add the log row. Return whether it succeeded.

    Raises IntegrityError if the action's client id was used before.
    """
    row = {field.attname: getattr(action, field.attname) for field in _list_columns(LoggedAction)}
    if connection.vendor != "postgresql":
        return swap(match, fields, rights) and _insert_row(row)
    names, marks = _write_insert_parts()
    update = _write_update(tuple(fields), rights.condition if rights else "")
    sql = f"WITH swapped AS ({update} RETURNING 1) INSERT INTO {names} SELECT {marks} FROM swapped"  # noqa: S608
    written = [
        *_prepare_values(Match, fields),
        *_list_identity_values(match, rights),
        *_prepare_values(LoggedAction, row),
    ]
    with _open_cursor() as cursor:
        cursor.execute(sql, written)
        return bool(cursor.rowcount)


def read_changes(
    match: Match, hand: int | None, known: int
) -> tuple[Match, list[LoggedAction]] | None:
    """Return the current match, and the actions of this hand after the first `known` ones.

    Returns None if the match was replaced, or if its hands or seats have changed.
    """
    with _open_cursor() as cursor:
        cursor.execute(_write_select(), [hand, known, match.pk, match.public_id, match.parts])
        rows = cursor.fetchall()
    if not rows:
        return None
    width = len(Match._meta.concrete_fields)
    new = [_build_row(LoggedAction, row[width:]) for row in rows if row[width] is not None]
    return _build_row(Match, rows[0][:width]), new


def _open_cursor() -> Any:
    """Open a cursor for the few statements that are run very often.

    PostgreSQL plans each of them only once. Django's own cursor inserts the values into the SQL
    text, so that every call would be a different statement, and would be logged in full.
    """
    database = _get_database_connection()
    if database.vendor != "postgresql" or database.queries_logged:
        return database.cursor()
    database.ensure_connection()
    cursor: Any = psycopg.Cursor(database.connection)
    return database.make_cursor(cursor)


def _get_database_connection() -> Any:
    """Return this thread's connection.

    Django's proxy would look it up for each attribute.
    """
    return connections[DEFAULT_DB_ALIAS]


def _insert_row(row: Mapping[str, object]) -> bool:
    names, marks = _write_insert_parts()
    with _open_cursor() as cursor:
        cursor.execute(f"INSERT INTO {names} VALUES ({marks})", _prepare_values(LoggedAction, row))  # noqa: S608
    return True


def _list_identity_values(match: Match, rights: Rights | None) -> list[Any]:
    # The public id detects a cache that has outlived its database.
    values = [match.pk, match.public_id, match.version, match.claims]
    return values if rights is None else [*values, *rights.values()]


@cache
def _write_update(names: tuple[str, ...], condition: str) -> str:
    columns = ", ".join(f'"{_get_field(Match, name).column}" = %s' for name in names)
    where = '"id" = %s AND "public_id" = %s AND "version" = %s AND "claims" = %s'
    if condition:
        where += f" AND EXISTS ({condition})"
    return f'UPDATE "{Match._meta.db_table}" SET {columns} WHERE {where}'  # noqa: S608


@cache
def _write_select() -> str:
    fields = [*Match._meta.concrete_fields, *LoggedAction._meta.concrete_fields]
    columns = ", ".join(f'"{field.model._meta.db_table}"."{field.column}"' for field in fields)
    match, log = f'"{Match._meta.db_table}"', f'"{LoggedAction._meta.db_table}"'
    return (
        f"SELECT {columns} FROM {match} LEFT JOIN {log} "  # noqa: S608
        f"ON {log}.hand_id = %s AND {log}.number > %s "
        f"WHERE {match}.id = %s AND {match}.public_id = %s AND {match}.parts = %s "
        f"ORDER BY {log}.number"
    )


def _build_row(model: type[Row], values: Sequence[Any]) -> Row:
    row = list(values)
    for index, convert in _list_conversions(model, connection.vendor):
        row[index] = convert(row[index])
    return model.from_db(connection.alias, _list_column_names(model), row)


@cache
def _list_column_names(model: type[models.Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


@cache
def _list_conversions(model: type[models.Model], _vendor: str) -> list[Conversion]:
    return [
        (index, partial(convert, expression=column, connection=connection))
        for index, field in enumerate(model._meta.concrete_fields)
        for column in [field.get_col(model._meta.db_table)]
        for convert in [
            *connection.ops.get_db_converters(column),
            *column.get_db_converters(connection),
        ]
    ]


@cache
def _write_insert_parts() -> tuple[str, str]:
    """Return the log's table name with its columns, and a placeholder for each column."""
    columns = [field.column for field in _list_columns(LoggedAction)]
    names = ", ".join(f'"{column}"' for column in columns)
    return f'"{LoggedAction._meta.db_table}" ({names})', ", ".join("%s" for _ in columns)


def _list_columns(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if not field.primary_key]


def _prepare_values(model: type[models.Model], fields: Mapping[str, object]) -> list[Any]:
    """Return the values of the fields in the form that the database accepts."""
    database = _get_database_connection()
    return [
        _build_preparer(model, name, database.vendor)(value, database)
        for name, value in fields.items()
    ]


@cache
def _build_preparer(model: type[models.Model], name: str, vendor: str) -> Callable[[Any, Any], Any]:
    field = _get_field(model, name)
    if isinstance(field, models.JSONField):
        return as_json
    plain = (*PLAIN, models.DateTimeField) if vendor == "postgresql" else PLAIN
    return _keep_value if isinstance(field, plain) else field.get_db_prep_save


def _keep_value(value: Any, _database: Any) -> Any:
    return value


def as_json(value: Any, _database: Any) -> str | None:
    """Encode a value as Django's JSONField and `ValueField` do, but without spaces."""
    if value is None:
        return None
    return orjson.dumps(value, default=_write_value, option=_JSON_OPTIONS).decode()


def _write_value(value: StoredValue) -> Any:
    return orjson.Fragment(value.to_text()) if isinstance(value, JsonValue) else value.to_json()


def _get_field(model: type[models.Model], name: str) -> "models.Field[Any, Any]":
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    return field


@dataclass(slots=True, eq=False)
class _WaitingChange:
    work: Work
    turn: threading.Event = field(default_factory=threading.Event)
    outcome: bool | Exception | None = None

    def run_alone(self) -> None:
        """Make the change in its own transaction, and store the outcome."""
        try:
            with transaction.atomic():
                outcome = self.work()
        except Exception as error:
            self.outcome = error  # the waiting thread raises it
        else:
            self.outcome = outcome


class GroupWriter:
    """Writer that combines changes from several threads of a process into one transaction."""

    def __init__(self) -> None:
        # Writers wait for this lock, because SQLite itself would wait by polling.
        self.writer = threading.Lock()
        self._queue: list[_WaitingChange] = []
        self._queueing = threading.Lock()

    def write(self, work: Work) -> bool:
        """Run `work`, commit it, and return its result. Exceptions propagate.

        Another thread may run it as part of a group, and again on its own if the group fails.
        """
        mine = _WaitingChange(work)
        with self._queueing:
            self._queue.append(mine)
            first = self._queue[0] is mine
        if not first:
            mine.turn.wait()
        if mine.outcome is None:
            self._lead_group()
        if isinstance(mine.outcome, Exception):
            raise mine.outcome
        return bool(mine.outcome)

    def _lead_group(self) -> None:
        """Commit all waiting changes as a group, then wake up the leader of the next group."""
        group: list[_WaitingChange] = []
        try:
            with self.writer:
                with self._queueing:
                    group += self._queue
                _commit_group(group)
        finally:
            with self._queueing:
                del self._queue[: len(group)]
                following = self._queue[:1]
            for change in (*group, *following):
                change.turn.set()


def _commit_group(group: list[_WaitingChange]) -> None:
    try:
        with transaction.atomic():
            outcomes = [change.work() for change in group]
    except Exception:
        # The group was rolled back. Run each change on its own, because only some of them may fail.
        for change in group:
            change.run_alone()
    else:
        for change, outcome in zip(group, outcomes, strict=True):
            change.outcome = outcome


@cache
def _write_account_condition() -> str:
    users = get_user_model()._meta.db_table
    return (
        f'SELECT 1 FROM "{Seat._meta.db_table}" seat JOIN "{users}" account '  # noqa: S608
        "ON account.id = seat.user_id WHERE seat.id = %s AND account.id = %s "
        f"AND account.is_active AND account.password = %s AND {_write_session_condition()}"
    )


@cache
def _write_guest_condition() -> str:
    seats = Seat._meta.db_table
    session = _write_session_condition()
    return f'SELECT 1 FROM "{seats}" seat WHERE seat.id = %s AND seat.guest = %s AND {session}'  # noqa: S608


def _write_session_condition() -> str:
    sessions = Session._meta.db_table
    return f'EXISTS (SELECT 1 FROM "{sessions}" WHERE session_key = %s AND expire_date > %s)'  # noqa: S608
