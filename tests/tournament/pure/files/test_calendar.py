"""An event as a file for calendars."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.files.calendar import LONGEST, CalendarEntry, calendar

STARTS = datetime(2026, 11, 28, 15, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def test_the_entry_has_its_moment_in_utc_its_title_and_its_place() -> None:
    text = calendar(
        CalendarEntry("cup@site", "Spring Cup", STARTS, "Hall 3"), "https://site/e/cup/"
    )
    assert text.split("\r\n") == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Lastcard//EN",
        "BEGIN:VEVENT",
        "UID:cup@site",
        "DTSTAMP:20261128T093000Z",
        "DTSTART:20261128T093000Z",
        "SUMMARY:Spring Cup",
        "LOCATION:Hall 3",
        "URL:https://site/e/cup/",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    ]


def test_the_end_is_said_where_it_is_known() -> None:
    text = calendar(CalendarEntry("a", "Cup", STARTS, ends=STARTS + timedelta(hours=2)), "")
    assert "DTSTART:20261128T093000Z\r\nDTEND:20261128T113000Z\r\n" in text


def test_signs_with_a_meaning_of_their_own_are_escaped() -> None:
    text = calendar(CalendarEntry("a", "One, two; three\\\nBEGIN:VALARM", STARTS), "")
    assert "SUMMARY:One\\, two\\; three\\\\\\nBEGIN:VALARM\r\n" in text
    assert "LOCATION" not in text


def test_long_lines_are_folded_between_letters() -> None:
    text = calendar(CalendarEntry("a", "কাজল " * 40, STARTS), "")
    lines = text.split("\r\n")
    assert all(len(line.encode()) <= LONGEST for line in lines)
    assert "SUMMARY:" + "কাজল " * 40 in text.replace("\r\n ", "")


def parse_calendar(text: str) -> dict[str, str]:
    """Return what a calendar reads by RFC 5545: lines joined and escapes resolved."""
    found = {}
    for line in text.replace("\r\n ", "").split("\r\n"):
        name, _colon, value = line.partition(":")
        read, rest = "", iter(value)
        for sign in rest:
            read += {"n": "\n"}.get(after := next(rest), after) if sign == "\\" else sign
        found[name] = read
    return found


plain = st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \\;,:"), max_size=90
)


@given(st.lists(plain.filter(bool), min_size=1, max_size=3), plain.filter(bool))
def test_a_calendar_reads_what_was_written(lines: list[str], place: str) -> None:
    text = calendar(CalendarEntry("a@b", "\n".join(lines), STARTS, place), "https://site/")
    found = parse_calendar(text)
    assert (found["SUMMARY"], found["LOCATION"]) == ("\n".join(lines), place)
    assert all(len(line.encode()) <= LONGEST for line in text.split("\r\n"))
    assert found["END"] == "VCALENDAR"


@pytest.mark.parametrize("length", [66, 67, 68, 140, 141, 142])
def test_a_line_goes_on_only_where_it_must(length: int) -> None:
    """SUMMARY: has eight octets, and each further line begins with a space."""
    text = calendar(CalendarEntry("a", "x" * length, STARTS), "")
    parts = text.partition("SUMMARY:")[2].partition("\r\nEND:VEVENT")[0].split("\r\n ")
    rest = length - 67
    assert [len(part) for part in parts] == (
        [length] if rest <= 0 else [67, *[74] * (rest // 74), *([rest % 74] if rest % 74 else [])]
    )


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n", "\u2028", "\x0b"])
def test_no_line_break_of_a_title_begins_another_entry(ending: str) -> None:
    text = calendar(CalendarEntry("a", f"One{ending}END:VEVENT", STARTS), "")
    assert "SUMMARY:One\\nEND:VEVENT\r\n" in text
