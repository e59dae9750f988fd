"""Tests of registering, and of each decision about a registration in every state."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from tests.factories import make_event, make_players, make_student, make_user
from tests.tournament.helpers import get_refusal
from tournament.common.refusals import RefusedError
from tournament.models import AuditEntry, Event, Registration, User
from tournament.registration.services import (
    approve,
    count_free_spots,
    next_queue_number,
    refuse,
    register,
    withdraw,
)

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event()]
State = Registration.State
DECISIONS: dict[str, Callable[[Registration, User], Registration]] = {
    "approve": approve,
    "refuse": lambda row, by: refuse(row, by, "Not of this college."),
    "withdraw": withdraw,
}


def make_registration_in(event: Event, state: str, **fields: object) -> Registration:
    (row,) = make_players(event, 1)
    Registration.objects.filter(pk=row.pk).update(state=state, name="Asha", **fields)
    row.refresh_from_db()
    return row


@pytest.mark.parametrize(
    ("before", "decision", "after"),
    [
        (State.PENDING, "approve", State.APPROVED),
        (State.WAITLIST, "approve", State.APPROVED),
        (State.REFUSED, "approve", State.APPROVED),
        (State.APPROVED, "approve", "Asha: has a spot. There is nothing to approve."),
        (State.WITHDRAWN, "approve", "Asha: withdrawn. There is nothing to approve."),
        (State.DISQUALIFIED, "approve", "Asha: disqualified. There is nothing to approve."),
        (State.PENDING, "refuse", State.REFUSED),
        (State.WAITLIST, "refuse", State.REFUSED),
        (State.APPROVED, "refuse", State.REFUSED),
        (State.REFUSED, "refuse", "Asha: already rejected."),
        (State.WITHDRAWN, "refuse", "Asha: already withdrawn."),
        (State.DISQUALIFIED, "refuse", "Asha: already disqualified."),
        (State.PENDING, "withdraw", State.WITHDRAWN),
        (State.WAITLIST, "withdraw", State.WITHDRAWN),
        (State.APPROVED, "withdraw", State.WITHDRAWN),
        (State.REFUSED, "withdraw", "Asha: already rejected."),
        (State.WITHDRAWN, "withdraw", "Asha: already withdrawn."),
        (State.DISQUALIFIED, "withdraw", "Asha: already disqualified."),
    ],
)
def test_decision_is_applied_or_refused_with_the_current_state(
    event: Event, organizer: User, before: str, decision: str, after: str
) -> None:
    row = make_registration_in(event, before)
    done = DECISIONS[decision]
    if after in State.values:
        assert done(row, organizer).state == after
        entry = AuditEntry.objects.get(event=event)
        assert (entry.action, entry.actor) == (decision, organizer)
        assert entry.data["registration"] == row.pk
    else:
        refused = get_refusal(done, row, organizer)
        assert (refused.code, refused.sentence) == ("state", after)
        assert not AuditEntry.objects.exists()
    row.refresh_from_db()
    assert row.state == (after if after in State.values else before)
    assert (row.decided_by == organizer) is (after in State.values)


@pytest.mark.parametrize(
    ("before", "code", "message"),
    [
        (State.PENDING, "twice", "You are already registered for this event."),
        (State.APPROVED, "twice", "You are already registered for this event."),
        (State.WAITLIST, "twice", "You are already registered for this event."),
        (
            State.REFUSED,
            "refused-before",
            "The organizers have rejected your registration (“Not of us.”). If you have "
            "questions, ask them.",
        ),
        (
            State.DISQUALIFIED,
            "disqualified",
            "You were disqualified. If you have questions, ask the organizers.",
        ),
    ],
)
def test_only_withdrawn_players_may_register_again(
    event: Event, before: str, code: str, message: str
) -> None:
    row = make_registration_in(event, before, reason="Not of us.")
    refused = get_refusal(register, event, row.user)
    assert (refused.code, refused.sentence) == (code, message)


def test_returning_player_queues_behind_all_others(event: Event, organizer: User) -> None:
    row = make_registration_in(event, State.APPROVED)
    withdraw(row, organizer, "Ill.")
    others = make_players(event, 2)
    again = register(event, row.user, name="Asha")
    assert (again.pk, again.state, again.reason) == (row.pk, State.APPROVED, "")
    assert (again.decided_at, again.decided_by) == (None, None)
    assert again.queue_number == max(each.queue_number for each in others) + 1


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_refusal_requires_a_reason(event: Event, organizer: User, reason: str) -> None:
    row = make_registration_in(event, State.PENDING)
    refused = get_refusal(refuse, row, organizer, reason)
    assert refused.code == "no-reason"
    assert refused.sentence == "Give a reason. The player will read it."


def test_reason_is_stored_without_surrounding_whitespace(event: Event, organizer: User) -> None:
    row = refuse(make_registration_in(event, State.PENDING), organizer, "  Not of this college. \n")
    assert row.reason == "Not of this college."
    assert approve(row, organizer).reason == ""


@pytest.mark.parametrize(
    ("capacity", "states", "free"),
    [
        (None, [State.APPROVED], None),
        (3, [], 3),
        (3, [State.APPROVED, State.PENDING], 1),
        (3, [State.WAITLIST, State.REFUSED, State.WITHDRAWN, State.DISQUALIFIED], 3),
        (2, [State.APPROVED, State.APPROVED], 0),
        (1, [State.APPROVED, State.APPROVED], 0),  # the capacity was lowered
    ],
)
def test_approved_and_pending_registrations_take_up_spots(
    event: Event, capacity: int | None, states: list[str], free: int | None
) -> None:
    for number, state in enumerate(states):
        Registration.objects.filter(pk=make_players(event, 1)[0].pk).update(
            state=state, name=f"Player {number}"
        )
    event.capacity = capacity
    assert count_free_spots(event) == free


@pytest.mark.parametrize(
    ("capacity", "approval", "waiting", "state"),
    [
        (None, False, False, State.APPROVED),
        (None, True, False, State.PENDING),
        (1, False, False, State.APPROVED),
        (1, True, False, State.PENDING),
        (0, True, False, State.WAITLIST),
        (5, False, True, State.WAITLIST),  # new players do not overtake the waitlist
        (5, True, True, State.WAITLIST),
    ],
)
def test_new_registration_is_approved_pending_or_waitlisted(
    capacity: int | None, *, approval: bool, waiting: bool, state: str
) -> None:
    event = make_event()
    if waiting:
        make_registration_in(event, State.WAITLIST)
    if capacity == 0:
        make_registration_in(event, State.APPROVED)
    Event.objects.filter(pk=event.pk).update(
        capacity=None if capacity is None else max(1, capacity), requires_approval=approval
    )
    assert register(event, make_user("Ben")).state == state


@pytest.mark.parametrize(("places", "expected"), [(1, "The only spot is"), (2, "All 2 spots are")])
def test_approval_refused_by_a_full_event_names_its_capacity(
    event: Event, organizer: User, places: int, expected: str
) -> None:
    make_players(event, places)
    row = make_registration_in(event, State.WAITLIST)
    Event.objects.filter(pk=event.pk).update(capacity=places)
    refused = get_refusal(approve, row, organizer)
    assert (refused.code, refused.sentence) == (
        "full",
        f"{expected} taken. Add spots or wait for a withdrawal before you approve Asha.",
    )


def test_pending_registration_keeps_its_spot_in_a_full_event(event: Event, organizer: User) -> None:
    row = make_registration_in(event, State.PENDING)
    Event.objects.filter(pk=event.pk).update(capacity=1)
    assert approve(row, organizer).state == State.APPROVED


def test_queue_numbers_are_never_reused(event: Event) -> None:
    assert next_queue_number(event) == 1
    rows = make_players(event, 3)
    rows[0].delete()
    assert next_queue_number(event) == 4


OPENS_AT = datetime(2126, 11, 28, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"registration_opens": OPENS_AT},
            "not-open",
            "Registration opens on Thu 28 November 2126, 09:30 UTC.",
        ),
        (
            {"registration_closes": OPENS_AT.replace(year=2020)},
            "closed",
            "Registration for this event is closed.",
        ),
        ({"state": Event.State.DRAFT}, "closed", "Registration for this event is closed."),
        ({"state": Event.State.FINISHED}, "closed", "Registration for this event is closed."),
        (
            {"state": Event.State.RUNNING, "registration_closes": OPENS_AT.replace(year=2020)},
            "closed",
            "Registration for this event is closed. Play has begun. Ask the organizers "
            "whether you can still join.",
        ),
    ],
)
def test_registration_is_refused_outside_its_window(
    fields: dict[str, object], code: str, message: str
) -> None:
    refused = get_refusal(register, make_event(**fields), make_user())
    assert (refused.code, refused.sentence) == (code, message)


def test_player_who_registers_during_play_gets_a_spot() -> None:
    event = make_event(state=Event.State.RUNNING)
    assert register(event, make_user("Asha")).state == State.APPROVED


@pytest.mark.parametrize("name", ["", "  ", "\u200b"])
def test_name_is_required_without_a_list(event: Event, name: str) -> None:
    user = make_user()
    user.display_name = ""
    refused = get_refusal(register, event, user, name=name)
    assert refused.code == "no-name"
    assert refused.sentence == "Enter the name you want to play under."


def test_unconfirmed_address_cannot_take_part(event: Event) -> None:
    refused = get_refusal(register, event, make_user(verified=False))
    assert (refused.code, refused.sentence) == (
        "unverified",
        "Confirm your email address first, then register.",
    )


@pytest.mark.parametrize("name", ["Asha Sen", " asha  sen ", "ASHA SEN", "Аshа Sen", "AshaSen"])
def test_lookalike_name_is_refused(event: Event, name: str) -> None:
    register(event, make_user(), name="Asha Sen")
    refused = get_refusal(register, event, make_user(), name=name)
    assert refused.code == "name-taken"
    assert refused.sentence.startswith("Someone in this event already has the name “")


def test_roll_number_is_unique_regardless_of_spelling(event: Event) -> None:
    register(event, make_user("Asha"), roll_number="ch-001")
    with pytest.raises(
        RefusedError, match="Someone has already registered with roll number CH–001"
    ):
        register(event, make_user("Ben"), roll_number="CH–001")
    assert register(event, make_user("Chen"), roll_number="").roll_key == ""
    assert register(event, make_user("Dev"), roll_number=" ").roll_key == ""


def test_listed_player_uses_the_listed_name() -> None:
    event = make_event(eligibility_required=True)
    user = make_user("Ash")
    make_student(event, "CH-1", name="Asha Sen", email=user.email)
    row = register(event, user, roll_number="ch-1", name="Somebody else")
    assert (row.name, row.roll_number, row.roll_key) == ("Asha Sen", "CH-1", "CH-1")
