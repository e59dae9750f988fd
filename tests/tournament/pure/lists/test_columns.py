"""Tests of the columns of a list, and of conditions on their values."""

from dataclasses import fields

import pytest

from tournament.pure.lists import ListedStudent
from tournament.pure.lists.columns import (
    COLUMNS,
    parse_conditions,
    unmet_conditions,
)

CONDITIONS = [{"field": "department", "value": "Chemical Engineering"},
            {"field": "programme", "value": "UG"}]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "department = Chemical Engineering and programme = UG",
        "Dept. = Chemical   Engineering; course=UG",
        "department=Chemical Engineering\nprogramme=UG\n",
        "; department=Chemical Engineering;; programme=UG",
    ],
)
def test_conditions_are_parsed(text: str) -> None:
    assert parse_conditions(text) == CONDITIONS


def test_word_and_does_not_split_a_value() -> None:
    assert parse_conditions("department = Food and Beverage") == [
        {"field": "department", "value": "Food and Beverage"}
    ]


@pytest.mark.parametrize("text", ["department", "department =", "shoe size = 42", "= UG"])
def test_invalid_condition_is_refused(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not a condition\. Write a condition like department = Chemical"
    ):
        parse_conditions(text)


def test_case_and_spaces_do_not_matter_in_conditions() -> None:
    good = {"department": " chemical  engineering", "programme": "U G"}
    assert unmet_conditions(good, CONDITIONS) == []
    assert [each.sentence for each in unmet_conditions({"department": "Physics"}, CONDITIONS)] == [
        "This event is for students whose department is Chemical Engineering; on the "
        "eligibility list, yours is “Physics”.",
        "This event is for students whose programme is UG; on the eligibility list, "
        "yours is empty.",
    ]


def test_joiners_do_not_matter_in_conditions() -> None:
    wanted = [{"field": "department", "value": "ইন্\u200cজিনিয়ারিং"}]
    assert unmet_conditions({"department": "ইন্জিনিয়ারিং"}, wanted) == []


def test_every_column_has_a_title() -> None:
    assert all(column.title for column in COLUMNS.values())


def test_student_has_the_list_columns_in_order() -> None:
    assert [field.name for field in fields(ListedStudent)] == list(COLUMNS)
