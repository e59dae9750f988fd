from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    make_event,
    make_organizer,
    make_registrations,
    make_student,
    make_user,
)
from tests.tournament.helpers import first_stage, get_refusal_code, make_organized_event
from tournament.common.refusals import RefusedError
from tournament.models import AuditEntry, Event, Registration, User
from tournament.registration.services import (
    approve,
    approve_all,
    refuse,
    refuse_all,
    register,
    withdraw,
    withdraw_all,
)
from tournament.seating.changes import change_seats
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def listed_event() -> Event:
    return make_event(
        eligibility_required=True,
        conditions=[
            {"field": "department", "value": "Chemical Engineering"},
            {"field": "programme", "value": "UG"},
        ],
    )


def make_chemistry_student(event: Event, user: User, **fields: str) -> None:
    defaults = {
        "roll": "CHE-001",
        "name": "Asha Sen",
        "email": user.email,
        "department": "Chemical Engineering",
        "programme": "UG",
    }
    make_student(event, **(defaults | fields))


def test_listed_student_gets_a_spot_under_their_listed_name(listed_event: Event) -> None:
    user = make_user("Ash")
    make_chemistry_student(listed_event, user)
    registration = register(listed_event, user, roll_number=" che-001 ")
    assert (registration.state, registration.name, registration.roll_number) == (
        "approved",
        "Asha Sen",
        "CHE-001",
    )


def test_unlisted_roll_number_is_refused(listed_event: Event) -> None:
    assert (
        get_refusal_code(register, listed_event, make_user(), roll_number="CHE-999") == "not-listed"
    )
    assert get_refusal_code(register, listed_event, make_user(), roll_number="  ") == "no-roll"


def get_registration_refusal(event: Event, roll_number: str) -> tuple[str, str]:
    with pytest.raises(RefusedError) as refused:
        register(event, make_user(), roll_number=roll_number)
    return refused.value.code, refused.value.sentence


def test_registering_does_not_reveal_who_is_listed(listed_event: Event) -> None:
    make_chemistry_student(listed_event, make_user(), email="somebody.else@college.example")
    on_the_list, not_on_it = (
        get_registration_refusal(listed_event, "CHE-001"),
        get_registration_refusal(listed_event, "CHE-999"),
    )
    assert on_the_list == not_on_it
    assert on_the_list == (
        "not-listed",
        "Your roll number and email address don’t match an entry on this event’s "
        "eligibility list. Check the number for typos, sign in with your college "
        "address, or ask the organizers.",
    )


def test_taken_roll_number_is_not_revealed_to_others(listed_event: Event) -> None:
    owner = make_user()
    make_chemistry_student(listed_event, owner)
    register(listed_event, owner, roll_number="CHE-001")
    assert get_registration_refusal(listed_event, "CHE-001") == get_registration_refusal(
        listed_event, "CHE-999"
    )


def register_without_email(event: Event, **fields: str) -> None:
    make_chemistry_student(event, make_user(), **({"email": ""} | fields))


def test_unproven_roll_number_waits_for_approval_under_the_players_own_name(
    listed_event: Event,
) -> None:
    register_without_email(listed_event)
    registration = register(listed_event, make_user("Ash"), roll_number=" che-001 ")
    shown = (registration.state, registration.name, registration.roll_number)
    assert shown == ("pending", "Ash", "CHE-001")
    approve(registration, make_organizer(listed_event))
    registration.refresh_from_db()
    shown = (registration.state, registration.name, registration.roll_number)
    assert shown == ("approved", "Asha Sen", "CHE-001")


def test_registration_without_a_name_shows_the_roll_number(listed_event: Event) -> None:
    register_without_email(listed_event)
    assert register(listed_event, make_user(" "), roll_number="CHE-001").name == "CHE-001"


@pytest.mark.parametrize("fields", [{"department": "Civil Engineering"}, {"programme": ""}])
def test_listed_details_are_hidden_from_users_without_an_address(
    listed_event: Event, fields: dict[str, str]
) -> None:
    register_without_email(listed_event, **fields)
    assert get_registration_refusal(listed_event, "CHE-001") == get_registration_refusal(
        listed_event, "CHE-999"
    )


def test_taken_roll_number_is_hidden_from_users_without_an_address(listed_event: Event) -> None:
    register_without_email(listed_event)
    register(listed_event, make_user(), roll_number="CHE-001")
    assert get_registration_refusal(listed_event, "CHE-001") == get_registration_refusal(
        listed_event, "CHE-999"
    )


@pytest.mark.parametrize(
    ("address", "state", "name"), [(False, "pending", "Ash"), (True, "approved", "Asha Sen")]
)
def test_waitlisted_player_moves_up_automatically_only_with_a_proven_roll_number(
    listed_event: Event, address: bool, state: str, name: str
) -> None:
    first, second = make_user("Ben"), make_user("Ash")
    make_chemistry_student(listed_event, first, roll="CHE-002", name="Ben Roy")
    register_without_email(listed_event)
    Event.objects.filter(pk=listed_event.pk).update(capacity=1)
    placed = register(listed_event, first, roll_number="CHE-002")
    waiting = register(listed_event, second, roll_number="CHE-001")
    assert (waiting.state, waiting.name) == ("waitlist", "Ash")
    if address:
        listed_event.students.filter(roll_key="CHE-001").update(email=second.email)
    withdraw(placed, first)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.name) == (state, name)


