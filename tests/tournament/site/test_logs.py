"""Tests of the log formats and of the filter for outages."""

import errno
import json
import logging
import sqlite3
import sys

import psycopg
import pytest
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from redis.exceptions import ConnectionError

from games.process.tracing import trace_as
from tournament.site.logs import JsonFormatter, LineFormatter, OutageFilter

LOGGED_AT = 1_795_336_026.125  # 2026-11-22 08:27:06.125 UTC


def format_line(message: str, *args: object, error: bool = False, name: str = "games.live") -> str:
    record = logging.LogRecord(
        name, logging.WARNING, "", 0, message, args, sys.exc_info() if error else None
    )
    record.created, record.msecs = LOGGED_AT, 125.0
    return LineFormatter("{asctime} {levelname} {name}: {message}", style="{").format(record)


def test_log_time_is_in_utc_with_milliseconds() -> None:
    assert format_line("all is well") == "2026-11-22T08:27:06.125Z WARNING games.live: all is well"


def test_user_input_cannot_start_a_new_log_line() -> None:
    typed = "x\n2026-11-22T09:00:00.000Z INFO lastcard.security: signed in\r\u2028\x1b[2K\x85"
    assert format_line("wrong %s", typed).endswith(
        r"wrong x\n2026-11-22T09:00:00.000Z INFO lastcard.security: signed in\r\u2028\x1b[2K\x85"
    )


def test_letters_of_any_script_are_logged_unescaped() -> None:
    assert format_line("%s", "Ásha অনন্যা 李").endswith(": Ásha অনন্যা 李")


def test_bidi_control_characters_are_escaped_in_logs() -> None:
    assert format_line("%s", "abc\u202egpj").endswith(r": abc\u202egpj")


def test_every_traceback_line_is_indented() -> None:
    try:
        raise ValueError("first\n2026-11-22T09:00:00.000Z INFO all is well")
    except ValueError:
        first, *others = format_line("it failed", error=True).split("\n")
    assert first.endswith(": it failed")
    assert [each for each in others if not each.startswith("  ")] == []
    assert others[-1] == "  2026-11-22T09:00:00.000Z INFO all is well"


def test_malformed_request_is_logged_on_one_line() -> None:
    try:
        raise DisallowedHost("evil")
    except DisallowedHost:
        sentence = format_line("Invalid", error=True, name="django.security.DisallowedHost")
    assert sentence == "2026-11-22T08:27:06.125Z WARNING django.security.DisallowedHost: Invalid"


def test_log_line_ends_with_the_request_or_action_id() -> None:
    with trace_as("17/a3f\n"):
        assert format_line("late").endswith(r"games.live: late [17/a3f\n]")


def test_json_log_has_one_object_per_line() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        record = logging.LogRecord("games", 40, "", 0, "it %s", ("failed",), sys.exc_info())
    record.created, record.msecs = LOGGED_AT, 125.0
    with trace_as("a1b2"):
        text = JsonFormatter().format(record)
    assert "\n" not in text
    found = json.loads(text)
    assert found.pop("traceback").endswith("ValueError: first\nsecond")
    assert found == {
        "at": "2026-11-22T08:27:06.125Z",
        "level": "ERROR",
        "logger": "games",
        "message": "it failed",
        "id": "a1b2",
    }


def make_redis_record(error: Exception) -> logging.LogRecord:
    """Return a log record like those that channels_redis writes every second."""
    expected = "Unexpected exception in receive task"
    exc = (type(error), error, None)
    return logging.LogRecord("channels_redis.pubsub", 40, "", 0, expected, (), exc)


def test_redis_outage_is_logged_on_one_line_without_traceback() -> None:
    now = [0.0]
    outages = OutageFilter(clock=lambda: now[0])
    records = [make_redis_record(ConnectionError("nobody there")) for _ in range(3)]
    kept = []
    for record in records:
        now[0] += 1
        kept.append(outages.filter(record))
    assert kept == [True, False, False]
    assert LineFormatter("{message}", style="{").format(records[0]) == "Redis is away: nobody there"
    now[0] += 11
    assert outages.filter(make_redis_record(ConnectionError("again")))


def test_other_redis_client_errors_keep_their_traceback() -> None:
    outages = OutageFilter()
    for _ in range(2):
        record = make_redis_record(ValueError("a defect"))
        assert outages.filter(record)
        assert record.exc_info is not None


def make_error_record(logger_name: str, text: str, error: BaseException) -> logging.LogRecord:
    return logging.LogRecord(logger_name, 40, "", 0, text, (), (type(error), error, None))


def make_sqlite_error(name: str) -> OperationalError:
    """Return the error that Django raises for an sqlite3 error with this name."""
    cause = sqlite3.OperationalError("secret")
    cause.sqlite_errorname = name
    error = OperationalError(f"it was {name}")
    error.__cause__ = cause
    return error


def make_postgres_error(cause: psycopg.Error) -> OperationalError:
    error = OperationalError(f"it was {cause.sqlstate}")
    error.__cause__ = cause
    return error


DATABASE_OUTAGES = [
    OperationalError("couldn't get a connection after 2.00 sec"),
    make_postgres_error(psycopg.errors.DiskFull()),
    make_postgres_error(psycopg.errors.AdminShutdown()),
    make_sqlite_error("SQLITE_FULL"),
    make_sqlite_error("SQLITE_READONLY_DBMOVED"),
    OSError(errno.ENOSPC, "No space left on device"),
]
DEFECTS = [
    make_postgres_error(psycopg.errors.DeadlockDetected()),
    make_postgres_error(psycopg.errors.InFailedSqlTransaction()),
    make_sqlite_error("SQLITE_ERROR"),
    make_sqlite_error("SQLITE_BUSY"),
    OSError(errno.EACCES, "Permission denied"),
    ValueError("a defect"),
]


@pytest.mark.parametrize("error", DATABASE_OUTAGES, ids=str)
def test_page_failure_in_an_outage_is_logged_on_one_line(error: Exception) -> None:
    record = make_error_record("django.request", "Service Unavailable: /e/cup/", error)
    assert OutageFilter().filter(record)
    sentence = LineFormatter("{message}", style="{").format(record)
    assert sentence == f"Service Unavailable: /e/cup/: {error}"


@pytest.mark.parametrize("error", DEFECTS, ids=str)
def test_page_failure_from_a_defect_is_logged_with_traceback(error: Exception) -> None:
    record = make_error_record("django.request", "Service Unavailable: /e/cup/", error)
    assert OutageFilter().filter(record)
    assert record.exc_info is not None


DATABASE_WAIT = "The %s waits for the database: %s"


def test_wait_for_the_database_is_logged_once() -> None:
    now = [0.0]
    outages = OutageFilter(clock=lambda: now[0])

    def passes_filter(name: str, message: str, *given: object) -> bool:
        return outages.filter(logging.LogRecord(name, 40, "", 0, message, given, None))

    background = "games.workers.background"
    for second in range(1, 30):
        now[0] = second
        first = second == 1
        assert passes_filter(background, DATABASE_WAIT, "ticker", second) == first
        assert passes_filter(background, DATABASE_WAIT, "sweep", second) == first
        assert (
            passes_filter("psycopg.pool", "error connecting in %r: %s", "pool-1", second) == first
        )
        assert passes_filter("games.sockets.base", "Command not carried out: %r", second)
        assert passes_filter("games.matches", "Match %s was not checked", second)
    now[0] += 11
    assert passes_filter(background, DATABASE_WAIT, "ticker", "again")
