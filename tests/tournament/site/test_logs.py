"""How a line of the log looks."""

import logging
import sys

from django.core.exceptions import DisallowedHost

from tournament.site.logs import Lines

AT = 1_795_336_026.125  # 2026-11-22 08:27:06.125 UTC


def line(message: str, *args: object, error: bool = False, name: str = "games.live") -> str:
    record = logging.LogRecord(
        name, logging.WARNING, "", 0, message, args, sys.exc_info() if error else None
    )
    record.created, record.msecs = AT, 125.0
    return Lines("{asctime} {levelname} {name}: {message}", style="{").format(record)


def test_the_moment_is_told_in_utc_to_the_millisecond() -> None:
    assert line("all is well") == "2026-11-22T08:27:06.125Z WARNING games.live: all is well"


def test_whatever_somebody_typed_begins_no_line_of_its_own() -> None:
    typed = "x\n2026-11-22T09:00:00.000Z INFO lastcard.security: signed in\r\u2028\x1b[2K\x85"
    assert line("wrong %s", typed).endswith(
        r"wrong x\n2026-11-22T09:00:00.000Z INFO lastcard.security: signed in\r\u2028\x1b[2K\x85"
    )


def test_letters_of_any_script_stand_as_they_are() -> None:
    assert line("%s", "Ásha অনন্যা 李").endswith(": Ásha অনন্যা 李")


def test_what_turns_the_direction_of_reading_is_written_out() -> None:
    assert line("%s", "abc\u202egpj").endswith(r": abc\u202egpj")


def test_every_line_of_a_traceback_is_indented() -> None:
    try:
        raise ValueError("first\n2026-11-22T09:00:00.000Z INFO all is well")
    except ValueError:
        first, *others = line("it failed", error=True).split("\n")
    assert first.endswith(": it failed")
    assert [each for each in others if not each.startswith("  ")] == []
    assert others[-1] == "  2026-11-22T09:00:00.000Z INFO all is well"


def test_what_a_stranger_sent_and_django_refused_is_one_line() -> None:
    try:
        raise DisallowedHost("evil")
    except DisallowedHost:
        told = line("Invalid", error=True, name="django.security.DisallowedHost")
    assert told == "2026-11-22T08:27:06.125Z WARNING django.security.DisallowedHost: Invalid"