def test_unconfirmed_address_is_refused(listed_event: Event) -> None:
    user = make_user(verified=False)
    make_chemistry_student(listed_event, user)
    assert get_refusal_code(register, listed_event, user, roll_number="CHE-001") == "unverified"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (
            "department",
            "Civil Engineering",
            "on the eligibility list, yours is “Civil Engineering”",
        ),
        ("programme", "", "on the eligibility list, yours is empty"),
    ],
)
def test_unmet_condition_is_named(listed_event: Event, field: str, value: str, words: str) -> None:
    user = make_user()
    make_chemistry_student(listed_event, user, **{field: value})
    with pytest.raises(RefusedError, match=words) as refusal:
        register(listed_event, user, roll_number="CHE-001")
    assert refusal.value.code == "condition"


def test_conditions_ignore_case(listed_event: Event) -> None:
    user = make_user()
    make_chemistry_student(listed_event, user, department="chemical engineering ", programme="ug")
    assert register(listed_event, user, roll_number="CHE-001").state == "approved"


def test_registration_is_possible_only_within_its_window() -> None:
    now, hour = timezone.now(), timedelta(hours=1)
    early = make_event(registration_opens=now + hour)
    late = make_event(registration_closes=now - hour)
    draft = make_event(state=Event.State.DRAFT)
    assert get_refusal_code(register, early, make_user()) == "not-open"
    assert get_refusal_code(register, late, make_user()) == "closed"
    assert get_refusal_code(register, draft, make_user()) == "closed"


def test_second_registration_is_refused() -> None:
    event, user = make_event(), make_user()
    register(event, user, roll_number="R1")
    assert get_refusal_code(register, event, user, roll_number="R1") == "twice"
    assert get_refusal_code(register, event, make_user(), roll_number="r 1") == "taken"
    assert event.registrations.count() == 1


def test_registration_requires_a_name() -> None:
    user = make_user(" ")
    assert get_refusal_code(register, make_event(), user, roll_number="R1") == "no-name"


def make_impostor(
    listed: Event, organizer: User, end_registration: Callable[..., object]
) -> tuple[Registration, User]:
    """Return the registration of a person who took Asha's spot and lost it, and Asha herself.

    Asha has a separate account.
    """
    owner = make_user()
    make_chemistry_student(listed, owner)
    other = register(listed, owner, roll_number="CHE-001")
    end_registration(other, organizer, "This is not Asha.")
    asha = make_user()
    listed.students.update(email=asha.email)
    return other, asha


@pytest.mark.parametrize("end_registration", [refuse, withdraw])
def test_roll_number_is_free_again_after_its_registration_ends(
    listed_event: Event, end_registration: Callable[..., object]
) -> None:
    _, asha = make_impostor(listed_event, make_organizer(listed_event), end_registration)
    assert register(listed_event, asha, roll_number="CHE-001").state == "approved"


def test_refused_registration_is_not_approved_if_its_roll_number_is_reused(
    listed_event: Event,
) -> None:
    organizer = make_organizer(listed_event)
    other, asha = make_impostor(listed_event, organizer, refuse)
    register(listed_event, asha, roll_number="CHE-001")
    with pytest.raises(RefusedError) as refused:
        approve(other, organizer)
    assert (refused.value.code, refused.value.sentence) == (
        "taken",
        "Asha Sen is already taking part with roll number CHE-001. Reject or withdraw "
        "that registration before you approve this one.",
    )
    other.refresh_from_db()
    assert other.state == "refused"


def test_withdrawn_player_cannot_return_while_a_second_account_is_registered() -> None:
    event = make_event()
    (first,) = make_registrations(event, 1)
    withdraw(first, first.user)
    register(event, make_user(), roll_number=first.roll_number)
    assert get_refusal_code(register, event, first.user, roll_number=first.roll_number) == "taken"


@pytest.mark.parametrize("end_registration", [refuse, withdraw])
def test_name_is_free_again_after_its_registration_ends(
    end_registration: Callable[..., object],
) -> None:
    event = make_event()
    organizer = make_organizer(event)
    first = register(event, make_user(), name="Rohan I")
    end_registration(first, organizer, "This is not Rohan.")
    second = register(event, make_user(), name="Rohan I")
    assert (second.name, second.state) == ("Rohan I", "approved")


def test_refused_registration_is_not_approved_if_its_name_is_reused() -> None:
    event = make_event()
    organizer = make_organizer(event)
    first = register(event, make_user(), name="Rohan I")
    refuse(first, organizer, "This is not Rohan.")
    register(event, make_user(), name="Rohan l")
    assert get_refusal_code(approve, first, organizer) == "name-taken"
    second = register(event, make_user(), name="Gita")
    refuse(second, organizer, "Not enrolled.")
    assert approve(second, organizer).state == "approved"


