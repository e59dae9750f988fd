"""Tests of the desk's sentences about registrations during an event."""

import pytest

from tests.factories import make_registrations
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tournament.desk.queries import DeskStep, list_desk_steps
from tournament.models import Event
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def get_current_step(event: Event) -> str:
    return next(step.key for step in list_desk_steps(event) if step.current)


def get_registrations_step(event: Event) -> DeskStep:
    event.refresh_from_db()
    return next(step for step in list_desk_steps(event) if step.key == "registrations")


def start_event_with_waitlist(capacity: int | None) -> Event:
    """Start an event with eight players and two on the waitlist, then set its capacity."""
    event, organizer = make_organized_event(8)
    Event.objects.filter(pk=event.pk).update(capacity=8)
    make_registrations(event, 2)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    Event.objects.filter(pk=event.pk).update(capacity=capacity)
    return event


@pytest.mark.parametrize(
    ("capacity", "expected"),
    [
        (
            9,
            "8/9 with a spot, 2 on the waitlist. Registration has closed. 1 spot is "
            "free. Now that play has begun, no one moves up automatically. Approve the "
            "players you still want to let in.",
        ),
        (
            10,
            "8/10 with a spot, 2 on the waitlist. Registration has closed. 2 spots "
            "are free. Now that play has begun, no one moves up automatically. Approve the "
            "players you still want to let in.",
        ),
        (
            None,
            "8 with a spot, 2 on the waitlist. Registration has closed. Now that play "
            "has begun, no one moves up automatically. Approve the players you still want "
            "to let in.",
        ),
    ],
)
def test_desk_explains_a_waitlist_despite_free_spots(capacity: int | None, expected: str) -> None:
    step = get_registrations_step(start_event_with_waitlist(capacity))
    assert (step.text, step.state) == (expected, "asks")


def test_full_running_event_has_no_open_decisions() -> None:
    step = get_registrations_step(start_event_with_waitlist(8))
    assert (step.text, step.state) == (
        "8/8 with a spot, 2 on the waitlist. Registration has closed. All spots "
        "are taken, so the waitlist stays as it is.",
        "done",
    )


def test_pending_approval_during_play_is_shown_but_does_not_block() -> None:
    event = start_event_with_waitlist(8)
    event.registrations.filter(state="waitlist").update(state="pending")
    assert get_registrations_step(event).state == "asks"
    assert get_current_step(event) == "rounds"
    Event.objects.filter(pk=event.pk).update(state="finished")
    assert get_registrations_step(event).state == "done"


def test_draft_registration_is_not_described_as_closed() -> None:
    event, _organizer = make_organized_event(0)
    Event.objects.filter(pk=event.pk).update(state="draft")
    assert get_registrations_step(event).text == (
        "0 with a spot. No one can register until the event is published."
    )


@pytest.mark.parametrize(
    ("rotation", "partners", "is_warned"),
    [
        (True, False, True),
        (True, True, False),
        (False, True, False),
        (False, False, False),
    ],
)
def test_desk_warns_about_partner_rotation_without_partners(
    rotation: bool, partners: bool, is_warned: bool
) -> None:
    event, _organizer = make_organized_event(0, options={"partners": partners})
    event.stages.filter(number=1).update(rotation=rotation)
    step = next(step for step in list_desk_steps(event) if step.key == "prepare")
    assert (
        "but partners are turned off in the rules. Turn them on under “Rules”" in step.text
    ) == is_warned


@pytest.mark.parametrize(
    ("limit", "ends"),
    [
        (None, "after 30 minutes"),
        (1, "after 1 hand or after 30 minutes"),
        (2, "after 2 hands or after 30 minutes"),
    ],
)
def test_rules_state_the_maximum_hands_per_match(limit: int | None, ends: str) -> None:
    event, _organizer = make_organized_event(0, hand_limit=limit)
    assert next(step.text for step in list_desk_steps(event) if step.key == "prepare") == (
        "UNO to 400, tables of 4. The first player to reach 400 points wins the match. Unless "
        f"it ends sooner, a match ends {ends}, and the highest total wins it."
    )
