"""Tests of choosing the columns of an uploaded list, and of reusing the choice."""

import pytest

from tests.factories import make_event, make_organizer
from tests.tournament.helpers import get_refusal_code
from tests.tournament.lists import upload_text
from tournament.models import Event, User
from tournament.registration.eligibility.uploads import (
    Choices,
    apply_import,
    choose_columns,
    get_report,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event(eligibility_required=True)


@pytest.fixture
def organizer(event: Event) -> User:
    return make_organizer(event)


UNKNOWN_HEADERS = "Kennung,Familie,Ruf,Post\n1,Sen,Asha,asha@college.edu\n"


def test_columns_for_unknown_headings_are_chosen_and_remembered(
    event: Event, organizer: User
) -> None:
    first = upload_text(event, organizer, UNKNOWN_HEADERS)
    assert get_report(first).problem.startswith("The first line must name the columns")
    assert get_refusal_code(apply_import, first, organizer, Choices(remove=True)) == "no-columns"
    chosen = choose_columns(first, ["roll_number", "last", "first", ""])
    assert get_report(chosen).headings == (
        ("Kennung", "roll_number"), ("Familie", "name"), ("Ruf", "name"), ("Post", "")
    )  # fmt: skip
    apply_import(chosen, organizer)
    second = upload_text(
        event, organizer, UNKNOWN_HEADERS.replace("1,Sen", "2,Roy").replace("asha@", "a2@")
    )
    assert get_report(second).problem == ""
    apply_import(second, organizer)
    rows = event.students.order_by("pk").values_list("roll_number", "name", "email")
    assert list(rows) == [("1", "Asha Sen", ""), ("2", "Asha Roy", "")]


def test_roll_number_column_is_chosen_from_two_candidates(event: Event, organizer: User) -> None:
    text = "College Roll Number,University Roll Number,Name\n1,U-77,Asha\n"
    kept = upload_text(event, organizer, text)
    assert get_report(kept).problem != ""
    chosen = choose_columns(kept, ["", "roll_number", "name"])
    assert [row[2][:2] for row in get_report(chosen).rows] == [["U-77", "Asha"]]


def test_column_choice_without_a_roll_number_is_refused(event: Event, organizer: User) -> None:
    kept = upload_text(event, organizer, UNKNOWN_HEADERS)
    assert get_refusal_code(choose_columns, kept, ["", "name", "", ""]) == "no-columns"
    assert (
        get_refusal_code(choose_columns, kept, ["roll_number", "roll_number", "name"])
        == "columns-twice"
    )


def test_first_and_last_name_are_joined_automatically(event: Event, organizer: User) -> None:
    text = "First name,Last name,ID number,Email address\nAsha,Sen,7,a@college.edu\n"
    kept = upload_text(event, organizer, text)
    apply_import(kept, organizer)
    row = event.students.get()
    assert (row.roll_number, row.name, row.email) == ("7", "Asha Sen", "a@college.edu")
