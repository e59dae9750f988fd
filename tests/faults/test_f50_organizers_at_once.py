"""F50: two organizers, or an organizer and a student, at the same moment."""

import pytest

from tests.factories import (
    make_event,
    make_organizer,
    make_registrations,
)
from tests.tournament.helpers import at_once, first_stage, organized
from tournament.models import Round
from tournament.services import (
    approve,
    withdraw,
)
from tournament.services.seatings import publish_round, seat_round

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_withdrawal_during_the_approval_leaves_one_answer() -> None:
    event = make_event(requires_approval=True)
    organizer = make_organizer(event)
    (registration,) = make_registrations(event, 1)
    calls = [lambda: approve(registration, organizer), lambda: withdraw(registration, organizer)]
    codes = at_once(lambda _user, number: calls[number](), 2)
    registration.refresh_from_db()
    # Approved and then withdrawn, or withdrawn and then nothing to approve.
    assert (registration.state, sorted(codes)) in (
        ("withdrawn", ["", ""]),
        ("withdrawn", ["", "state"]),
    )


def test_organizers_who_draw_at_once_make_one_round() -> None:
    event, organizer = organized(8)
    stage = first_stage(event)
    at_once(lambda _user, _number: seat_round(stage, organizer), 4)
    played = Round.objects.get()
    assert [table.seats.count() for table in played.tables.all()] == [4, 4]


def test_organizers_who_publish_at_once_publish_once() -> None:
    event, organizer = organized(8)
    played = seat_round(first_stage(event), organizer)
    codes = at_once(lambda _user, _number: publish_round(played, organizer), 4)
    assert sorted(codes) == ["", "state", "state", "state"]
