"""Tests of walk-ins, who come to the desk without a registration."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from tests.factories import make_event, make_registrations, make_student, make_user
from tests.tournament.helpers import get_refusal, get_refusal_code
from tournament.attendance.walk_ins import WalkIn, register_walk_in
from tournament.models import AuditEntry, Event, Registration, User
from tournament.people.accounts.desk_codes import create_desk_code, use_desk_code
from tournament.registration.services import register, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(check_in=True)]


def add_walk_in(
    event: Event, organizer: User, name: str = "Asha Sen", **fields: Any
) -> Registration:
    return register_walk_in(event, organizer, WalkIn(name, **fields))


def require_eligibility(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(eligibility_required=True)
    event.refresh_from_db()
    return event


def test_walk_in_without_email_gets_a_spot_and_is_checked_in(event: Event, organizer: User) -> None:
    player = add_walk_in(event, organizer, roll_number="CHE-7")
    assert (player.state, player.roll_number) == ("approved", "CHE-7")
    assert (player.checked_in_by, player.decided_by) == (organizer, organizer)
    assert player.user.mailbox == ""
    assert not player.user.has_usable_password()
    assert mail.outbox == []


def test_walk_in_without_email_signs_in_with_a_desk_code(event: Event, organizer: User) -> None:
    player = add_walk_in(event, organizer)
    assert use_desk_code(create_desk_code(player, organizer).code) == player


def test_two_walk_ins_without_email_are_separate_people(event: Event, organizer: User) -> None:
    first, second = add_walk_in(event, organizer), add_walk_in(event, organizer, "Ben Roy")
    assert first.user != second.user


def test_walk_in_with_email_gets_an_account_to_confirm(event: Event, organizer: User) -> None:
    player = add_walk_in(event, organizer, email="Asha@College.example")
    assert player.user.mailbox == "asha@college.example"
    assert [each.verified for each in EmailAddress.objects.filter(user=player.user)] == [False]


def test_known_address_reuses_the_existing_account(event: Event, organizer: User) -> None:
    user = make_user(email="asha@college.example")
    assert add_walk_in(event, organizer, email="ASHA@college.example").user == user


def test_walk_in_is_logged_with_a_reason(event: Event, organizer: User) -> None:
    add_walk_in(event, organizer, reason="Forgot.")
    entry = AuditEntry.objects.get(action="walk-in")
    assert (entry.text, entry.reason) == ("Added Asha Sen as a walk-in: has a spot.", "Forgot.")


def test_walk_in_is_not_checked_in_without_check_in(organizer: User) -> None:
    assert add_walk_in(make_event(), organizer).checked_in_at is None


def test_walk_in_does_not_need_open_registration(event: Event, organizer: User) -> None:
    Event.objects.update(state=Event.State.RUNNING)
    assert add_walk_in(event, organizer).state == "approved"


@pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED])
def test_walk_in_needs_a_running_event(event: Event, organizer: User, state: str) -> None:
    Event.objects.update(state=state)
    assert get_refusal_code(add_walk_in, event, organizer) == "closed"


def test_walk_in_needs_a_name(event: Event, organizer: User) -> None:
    assert get_refusal_code(add_walk_in, event, organizer, " ") == "no-name"


def test_walk_in_cannot_be_registered_twice(event: Event, organizer: User) -> None:
    add_walk_in(event, organizer, email="asha@college.example", roll_number="CHE-7")
    assert (
        get_refusal_code(add_walk_in, event, organizer, "Ben", email="asha@college.example")
        == "twice"
    )
    assert get_refusal_code(add_walk_in, event, organizer, "Ben", roll_number=" che-7") == "taken"
    assert get_refusal_code(add_walk_in, event, organizer, "asha  sen") == "name-taken"


def test_withdrawn_player_can_return_as_a_walk_in(event: Event, organizer: User) -> None:
    before = make_registrations(event, 1)[0]
    withdraw(before, before.user)
    after = add_walk_in(event, organizer, "Asha Sen", email=before.user.email)
    assert (after.pk, after.state) == (before.pk, "approved")


def test_walk_in_joins_the_waitlist_of_a_full_event(organizer: User) -> None:
    event = make_event(capacity=2)
    make_registrations(event, 2)
    assert add_walk_in(event, organizer, first=True, reason="Late train.").state == "waitlist"


@pytest.fixture
def waitlist_event(event: Event) -> Event:
    """Provide a running event with one free spot and one player on the waitlist.

    While an event is running, no one moves up automatically.
    """
    Event.objects.filter(pk=event.pk).update(capacity=2)
    event.refresh_from_db()
    first, _second, _waiting = make_registrations(event, 3)
    Event.objects.update(state=Event.State.RUNNING)
    withdraw(first, first.user)
    return event


def test_walk_in_queues_behind_the_waitlist(waitlist_event: Event, organizer: User) -> None:
    assert add_walk_in(waitlist_event, organizer).state == "waitlist"


def test_skipping_the_waitlist_needs_a_reason(waitlist_event: Event, organizer: User) -> None:
    waiting = waitlist_event.registrations.get(state="waitlist")
    refusal = get_refusal(add_walk_in, waitlist_event, organizer, first=True)
    assert refusal.code == "needs-why"
    assert refusal.sentence.startswith(f"{waiting.name} have waited longer than Asha Sen.")
    assert (
        add_walk_in(waitlist_event, organizer, first=True, reason="They left.").state == "approved"
    )


def test_listed_student_is_registered_with_the_listed_name(event: Event, organizer: User) -> None:
    student = make_student(require_eligibility(event), "CHE-7", name="Asha Devi Sen")
    player = add_walk_in(event, organizer, roll_number=" che-7")
    assert (player.student, player.name) == (student, "Asha Devi Sen")


def test_event_with_a_student_list_requires_a_roll_number(event: Event, organizer: User) -> None:
    assert get_refusal_code(add_walk_in, require_eligibility(event), organizer) == "no-roll"


def test_unlisted_walk_in_needs_a_reason_and_is_added_to_the_list(
    event: Event, organizer: User
) -> None:
    require_eligibility(event)
    refusal = get_refusal(add_walk_in, event, organizer, roll_number="CHE-9")
    assert refusal.sentence == (
        "No one with roll number CHE-9 is on the eligibility list. To let Asha Sen in "
        "anyway, say why."
    )
    add_walk_in(event, organizer, roll_number="CHE-9", reason="Joined in June.")
    assert event.students.get().exception == "Joined in June."


def test_unmet_condition_can_be_overruled_with_a_reason(event: Event, organizer: User) -> None:
    require_eligibility(event)
    Event.objects.update(conditions=[{"field": "programme", "value": "UG"}])
    student = make_student(event, "CHE-7", programme="PG")
    assert get_refusal_code(add_walk_in, event, organizer, roll_number="CHE-7") == "needs-why"
    add_walk_in(event, organizer, roll_number="CHE-7", reason="Guest of the club.")
    student.refresh_from_db()
    assert student.exception == "Guest of the club."


def test_address_outside_the_college_needs_a_reason(event: Event, organizer: User) -> None:
    Event.objects.update(email_domains=["uni.edu"])
    assert (
        get_refusal_code(add_walk_in, event, organizer, email="a@uni.edu.evil.com") == "needs-why"
    )
    assert add_walk_in(event, organizer, email="a@uni.edu").state == "approved"


def test_walk_in_cannot_register_again(event: Event, organizer: User) -> None:
    player = add_walk_in(event, organizer, email="asha@college.example")
    EmailAddress.objects.filter(user=player.user).update(verified=True)
    assert get_refusal_code(register, event, player.user, name="Asha") == "twice"
