"""Tests of people's roles and rights in events."""

from typing import Any

import pytest

from tests.factories import give_role, make_event, make_user
from tournament.models import Event, User
from tournament.oversight.rights import (
    events_for,
    find_roles,
    has_right,
    is_staff,
    people_for,
    roles_by_event,
)
from tournament.pure.rights_table import OWNER, ROLES, TABLE

pytestmark = [pytest.mark.django_db, pytest.mark.event(organized_by=0)]
USER_KINDS: dict[str, dict[str, Any]] = {
    "staff": {"is_staff": True},
    "player": {"is_staff": False},
    "shut out": {"is_staff": True, "is_active": False},
    "superuser": {"is_staff": True, "is_superuser": True},
    "superuser shut out": {"is_staff": True, "is_superuser": True, "is_active": False},
    "superuser off the desk": {"is_staff": False, "is_superuser": True},
}


@pytest.fixture
def other_event() -> Event:
    return make_event()


def make_user_by_kind(kind: str) -> User:
    return make_user(**USER_KINDS[kind])


@pytest.mark.parametrize(
    ("kind", "allowed", "elsewhere"),
    [
        ("staff", {"desk"}, set()),
        ("player", set(), set()),
        ("shut out", set(), set()),
        ("superuser", {"desk", "owner"}, {"owner"}),
        ("superuser shut out", set(), set()),
        ("superuser off the desk", set(), set()),
    ],
)
def test_roles_require_access_to_the_desk(
    event: Event, other_event: Event, kind: str, allowed: set[str], elsewhere: set[str]
) -> None:
    user = make_user_by_kind(kind)
    give_role(event, user, "desk")
    assert find_roles(user, event) == frozenset(allowed)
    assert find_roles(user, other_event) == frozenset(elsewhere)
    assert is_staff(user) is bool(allowed)
    assert roles_by_event(user) == ({event.pk: {"desk"}} if allowed else {})


@pytest.mark.parametrize("nobody", [None, "anonymous", object()])
def test_anonymous_user_has_no_role(event: Event, nobody: object) -> None:
    assert find_roles(nobody, event) == frozenset()
    assert roles_by_event(nobody) == {}
    assert not events_for(nobody, "see").exists()


@pytest.mark.parametrize("kind", USER_KINDS)
@pytest.mark.parametrize("role", ROLES)
def test_functions_that_check_rights_agree(
    event: Event, other_event: Event, kind: str, role: str
) -> None:
    """Check that `has_right`, `events_for` and `people_for` agree on every right."""
    user = make_user_by_kind(kind)
    give_role(event, user, role)
    for right in TABLE:
        allowed = {each for each in (event, other_event) if has_right(user, each, right)}
        assert set(events_for(user, right)) == allowed, right
        by_role = is_staff(user) and role in TABLE[right]
        assert list(people_for(event, right)) == ([user] if by_role else []), right
        assert not people_for(other_event, right).exists()


def test_superuser_sees_open_cards_only_with_a_role(event: Event, other_event: Event) -> None:
    user = make_user_by_kind("superuser")
    assert not has_right(user, event, "open_cards")
    give_role(event, user, "commentator")
    assert (has_right(user, event, "open_cards"), has_right(user, other_event, "open_cards")) == (
        True,
        False,
    )
    assert list(events_for(user, "open_cards")) == [event]


def test_role_in_one_event_gives_no_rights_in_another(event: Event, other_event: Event) -> None:
    user = make_user_by_kind("staff")
    for each, role in ((event, "desk"), (event, "scorer"), (other_event, OWNER)):
        give_role(each, user, role)
    assert roles_by_event(user) == {event.pk: {"desk", "scorer"}, other_event.pk: {"owner"}}
    assert (has_right(user, event, "run"), has_right(user, other_event, "run")) == (False, True)
    assert list(events_for(user, "results").order_by("pk")) == [event, other_event]


def test_person_with_two_matching_roles_is_listed_once(event: Event) -> None:
    user = make_user_by_kind("staff")
    for role in ("owner", "scorer"):
        give_role(event, user, role)
    assert list(people_for(event, "results")) == [user]
    assert list(events_for(user, "results")) == [event]
