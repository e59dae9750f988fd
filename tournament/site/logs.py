"""Log formats with UTC times and one line per record, even if visitors type control characters.

Each line has the id of its request or action, if there is one. Players see this id in error
messages, so that administrators can find the line.
"""

import json
import logging
import textwrap
import time
import unicodedata
from collections.abc import Callable
from copy import copy
from typing import Any

from redis.exceptions import RedisError

from games.process.tracing import current_trace
from tournament.site.transient_errors import is_outage


class EscapeTable(dict[int, str]):
    """A translation table that escapes control characters and line separators."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        unsafe = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
        self[code_point] = character.encode("unicode_escape").decode() if unsafe else character
        return self[code_point]


class LineFormatter(logging.Formatter):
    """Formatter for log lines such as `2026-11-22T08:27:06.120Z WARNING games.sockets.base: …`.

    A traceback follows its line and is indented.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """Format a record.

        Tracebacks of rejected requests are omitted, because any visitor can cause them.
        """
        if record.name.startswith("django.security."):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        trace_id = f" [{current_trace()}]" if current_trace() else ""
        return f"{super().formatMessage(record)}{trace_id}".translate(EscapeTable())

    def formatException(self, ei: Any) -> str:
        return textwrap.indent(super().formatException(ei), "  ", lambda line: True)


class JsonFormatter(LineFormatter):
    """Formatter for log lines as JSON objects, with `id` and `traceback` if available."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if current_trace():
            fields["id"] = current_trace()
        if record.exc_info and not record.name.startswith("django.security."):
            fields["traceback"] = logging.Formatter.formatException(self, record.exc_info)
        return json.dumps(fields, ensure_ascii=False)


class OutageFilter(logging.Filter):
    """Filter that shortens the log during an outage.

    If the database or Redis is unavailable, or a disk is full, errors are logged in one line,
    without a traceback. A repeated message is logged once, and again only if it has been absent for
    `QUIET` seconds. Messages are the same if their texts before the colon are equal.
    """

    QUIET = 10.0
    REDIS_LOGGERS = ("channels_redis.pubsub", "games.process.hub")
    # Messages that the ticker, the worker, sockets, health checks and the connection pool repeat
    # during an outage.
    REPEATED_PREFIXES = (
        *("The %s waits for the database", "The worker waits for the database"),
        *("Update not sent", "The database cannot be written to", "The database is not ready"),
        *("error connecting in", "reconnection attempt in"),
    )

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            if not self._is_outage(record, error):
                return True
            self._shorten(record, error)
        if record.name not in self.REDIS_LOGGERS and not str(record.msg).startswith(
            self.REPEATED_PREFIXES
        ):
            return True
        subject, now = record.getMessage().partition(":")[0], self._clock()
        last = self._last.get(subject, float("-inf"))
        self._last[subject] = now
        return now - last > self.QUIET

    def _is_outage(self, record: logging.LogRecord, error: BaseException) -> bool:
        of_redis = record.name in self.REDIS_LOGGERS and isinstance(error, (OSError, RedisError))
        return of_redis or is_outage(error)

    def _shorten(self, record: logging.LogRecord, error: BaseException) -> None:
        message = "Redis is away" if record.name in self.REDIS_LOGGERS else record.getMessage()
        record.msg, record.args = "%s: %s", (message, error)
        record.exc_info = record.exc_text = None
