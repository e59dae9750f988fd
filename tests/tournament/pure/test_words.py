"""Tests of ordinals and ranges of numbers."""

import pytest
from django.utils.translation import override

from tournament.pure.words import number_ranges, ordinal


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (10, "10th"),
        (11, "11th"),
        (12, "12th"),
        (13, "13th"),
        (21, "21st"),
        (102, "102nd"),
        (111, "111th"),
    ],
)
def test_ordinal_has_the_english_ending(number: int, text: str) -> None:
    assert ordinal(number) == text


@pytest.mark.parametrize("language", ["bn", "hi"])
def test_ordinal_in_other_languages_is_the_plain_number(language: str) -> None:
    with override(language):
        assert [ordinal(number) for number in (1, 2, 3, 4)] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("numbers", "ranges"),
    [
        ([], []),
        ([3], ["3"]),
        ([1, 2], ["1", "2"]),
        ([5, 6, 7, 8], ["5–8"]),
        ([1, 3, 4, 5, 9, 10], ["1", "3–5", "9", "10"]),
    ],
)
def test_consecutive_numbers_are_grouped_into_ranges(numbers: list[int], ranges: list[str]) -> None:
    assert number_ranges(numbers) == ranges
