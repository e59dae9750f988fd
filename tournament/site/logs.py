"""Log formats: UTC times and one line per event, whatever a visitor has typed.

Each line has the id of its request or action, if there is one. The id shown to a player
identifies these lines.
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

from games.process.tracing import trace
from tournament.site.transient_errors import is_outage


class Escapes(dict[int, str]):
    """Table for str.translate that escapes characters that break lines or move the cursor."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        odd = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
        self[point] = character.encode("unicode_escape").decode() if odd else character
        return self[point]


class Lines(logging.Formatter):
    """Log lines such as `2026-11-22T08:27:06.120Z WARNING games.sockets.base: …`.

    Tracebacks follow, indented.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """Format the record, on one line if Django refused an outsider's request.

        Any visitor can cause such records.
        """
        if record.name.startswith("django.security."):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        of = f" [{trace()}]" if trace() else ""
        return f"{super().formatMessage(record)}{of}".translate(Escapes())

    def formatException(self, ei: Any) -> str:
        return textwrap.indent(super().formatException(ei), "  ", lambda line: True)


class JsonLines(Lines):
    """Log lines as JSON objects, with `id` and `traceback` where available."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "at": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if trace():
            told["id"] = trace()
        if record.exc_info and not record.name.startswith("django.security."):
            told["traceback"] = logging.Formatter.formatException(self, record.exc_info)
        return json.dumps(told, ensure_ascii=False)


class OneLineAnOutage(logging.Filter):
    """Filter that shortens the log of an outage.

    If the database or Redis is away, or a disk is full, there is one line for each page that
    could not be made. A message that repeats each second appears once, until it has been silent
    for QUIET seconds. Messages with the same text before the colon are repeats. Other errors keep
    their tracebacks.
    """

    QUIET = 10.0
    OF_REDIS = ("channels_redis.pubsub", "games.process.hub")
    # The ticker, the worker, windows, health checks and the connection pool repeat these during
    # an outage.
    REPEATED = (
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
        if record.name not in self.OF_REDIS and not str(record.msg).startswith(self.REPEATED):
            return True
        said, now = record.getMessage().partition(":")[0], self._clock()
        before = self._last.get(said, float("-inf"))
        self._last[said] = now
        return now - before > self.QUIET

    def _is_outage(self, record: logging.LogRecord, error: BaseException) -> bool:
        of_redis = record.name in self.OF_REDIS and isinstance(error, (OSError, RedisError))
        return of_redis or is_outage(error)

    def _shorten(self, record: logging.LogRecord, error: BaseException) -> None:
        said = "Redis is away" if record.name in self.OF_REDIS else record.getMessage()
        record.msg, record.args = "%s: %s", (said, error)
        record.exc_info = record.exc_text = None
