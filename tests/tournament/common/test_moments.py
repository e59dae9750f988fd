"""Tests of the format of times."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation
from django.utils.formats import date_format

from tournament.common.moments import day_text, moment_text, second_text

MOMENT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "Sat 28 November 2026, 09:30 UTC"),
        ("Asia/Kolkata", "Sat 28 November 2026, 15:00 IST"),
        ("Asia/Kathmandu", "Sat 28 November 2026, 15:15 UTC+05:45"),
    ],
)
def test_times_always_include_their_zone(zone: str, text: str) -> None:
    with timezone.override(zone):
        assert moment_text(MOMENT) == text


def test_event_time_zone_does_not_depend_on_the_site_time_zone() -> None:
    with timezone.override("Europe/Berlin"):
        text = moment_text(MOMENT, ZoneInfo("Asia/Kolkata"))
    assert text == "Sat 28 November 2026, 15:00 IST"


def test_dates_use_the_active_zone() -> None:
    with timezone.override("Asia/Kolkata"):
        assert day_text(MOMENT.replace(hour=20)) == "29 November 2026"


def test_log_times_include_seconds() -> None:
    with timezone.override("Asia/Kolkata"):
        assert second_text(MOMENT.replace(second=7)) == "Sat 28 November 2026, 15:00:07 IST"


HINDI_MONTHS = {
    1: ("जनवरी", "जन॰"),
    2: ("फ़रवरी", "फ़र॰"),
    3: ("मार्च", "मार्च"),
    4: ("अप्रैल", "अप्रैल"),
    5: ("मई", "मई"),
    6: ("जून", "जून"),
    7: ("जुलाई", "जुल॰"),
    8: ("अगस्त", "अग॰"),
    9: ("सितंबर", "सित॰"),
    10: ("अक्टूबर", "अक्टू॰"),
    11: ("नवंबर", "नव॰"),
    12: ("दिसंबर", "दिस॰"),
}


@pytest.mark.parametrize("month", HINDI_MONTHS)
def test_hindi_months_are_spelled_correctly(month: int) -> None:
    when = MOMENT.replace(month=month)
    with translation.override("hi"):
        # The full name, the full name after a day, and Django's three short styles.
        found = [date_format(when, style) for style in "FEMNb"]
    long, short = HINDI_MONTHS[month]
    assert found == [long, long, short, short, short]


def test_hindi_dates_have_hindi_names_of_days_and_months() -> None:
    with translation.override("hi"), timezone.override("Asia/Kolkata"):
        days = [moment_text(MOMENT + timedelta(days=n)).split()[0] for n in range(7)]
        assert days == ["शनि", "रवि", "सोम", "मंगल", "बुध", "गुरु", "शुक्र"]
        assert moment_text(MOMENT) == "शनि 28 नवंबर 2026, 15:00 IST"
