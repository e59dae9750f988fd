"""Tests of an event's calendar file, as parsed by a calendar library."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import icalendar
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.files.calendar import CalendarEntry, build_calendar

STARTS_AT = datetime(2026, 11, 28, 15, tzinfo=timezone(timedelta(hours=5, minutes=30)))
CHANGED_AT = datetime(2026, 11, 1, 9, tzinfo=UTC)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
CUP_ENTRY = CalendarEntry("cup@site", "Spring Cup", STARTS_AT, CHANGED_AT, 7, "Hall 3")
# Maximum number of octets in a line, without the line break (RFC 5545, 3.1).
MAX_LINE_LENGTH = 75


def read_properties(text: str) -> dict[str, Any]:
    """Return the properties of the calendar's only entry."""
    [entry] = icalendar.Calendar.from_ical(text).walk("VEVENT")
    return {name: getattr(value, "dt", value) for name, value in entry.items()}


def test_entry_has_title_time_place_and_revision() -> None:
    text = build_calendar(CUP_ENTRY, "https://site/e/cup/", NOW)
    assert read_properties(text) == {
        "UID": "cup@site",
        "DTSTAMP": NOW,
        "DTSTART": STARTS_AT,
        "LAST-MODIFIED": CHANGED_AT,
        "SEQUENCE": 7,
        "STATUS": "CONFIRMED",
        "SUMMARY": "Spring Cup",
        "LOCATION": "Hall 3",
        "URL": "https://site/e/cup/",
    }
    assert "DTSTART:20261128T093000Z\r\n" in text


def test_end_is_included_if_it_is_known() -> None:
    ends = STARTS_AT + timedelta(hours=2)
    assert read_properties(build_calendar(replace(CUP_ENTRY, ends=ends), "", NOW))["DTEND"] == ends


def test_cancelled_event_is_marked_as_cancelled() -> None:
    assert (
        read_properties(build_calendar(replace(CUP_ENTRY, cancelled=True), "", NOW))["STATUS"]
        == "CANCELLED"
    )


plain_texts = st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \\;,:"), max_size=90
).map(str.strip)


@given(st.lists(plain_texts.filter(bool), min_size=1, max_size=3), plain_texts.filter(bool))
def test_written_calendar_can_be_read_back(lines: list[str], place: str) -> None:
    text = build_calendar(
        replace(CUP_ENTRY, title="\n".join(lines), place=place), "https://site/", NOW
    )
    found = read_properties(text)
    assert (str(found["SUMMARY"]), str(found["LOCATION"])) == ("\n".join(lines), place)
    assert all(len(line.encode()) <= MAX_LINE_LENGTH for line in text.split("\r\n"))


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n", "\u2028", "\x0b"])
def test_line_break_in_a_title_does_not_start_another_entry(ending: str) -> None:
    text = build_calendar(replace(CUP_ENTRY, title=f"One{ending}END:VEVENT"), "", NOW)
    assert "SUMMARY:One\\nEND:VEVENT\r\n" in text
