"""An event as a file for calendars."""

from datetime import datetime, timedelta, timezone

from tournament.exports.calendar import LONGEST, Entry, calendar

STARTS = datetime(2026, 11, 28, 15, tzinfo=timezone(timedelta(hours=5, minutes=30)))


def test_the_entry_has_its_moment_in_utc_its_title_and_its_place() -> None:
    text = calendar(Entry("cup@site", "Spring Cup", STARTS, "Hall 3"), "https://site/e/cup/")
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
    text = calendar(Entry("a", "Cup", STARTS, ends=STARTS + timedelta(hours=2)), "")
    assert "DTSTART:20261128T093000Z\r\nDTEND:20261128T113000Z\r\n" in text


def test_signs_with_a_meaning_of_their_own_are_escaped() -> None:
    text = calendar(Entry("a", "One, two; three\\\nBEGIN:VALARM", STARTS), "")
    assert "SUMMARY:One\\, two\\; three\\\\\\nBEGIN:VALARM\r\n" in text
    assert "LOCATION" not in text


def test_long_lines_are_folded_between_letters() -> None:
    text = calendar(Entry("a", "কাজল " * 40, STARTS), "")
    lines = text.split("\r\n")
    assert all(len(line.encode()) <= LONGEST for line in lines)
    assert "SUMMARY:" + "কাজল " * 40 in text.replace("\r\n ", "")