def test_full_event_has_a_waitlist_in_order_of_arrival() -> None:
    event = make_event(capacity=2)
    states = [r.state for r in make_registrations(event, 4)]
    assert states == ["approved", "approved", "waitlist", "waitlist"]


def test_withdrawal_promotes_the_first_on_the_waitlist() -> None:
    event = make_event(capacity=2)
    first, _second, third, fourth = make_registrations(event, 4)
    withdraw(first, first.user)
    third.refresh_from_db()
    fourth.refresh_from_db()
    assert (first.state, third.state, fourth.state) == ("withdrawn", "approved", "waitlist")


def test_returning_player_joins_the_end_of_the_waitlist() -> None:
    event = make_event(capacity=2)
    first, *_rest = make_registrations(event, 3)
    withdraw(first, first.user)
    again = register(event, first.user, roll_number=first.roll_number)
    assert (again.pk, again.state, again.queue_number) == (first.pk, "waitlist", 4)


def test_registration_stays_pending_if_the_event_requires_approval() -> None:
    event = make_event(requires_approval=True)
    organizer = make_organizer(event)
    (registration,) = make_registrations(event, 1)
    assert registration.state == "pending"
    approve(registration, organizer)
    registration.refresh_from_db()
    assert (registration.state, registration.decided_by) == ("approved", organizer)
    assert get_refusal_code(approve, registration, organizer) == "state"


def test_full_event_approves_no_players_from_the_waitlist() -> None:
    event = make_event(capacity=2)
    organizer = make_organizer(event)
    *_placed, waiting = make_registrations(event, 3)
    assert get_refusal_code(approve, waiting, organizer) == "full"


def test_bulk_approval_is_all_or_nothing() -> None:
    event = make_event(capacity=2, requires_approval=True)
    organizer = make_organizer(event)
    everybody = make_registrations(event, 3)
    assert get_refusal_code(approve_all, everybody, organizer) == "full"
    assert set(event.registrations.values_list("state", flat=True)) == {"pending", "waitlist"}
    assert approve_all(everybody[:2], organizer) == 2


def test_bulk_approval_skips_players_with_a_spot() -> None:
    event = make_event(requires_approval=True)
    organizer = make_organizer(event)
    everybody = make_registrations(event, 3)
    assert approve_all(everybody[:1], organizer) == 1
    # Both calls use the page's old state, as if a second window pressed the same button later.
    assert (approve_all(everybody, organizer), approve_all(everybody, organizer)) == (2, 0)
    assert set(event.registrations.values_list("state", flat=True)) == {"approved"}


def test_bulk_approval_across_events_is_all_or_nothing() -> None:
    (one,) = make_registrations(make_event(requires_approval=True), 1)
    *_, waiting = make_registrations(make_event(requires_approval=True, capacity=1), 2)
    assert get_refusal_code(approve_all, [one, waiting], make_organizer()) == "full"
    one.refresh_from_db()
    assert one.state == "pending"


def seat_one_of_three() -> tuple[list[Registration], Event, User]:
    """Return three registrations, of which only the second has a seat at a published table."""
    event, organizer = make_organized_event(4)
    rows = list(event.registrations.all()[:3])
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    for other in (rows[0], rows[2]):
        change_seats(played, organizer, other, "out", "No-show.")
    return rows, event, organizer


@pytest.mark.parametrize("service", [refuse_all, withdraw_all])
def test_bulk_refusal_and_withdrawal_are_all_or_nothing(service: Callable[..., int]) -> None:
    rows, event, organizer = seat_one_of_three()
    with pytest.raises(RefusedError) as refused:
        service(rows, organizer, "You have not come.")
    assert refused.value.sentence.startswith(
        f"No registrations were changed. {rows[1].name} has a seat at "
    )
    assert set(event.registrations.values_list("state", flat=True)) == {"approved"}
    assert service([rows[0], rows[2]], organizer, "You have not come.") == 2


def test_refusal_for_a_single_registration_mentions_no_others() -> None:
    rows, _, organizer = seat_one_of_three()
    with pytest.raises(RefusedError) as refused:
        withdraw_all(rows[1:2], organizer)
    assert refused.value.sentence.startswith(f"{rows[1].name} has a seat at ")


def test_refusal_requires_a_reason_and_shows_it_to_the_applicant() -> None:
    event = make_event()
    organizer = make_organizer(event)
    (registration,) = make_registrations(event, 1)
    assert get_refusal_code(refuse, registration, organizer, " ") == "no-reason"
    refuse(registration, organizer, "You organize this event.")
    with pytest.raises(RefusedError, match="You organize this event"):
        register(event, registration.user, roll_number="R1")
    entry = AuditEntry.objects.get(action="refuse")
    assert (entry.actor, entry.reason) == (organizer, "You organize this event.")
