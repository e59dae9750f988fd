"""F49: a student who registers several times at the same moment."""

import pytest

from tests.factories import (
    make_event,
    make_user,
)
from tests.tournament.helpers import run_concurrently
from tournament.models import Registration
from tournament.registration.services import register

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_student_registering_from_two_phones_is_registered_once() -> None:
    event, user = make_event(), make_user()
    codes = run_concurrently(lambda _, n: register(event, user, roll_number="R1"), 8)
    assert sorted(codes) == [""] + ["twice"] * 7
    assert Registration.objects.filter(event=event).count() == 1
