"""Tests of roles, which are granted, changed and revoked, in some cases by two people.

No one confirms points of their own table.
"""

import pytest

from tests.factories import give_role, make_organizer, make_user
from tests.tournament.helpers import code_of, first_stage, start_drafted_round
from tournament.desk.confirmation import confirm, refuse
from tournament.models import Event, Table, User
from tournament.oversight.rights import may
from tournament.people.staff.invitations import accept_invitation, invite
from tournament.people.staff.queries import list_members
from tournament.people.staff.services import change_role
from tournament.people.staff.services import give_role as give
from tournament.people.staff.services import take_role as take
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(players=4)]

WHY = "She counts well."


@pytest.fixture
def helper() -> User:
    return make_user("Meera", is_staff=True)


def roles(event: Event, user: User) -> set[str]:
    return set(event.roles.filter(user=user).values_list("role", flat=True))


def test_scorer_role_needs_one_organizer_and_is_logged_with_its_reason(
    event: Event, organizer: User, helper: User
) -> None:
    make_organizer(event)
    assert give(event, organizer, helper, "scorer", WHY) is None
    assert roles(event, helper) == {"scorer"}
    assert code_of(give, event, organizer, helper, "scorer", WHY) == "same"
    assert take(event, organizer, helper, "scorer", "Has gone home.") is None
    assert roles(event, helper) == set()
    entries = event.audit.filter(action__startswith="role").order_by("pk")
    assert [(entry.text, entry.reason) for entry in entries] == [
        ("Meera now has the role “scorer” in the event.", WHY),
        ("Meera no longer has the role “scorer” in the event.", "Has gone home."),
    ]


def test_owner_and_commentator_roles_need_a_second_organizer(
    event: Event, organizer: User, helper: User
) -> None:
    second = make_organizer(event)
    for role in ("owner", "commentator"):
        proposal = give(event, organizer, helper, role, WHY)
        assert proposal is not None
        confirm(proposal, second)
    assert roles(event, helper) == {"owner", "commentator"}


@pytest.mark.parametrize(
    ("role", "reason", "code"), [("king", WHY, "role"), ("desk", " ", "no-reason")]
)
def test_unknown_role_or_missing_reason_is_refused(
    event: Event, organizer: User, helper: User, role: str, reason: str, code: str
) -> None:
    assert code_of(give, event, organizer, helper, role, reason) == code
    assert code_of(take, event, organizer, helper, role, reason) == code


def test_only_staff_get_roles_and_only_held_roles_can_be_removed(
    event: Event, organizer: User, helper: User
) -> None:
    assert code_of(give, event, organizer, make_user(), "desk", WHY) == "no-staff"
    assert code_of(take, event, organizer, helper, "desk", WHY) == "same"


def test_role_can_be_replaced_by_another(event: Event, organizer: User, helper: User) -> None:
    give_role(event, helper, "desk")
    assert change_role(event, organizer, helper, "desk", "referee", WHY) is None
    assert roles(event, helper) == {"referee"}


def test_old_role_is_kept_while_the_new_one_awaits_confirmation(
    event: Event, organizer: User, helper: User
) -> None:
    make_organizer(event)
    give_role(event, helper, "desk")
    assert change_role(event, organizer, helper, "desk", "owner", WHY) is not None
    assert roles(event, helper) == {"desk"}


@pytest.mark.parametrize("role", ["scorer", "commentator", "owner"])
def test_invitation_grants_its_role(event: Event, organizer: User, role: str) -> None:
    guest = make_user("Gita", email="gita@college.example")
    invite(event, organizer, guest.email, "https://cards.example/", WHY, role)
    accept_invitation(event.invitations.get(), guest)
    assert roles(event, guest) == {role}
    assert guest.is_staff


def test_player_cannot_accept_a_role_that_sees_open_cards(event: Event, organizer: User) -> None:
    player = event.registrations.all()[0].user
    player.set_password("long enough for a desk")
    invite(event, organizer, player.email, "https://cards.example/", WHY, "commentator")
    assert code_of(accept_invitation, event.invitations.get(), player) == "plays"


def test_staff_are_grouped_by_person(event: Event, organizer: User, helper: User) -> None:
    for role in ("desk", "scorer"):
        give_role(event, helper, role)
    told = [(member.user, [each.role for each in member.roles]) for member in list_members(event)]
    assert sorted(told, key=lambda each: each[0].pk) == [
        (organizer, ["owner"]),
        (helper, ["desk", "scorer"]),
    ]


def waiting_points(event: Event, scorer: User) -> Table:
    """Return a table with points that one scorer entered and a second person must confirm."""
    Event.objects.filter(pk=event.pk).update(second_person="all")
    owner = event.organizers.get()
    table = start_drafted_round(seat_round(first_stage(event), owner), owner).tables.get()
    enter_result(table, scorer, [400, 300, 200, 100], override=True, reason="By the sheet.")
    return table


def test_scorer_confirms_points_entered_by_another_scorer(event: Event, helper: User) -> None:
    other = make_user(is_staff=True)
    for user in (helper, other):
        give_role(event, user, "scorer")
    table = waiting_points(event, helper)
    proposal = event.proposals.get()
    assert code_of(confirm, proposal, helper) == "same-person"
    confirm(proposal, other)
    assert table.results.get().state == "confirmed"


def test_referee_confirms_but_cannot_reject_points(event: Event, helper: User) -> None:
    referee = make_user(is_staff=True)
    give_role(event, helper, "scorer")
    give_role(event, referee, "referee")
    waiting_points(event, helper)
    proposal = event.proposals.get()
    assert code_of(confirm, proposal, referee) == "role"
    assert code_of(refuse, proposal, referee, "No.") == "role"


def test_scorer_can_confirm_only_points(event: Event, organizer: User, helper: User) -> None:
    make_organizer(event)
    give_role(event, helper, "scorer")
    proposal = give(event, organizer, make_user(is_staff=True), "owner", WHY)
    assert proposal is not None
    assert code_of(confirm, proposal, helper) == "role"


def test_player_cannot_confirm_points_of_their_own_table(event: Event, helper: User) -> None:
    player = event.registrations.all()[0].user
    User.objects.filter(pk=player.pk).update(is_staff=True)
    player.refresh_from_db()
    for user in (helper, player):
        give_role(event, user, "scorer")
    waiting_points(event, helper)
    assert code_of(confirm, event.proposals.get(), player) == "own"


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
    assert may(helper, event, "list")
    helper.is_active = False
    assert not may(helper, event, "list")
