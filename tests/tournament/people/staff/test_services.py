"""Tests of giving, changing and removing roles, and of what scorers and referees may confirm."""

import pytest

from tests.factories import give_role, make_organizer, make_user
from tests.tournament.helpers import first_stage, get_refusal_code, start_drafted_round
from tournament.desk.confirmation import confirm, refuse
from tournament.models import Event, Table, User
from tournament.oversight.rights import has_right
from tournament.people.staff.invitations import accept_invitation, invite
from tournament.people.staff.queries import list_members
from tournament.people.staff.services import change_role
from tournament.people.staff.services import give_role as give
from tournament.people.staff.services import remove_role as remove
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(players=4)]

REASON = "She counts well."


@pytest.fixture
def helper() -> User:
    return make_user("Meera", is_staff=True)


def list_roles(event: Event, user: User) -> set[str]:
    return set(event.roles.filter(user=user).values_list("role", flat=True))


def test_scorer_role_needs_one_organizer_and_is_logged_with_its_reason(
    event: Event, organizer: User, helper: User
) -> None:
    make_organizer(event)
    assert give(event, organizer, helper, "scorer", REASON) is None
    assert list_roles(event, helper) == {"scorer"}
    assert get_refusal_code(give, event, organizer, helper, "scorer", REASON) == "same"
    assert remove(event, organizer, helper, "scorer", "Has gone home.") is None
    assert list_roles(event, helper) == set()
    entries = event.audit.filter(action__startswith="role").order_by("pk")
    assert [(entry.text, entry.reason) for entry in entries] == [
        ("Meera now has the role “scorer” in the event.", REASON),
        ("Meera no longer has the role “scorer” in the event.", "Has gone home."),
    ]


def test_owner_and_commentator_roles_need_a_second_organizer(
    event: Event, organizer: User, helper: User
) -> None:
    second = make_organizer(event)
    for role in ("owner", "commentator"):
        proposal = give(event, organizer, helper, role, REASON)
        assert proposal is not None
        confirm(proposal, second)
    assert list_roles(event, helper) == {"owner", "commentator"}


@pytest.mark.parametrize(
    ("role", "reason", "code"), [("king", REASON, "role"), ("desk", " ", "no-reason")]
)
def test_unknown_role_or_missing_reason_is_refused(
    event: Event, organizer: User, helper: User, role: str, reason: str, code: str
) -> None:
    assert get_refusal_code(give, event, organizer, helper, role, reason) == code
    assert get_refusal_code(remove, event, organizer, helper, role, reason) == code


def test_only_staff_can_get_roles_and_only_assigned_roles_can_be_removed(
    event: Event, organizer: User, helper: User
) -> None:
    assert get_refusal_code(give, event, organizer, make_user(), "desk", REASON) == "no-staff"
    assert get_refusal_code(remove, event, organizer, helper, "desk", REASON) == "same"


def test_role_can_be_replaced_by_another(event: Event, organizer: User, helper: User) -> None:
    give_role(event, helper, "desk")
    assert change_role(event, organizer, helper, "desk", "referee", REASON) is None
    assert list_roles(event, helper) == {"referee"}


def test_old_role_is_kept_while_the_new_one_awaits_confirmation(
    event: Event, organizer: User, helper: User
) -> None:
    make_organizer(event)
    give_role(event, helper, "desk")
    assert change_role(event, organizer, helper, "desk", "owner", REASON) is not None
    assert list_roles(event, helper) == {"desk"}


@pytest.mark.parametrize("role", ["scorer", "commentator", "owner"])
def test_invitation_grants_its_role(event: Event, organizer: User, role: str) -> None:
    guest = make_user("Gita", email="gita@college.example")
    invite(event, organizer, guest.email, "https://cards.example/", REASON, role)
    accept_invitation(event.invitations.get(), guest)
    assert list_roles(event, guest) == {role}
    assert guest.is_staff


def test_player_cannot_accept_a_role_that_sees_open_cards(event: Event, organizer: User) -> None:
    player = event.registrations.all()[0].user
    player.set_password("long enough for a desk")
    invite(event, organizer, player.email, "https://cards.example/", REASON, "commentator")
    assert get_refusal_code(accept_invitation, event.invitations.get(), player) == "plays"


def test_staff_are_grouped_by_person(event: Event, organizer: User, helper: User) -> None:
    for role in ("desk", "scorer"):
        give_role(event, helper, role)
    found = [(member.user, [each.role for each in member.roles]) for member in list_members(event)]
    assert sorted(found, key=lambda each: each[0].pk) == [
        (organizer, ["owner"]),
        (helper, ["desk", "scorer"]),
    ]


def make_waiting_result(event: Event, scorer: User) -> Table:
    """Return a table with points from one scorer that a second person has to confirm."""
    Event.objects.filter(pk=event.pk).update(second_person="all")
    owner = event.organizers.get()
    table = start_drafted_round(seat_round(first_stage(event), owner), owner).tables.get()
    enter_result(table, scorer, [400, 300, 200, 100], override=True, reason="By the sheet.")
    return table


def test_scorer_confirms_points_entered_by_another_scorer(event: Event, helper: User) -> None:
    other = make_user(is_staff=True)
    for user in (helper, other):
        give_role(event, user, "scorer")
    table = make_waiting_result(event, helper)
    proposal = event.proposals.get()
    assert get_refusal_code(confirm, proposal, helper) == "same-person"
    confirm(proposal, other)
    assert table.results.get().state == "confirmed"


def test_referee_can_neither_confirm_nor_reject_points(event: Event, helper: User) -> None:
    referee = make_user(is_staff=True)
    give_role(event, helper, "scorer")
    give_role(event, referee, "referee")
    make_waiting_result(event, helper)
    proposal = event.proposals.get()
    assert get_refusal_code(confirm, proposal, referee) == "role"
    assert get_refusal_code(refuse, proposal, referee, "No.") == "role"


def test_scorer_can_confirm_only_points(event: Event, organizer: User, helper: User) -> None:
    make_organizer(event)
    give_role(event, helper, "scorer")
    proposal = give(event, organizer, make_user(is_staff=True), "owner", REASON)
    assert proposal is not None
    assert get_refusal_code(confirm, proposal, helper) == "role"


def test_player_cannot_confirm_points_of_their_own_table(event: Event, helper: User) -> None:
    player = event.registrations.all()[0].user
    User.objects.filter(pk=player.pk).update(is_staff=True)
    player.refresh_from_db()
    for user in (helper, player):
        give_role(event, user, "scorer")
    make_waiting_result(event, helper)
    assert get_refusal_code(confirm, event.proposals.get(), player) == "own"


def test_player_can_enter_points_of_their_own_table_with_a_second_person(
    event: Event, organizer: User
) -> None:
    player = event.registrations.all()[0].user
    User.objects.filter(pk=player.pk).update(is_staff=True)
    player.refresh_from_db()
    give_role(event, player, "scorer")
    table = start_drafted_round(seat_round(first_stage(event), organizer), organizer).tables.get()
    entry = enter_result(table, player, [400, 0, 0, 0], override=True, reason="By the sheet.")
    assert entry.state == "entered"


def test_inactive_account_has_no_role(event: Event, helper: User) -> None:
    give_role(event, helper, "desk")
    assert has_right(helper, event, "list")
    helper.is_active = False
    assert not has_right(helper, event, "list")
