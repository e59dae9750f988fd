"""The waitlist: players move up in turn, or before others with a reason, and the log says so."""

import pytest

from tests.factories import make_event, make_organizer, make_registrations
from tests.tournament.helpers import code_of, refusal_of
from tournament.models import Event, Registration, User
from tournament.registration.services import approve, approve_all, approve_waiting, refuse, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def waiting_in_play() -> tuple[Event, User, list[Registration]]:
    """Play has begun with two places; three wait, in this order, and then two more are free."""
    event = make_event(capacity=2)
    organizer = make_organizer(event)
    rows = make_registrations(event, 5)
    Event.objects.filter(pk=event.pk).update(state="running", capacity=4)
    return event, organizer, rows[2:]


def test_who_waits_longer_is_passed_over_only_with_a_reason() -> None:
    event, organizer, (first, second, third) = waiting_in_play()
    refused = refusal_of(approve, third, organizer)
    assert (refused.code, refused.sentence) == (
        "out-of-order",
        f"These players have been waiting longer than {third.name}: {first.name} and "
        f"{second.name}. "
        f"Say why {third.name} comes first.",
    )
    assert code_of(approve, third, organizer, " ") == "out-of-order"
    assert approve(third, organizer, "The others have gone home.").state == "approved"
    entry = event.audit.get(action="approve")
    assert (entry.text, entry.reason) == (
        f"Approved {third.name}.",
        "The others have gone home.",
    )


def test_in_the_order_of_arrival_nobody_asks_why() -> None:
    event, organizer, (first, second, _third) = waiting_in_play()
    assert approve_all([second, first], organizer, "Not needed.") == 2
    assert list(event.audit.values_list("reason", flat=True)) == ["", ""]


def test_whoever_was_refused_after_others_came_does_not_pass_them_unsaid() -> None:
    _event, organizer, (first, second, _third) = waiting_in_play()
    refuse(second, organizer, "Not enrolled.")
    assert code_of(approve, second, organizer) == "out-of-order"
    approve(first, organizer)
    assert approve(second, organizer).state == "approved"


def test_who_moves_up_is_in_the_log_by_nobodys_hand() -> None:
    event = make_event(capacity=1)
    first, second = make_registrations(event, 2)
    withdraw(first, first.user)
    entry = event.audit.get(action="moved-up")
    assert (entry.actor, entry.text, entry.data) == (
        None,
        f"{second.name} moved up from the waitlist.",
        {"registration": second.pk},
    )


def test_the_free_places_go_to_those_who_wait_longest() -> None:
    event, organizer, waiting = waiting_in_play()
    assert approve_waiting(event, organizer, 2) == 2
    states = [event.registrations.get(pk=row.pk).state for row in waiting]
    assert states == ["approved", "approved", "waitlist"]


def test_without_a_limit_all_who_wait_come_in() -> None:
    event, organizer, _waiting = waiting_in_play()
    Event.objects.update(capacity=None)
    assert approve_waiting(event, organizer, 3) == 3


def test_a_list_that_has_changed_since_is_looked_at_again() -> None:
    event, organizer, (first, _second, _third) = waiting_in_play()
    approve(first, organizer)
    assert code_of(approve_waiting, event, organizer, 2) == "changed"
