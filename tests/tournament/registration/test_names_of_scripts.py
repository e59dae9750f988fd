"""Tests of names in ten scripts: in registration, at tables and in exports."""

import unicodedata

import pytest

from tests.factories import make_event, make_user
from tests.tournament.names_of_scripts import ALL_NAMES
from tournament.exports.queries import EXPORTS
from tournament.registration.services import register

pytestmark = pytest.mark.django_db


def test_every_name_registers_with_all_others_and_is_kept_unchanged() -> None:
    event = make_event(capacity=len(ALL_NAMES), eligibility_required=False)
    for number, name in enumerate(ALL_NAMES):
        register(event, make_user(), roll_number=f"R{number}", name=name)
    written = [unicodedata.normalize("NFC", name) for name in ALL_NAMES]
    assert list(event.registrations.values_list("name", flat=True)) == written
    sheet = EXPORTS["registrations"].make(event, True)
    at = [column.key for column in sheet.columns].index("name")
    assert [row[at] for row in sheet.rows] == written
