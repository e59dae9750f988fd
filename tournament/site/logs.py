"""How lines of the log look: the time in UTC, one line an event, whatever somebody has typed."""

import logging
import textwrap
import time
import unicodedata
from copy import copy
from typing import Any


class Escapes(dict[int, str]):
    """For str.translate: what would begin a line or move a terminal's cursor, written out."""

    def __missing__(self, point: int) -> str:
        character = chr(point)
        odd = unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")
        self[point] = character.encode("unicode_escape").decode() if odd else character
        return self[point]


class Lines(logging.Formatter):
    """`2026-11-22T08:27:06.120Z WARNING games.sockets.base: …`; tracebacks follow, indented."""

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def format(self, record: logging.LogRecord) -> str:
        """What a stranger sent and Django refused is one line: anybody can have it written."""
        if record.name.startswith("django.security."):
            record = copy(record)
            record.exc_info = record.exc_text = None
        return super().format(record)

    def formatMessage(self, record: logging.LogRecord) -> str:
        return super().formatMessage(record).translate(Escapes())

    def formatException(self, ei: Any) -> str:
        return textwrap.indent(super().formatException(ei), "  ", lambda line: True)
