"""Tests of invalid numbers in requests to the organizers' pages."""

import pytest
from django.contrib.messages import get_messages
from django.test import Client

from tests.tournament.web.admin.base.test_access import event, get_page_address
from tournament.models import Event, User

__all__ = ["event"]
pytestmark = pytest.mark.django_db
# A number too long for Python, and a character that only looks like a number.
NUMBERS = ["9" * 5000, "²"]
WHOLE_NUMBER_ERROR = "Enter a whole number."
# Page, action and field, with the error message for an invalid number.
NUMBER_ERRORS = [
    ("table", "time", "seconds", "Enter the seconds as a whole number."),
    ("table", "minutes", "minutes", WHOLE_NUMBER_ERROR),
    ("table", "turn", "seconds", WHOLE_NUMBER_ERROR),
    ("table", "redo", "hand", "Reload this page to see which hand is in progress."),
    (
        "table",
        "paper",
        "points",
        "Enter the points for every seat and the number of hands as whole numbers.",
    ),
    ("messages", "send", "minutes", "Enter the minutes as a whole number."),
    ("privacy", "keep", "days", "Enter a number of days from 1 to 3650, or leave the field empty."),
    ("reveal", "down-to", "place", "Enter the place as a whole number."),
]
# Page, action and the field with the id of a row.
KEY_FIELDS = [
    ("bracket", "withdraw", "registration"),
    ("check-in", "check-in", "who"),
    ("control", "close", "round"),
    ("desk", "draw", "stage"),
    ("list", "no-exception", "student"),
    ("list", "undo", "upload"),
    ("mails", "again", "mail"),
    ("messages", "back", "message"),
    ("waiting", "confirm", "proposal"),
    ("people", "role-off", "user"),
    ("people", "invite-off", "invitation"),
    ("player", "take-back", "ruling"),
    ("privacy", "anonymise", "registration"),
    ("round", "change", "player"),
    ("rounds", "draw", "stage"),
    ("sign-in", "show", "registration"),
    ("table", "undo", "result"),
]
# Page and query parameter.
ADDRESSES = [
    ("waiting", "step"),
    ("round", "why"),
    ("round", "reserve"),
    ("check-in", "came"),
    ("print", "table"),
]


@pytest.fixture
def client(client: Client, organizer: User) -> Client:
    client.force_login(organizer)
    return client


@pytest.mark.parametrize(("name", "action", "field", "words"), NUMBER_ERRORS)
def test_non_numeric_input_is_reported(
    client: Client, event: Event, name: str, action: str, field: str, words: str
) -> None:
    fields = {"action": action, "reason": "So.", "paper": "on", "whom": "everybody"}
    for number in NUMBERS:
        answer = client.post(get_page_address(name, event), {**fields, field: number})
        *_before, found = get_messages(answer.wsgi_request)
        assert str(found) == words


@pytest.mark.parametrize(("name", "action", "field"), KEY_FIELDS)
def test_invalid_row_id_is_not_found(
    client: Client, event: Event, name: str, action: str, field: str
) -> None:
    for number in NUMBERS:
        asked = {"action": action, "reason": "So.", field: number}
        assert client.post(get_page_address(name, event), asked).status_code == 404


@pytest.mark.parametrize(("name", "field"), ADDRESSES)
def test_non_numeric_query_parameter_is_ignored(
    client: Client, event: Event, name: str, field: str
) -> None:
    assert client.get(get_page_address(name, event), {field: NUMBERS[0]}).status_code == 200
