"""Tests of values, lists and numbers in words."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone, translation

from tournament.common.moments import clock
from tournament.common.values import describe_value
from tournament.pure.words import join_words
from tournament.templatetags.moments import when
from tournament.templatetags.prose import prose
from tournament.templatetags.shares import hours, percent

MOMENT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        ("", "–"),
        ("Hall 3", "Hall 3"),
        (0, "0"),
        (0.5, "0.5"),
        (12, "12"),
        (True, "yes"),
        (False, "no"),
        ([], "–"),
        (["a", "b"], "a, b"),
        ([1, True, None], "1, yes, –"),
        ({"field": "department", "value": "Chem"}, "department = Chem"),
        ([{"field": "department", "value": "Chem"}, {"field": "programme", "value": ""}],
         "department = Chem, programme = –"),
    ],
)  # fmt: skip
def test_stored_value_is_shown_in_words(value: object, text: str) -> None:
    assert describe_value(value) == text


def test_stored_time_is_shown_in_the_site_zone() -> None:
    with timezone.override("Asia/Kolkata"):
        assert describe_value(MOMENT) == "Sat 28 November 2026, 15:00 IST"
        assert describe_value([MOMENT, 2]) == "Sat 28 November 2026, 15:00 IST, 2"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        ([4, 3, 2, 1], "4, 3, 2 and 1"),
    ],
)
def test_conjunction_precedes_only_the_last_item_of_a_list(parts: list[object], text: str) -> None:
    assert join_words(parts) == text


def test_conjunction_is_in_the_reader_language() -> None:
    with translation.override("hi"):
        assert join_words(["a", "b", "c"]) == "a, b और c"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "0:00"),
        (7, "0:07"),
        (59.9, "0:59"),
        (60, "1:00"),
        (750, "12:30"),
        (3599, "59:59"),
        (3600, "1:00:00"),
        (3723, "1:02:03"),
        (90_000, "25:00:00"),
    ],
)
def test_duration_is_formatted_like_a_clock(seconds: float, expected: str) -> None:
    assert clock(timedelta(seconds=seconds)) == expected


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0%"),
        (0.0001, "under 1%"),
        (0.0099, "under 1%"),
        (0.01, "1%"),
        (0.254, "25%"),
        (0.5, "50%"),
        (0.99, "99%"),
        (0.9901, "over 99%"),
        (0.99999, "over 99%"),
        (1, "100%"),
    ],
)
def test_uncertain_probability_is_never_shown_as_certain(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "0 min"),
        (0.4, "0 min"),
        (7.6, "8 min"),
        (59.4, "59 min"),
        (59.6, "1 h 00 min"),
        (60, "1 h 00 min"),
        (95, "1 h 35 min"),
        (605, "10 h 05 min"),
    ],
)
def test_minutes_are_shown_in_hours_and_minutes(minutes: float, text: str) -> None:
    assert hours(minutes) == text


def test_time_element_is_readable_by_people_and_programs() -> None:
    with timezone.override("Asia/Kolkata"):
        assert when(MOMENT) == (
            '<time datetime="2026-11-28T15:00:00+05:30">Sat 28 November 2026, 15:00 IST</time>'
        )
    assert when(None) == "to be announced"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", '<p dir="auto"></p>'),
        ("One\ntwo", '<p dir="auto">One<br>two</p>'),
        ("One\n\nTwo", '<p dir="auto">One</p>\n\n<p dir="auto">Two</p>'),
        ("<p>&<script>", '<p dir="auto">&lt;p&gt;&amp;&lt;script&gt;</p>'),
    ],
)
def test_paragraph_has_automatic_text_direction_and_escaped_tags(typed: str, expected: str) -> None:
    assert prose(typed) == expected
