"""Tests of the waitlist: players move up in order, or out of order for a logged reason."""

import pytest

from tests.factories import make_event, make_organizer, make_registrations
from tests.tournament.helpers import get_refusal, get_refusal_code
from tournament.models import Event, Registration, User
from tournament.registration.services import approve, approve_all, approve_waiting, refuse, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def start_event_with_waitlist() -> tuple[Event, User, list[Registration]]:
    """Start an event with two spots and three waiting players, then add two more spots.

    Return the waiting registrations in the order of the waitlist.
    """
    event = make_event(capacity=2)
    organizer = make_organizer(event)
    rows = make_registrations(event, 5)
    Event.objects.filter(pk=event.pk).update(state="running", capacity=4)
    return event, organizer, rows[2:]


def test_skipping_the_waitlist_needs_a_reason() -> None:
    event, organizer, (first, second, third) = start_event_with_waitlist()
    refused = get_refusal(approve, third, organizer)
    assert (refused.code, refused.sentence) == (
        "out-of-order",
        f"These players have been waiting longer than {third.name}: {first.name} and "
        f"{second.name}. "
        f"Say why {third.name} comes first.",
    )
    assert get_refusal_code(approve, third, organizer, " ") == "out-of-order"
    assert approve(third, organizer, "The others have gone home.").state == "approved"
    entry = event.audit.get(action="approve")
    assert (entry.text, entry.reason) == (
        f"Approved {third.name}.",
        "The others have gone home.",
    )


def test_approval_in_order_of_arrival_needs_no_reason() -> None:
    event, organizer, (first, second, _third) = start_event_with_waitlist()
    assert approve_all([second, first], organizer, "Not needed.") == 2
    assert list(event.audit.values_list("reason", flat=True)) == ["", ""]


def test_restoring_a_refused_registration_ahead_of_others_needs_a_reason() -> None:
    _event, organizer, (first, second, _third) = start_event_with_waitlist()
    refuse(second, organizer, "Not enrolled.")
    assert get_refusal_code(approve, second, organizer) == "out-of-order"
    approve(first, organizer)
    assert approve(second, organizer).state == "approved"


def test_automatic_promotion_is_logged_without_an_actor() -> None:
    event = make_event(capacity=1)
    first, second = make_registrations(event, 2)
    withdraw(first, first.user)
    entry = event.audit.get(action="moved-up")
    assert (entry.actor, entry.text, entry.data) == (
        None,
        f"{second.name} moved up from the waitlist.",
        {"registration": second.pk},
    )


def test_free_spots_go_to_the_players_who_have_waited_longest() -> None:
    event, organizer, waiting = start_event_with_waitlist()
    assert approve_waiting(event, organizer, 2) == 2
    states = [event.registrations.get(pk=row.pk).state for row in waiting]
    assert states == ["approved", "approved", "waitlist"]


def test_all_waiting_players_get_a_spot_without_a_limit() -> None:
    event, organizer, _waiting = start_event_with_waitlist()
    Event.objects.update(capacity=None)
    assert approve_waiting(event, organizer, 3) == 3


def test_approval_from_an_outdated_waitlist_is_refused() -> None:
    event, organizer, (first, _second, _third) = start_event_with_waitlist()
    approve(first, organizer)
    assert get_refusal_code(approve_waiting, event, organizer, 2) == "changed"
