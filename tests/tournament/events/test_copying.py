"""Tests of copying an earlier event, column by column."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Match
from tests.factories import give_role, make_event, make_organizer, make_student
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import make_stage
from tournament.events.copying import CopyOptions, copy_event
from tournament.events.services import choose_free_slug
from tournament.models import Event, Role, Stage, User
from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
NOW = timezone.now()
# Settings that organizers make. They all differ from the defaults of a new event.
SETTINGS: dict[str, Any] = {
    "description": "Bring a friend.",
    "place": "Hall 3",
    "ruleset": "uno-400",
    "options": {"target": 300},
    "table_size": 5,
    "turn_seconds": 40,
    "bank_seconds": 10,
    "absence_seconds": 90,
    "viewers": Match.Viewers.DELAYED,
    "viewer_delay_seconds": 120,
    "replays": Match.Replays.HAND,
    "hand_limit": 7,
    "round_minutes": 45,
    "capacity": 30,
    "requires_approval": True,
    "eligibility_required": False,
    "conditions": [{"field": "programme", "value": "UG"}],
    "email_domains": ["college.edu"],
    "check_in": True,
    "tie_breakers": ["points", "wins", "lots"],
    "apart_by": "department",
    "forfeits": Event.Forfeits.values[-1],
    "disqualified": Event.Disqualified.values[-1],
    "substitutes": Event.Substitutes.values[-1],
    "missed_rounds": "average",
    "players_enter": "winner",
    "reactions": False,
    "fill_with_bots": True,
    "second_person": Event.SecondPerson.OFF,
    "second_factor": True,
    "time_zone": "Asia/Kolkata",
    "contact_name": "Asha",
    "contact_email": "asha@college.edu",
    "contact_phone": "123",
    "contact_room": "12 B",
    "consent": "Pictures are taken.",
}
# Values that belong only to the original event.
UNCOPIED_SETTINGS: dict[str, Any] = {
    "title": "Old Cup",
    "slug": "old-cup",
    "state": Event.State.FINISHED,
    "starts_at": NOW,
    "registration_opens": NOW - timedelta(days=9),
    "registration_closes": NOW - timedelta(days=1),
    "check_in_opens": NOW - timedelta(hours=2),
    "check_in_closes": NOW - timedelta(hours=1),
    "freeze": Freeze(NOW, frozenset({1}), frozenset({2}), 3),
    "lots_key": "k" * 32,
    "locked_at": NOW,
    "identity": "i" * 32,
    "journey": 4,
    "away_since": NOW,
    "brought": [[1, 2]],
    "keep_days": 30,
    "purged_at": NOW,
}
STAGE_SETTINGS: dict[str, Any] = {
    "number": 1,
    "title": "Morning",
    "name": Stage.Name.KNOCKOUT,
    "format": Stage.Format.BRACKET,
    "rounds_planned": 4,
    "by_points": True,
    "rotation": True,
    "qualify_rule": Stage.Rule.NUMBER,
    "qualify_value": 5,
    "thresholds": "9: 4",
    "cut_ties": Stage.Ties.LOTS,
    "min_matches": 2,
    "advance": 1,
}
UNCOPIED_STAGE_SETTINGS: dict[str, Any] = {
    "lots_key": "s" * 32,
    "playoff": [[1, 2]],
    "state": Stage.State.CLOSED,
}


@pytest.fixture
def organizer() -> User:
    return make_organizer()


@pytest.fixture
def old_event() -> Event:
    found = make_event(**SETTINGS, **UNCOPIED_SETTINGS)
    make_stage(found, **STAGE_SETTINGS, **UNCOPIED_STAGE_SETTINGS)
    return found


def make_copied_event(old: Event, organizer: User, **again: Any) -> Event:
    made = copy_event(old, organizer, CopyOptions(again.pop("title", "New Cup"), **again))
    return Event.objects.get(pk=made.pk)


def list_field_names(model: type[Event | Stage]) -> set[str]:
    return {field.name for field in model._meta.concrete_fields}


def test_every_column_is_classified_for_copying() -> None:
    assert list_field_names(Event) == {
        "id",
        "created_at",
        "rehearsal_of",
        *SETTINGS,
        *UNCOPIED_SETTINGS,
    }
    assert list_field_names(Stage) == {"id", "event", *STAGE_SETTINGS, *UNCOPIED_STAGE_SETTINGS}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_copied(old_event: Event, organizer: User, name: str) -> None:
    fresh = Event()
    assert getattr(fresh, name) != SETTINGS[name]
    assert getattr(make_copied_event(old_event, organizer), name) == SETTINGS[name]


def test_event_progress_is_not_copied(old_event: Event, organizer: User) -> None:
    made = make_copied_event(old_event, organizer)
    kept = {
        name: getattr(made, name)
        for name in UNCOPIED_SETTINGS
        if getattr(made, name) == UNCOPIED_SETTINGS[name]
    }
    assert kept == {}
    assert (made.title, made.slug, made.state) == ("New Cup", "new-cup", Event.State.DRAFT)
    assert (made.freeze, made.journey, made.brought) == (NOT_FROZEN, 0, [])


def test_copy_has_the_requested_dates(old_event: Event, organizer: User) -> None:
    soon, sooner = NOW + timedelta(days=9), NOW + timedelta(days=8)
    made = make_copied_event(old_event, organizer, starts_at=soon, registration_closes=sooner)
    assert (made.starts_at, made.registration_closes) == (soon, sooner)
    assert (made.registration_opens, made.check_in_opens, made.check_in_closes) == (None,) * 3


def test_copied_stages_keep_their_format_and_restart(old_event: Event, organizer: User) -> None:
    [stage] = make_copied_event(old_event, organizer).stages.all()
    assert {name: getattr(stage, name) for name in STAGE_SETTINGS} == STAGE_SETTINGS
    assert (stage.state, stage.playoff) == (Stage.State.WAITING, [])
    assert stage.lots_key != UNCOPIED_STAGE_SETTINGS["lots_key"]


def test_student_list_is_copied_on_request_without_exceptions(
    old_event: Event, organizer: User
) -> None:
    make_student(
        old_event, "CH-1", name="Tara", email="tara@college.edu", department="Chem", year="2"
    )
    make_student(old_event, "CH-2", name="Guest", exception="She helps us.")
    assert make_copied_event(old_event, organizer).students.count() == 0
    [line] = make_copied_event(old_event, organizer, title="B", students=True).students.all()
    assert (line.roll_number, line.roll_key, line.name) == ("CH-1", "CH-1", "Tara")
    assert (line.email, line.department, line.year) == ("tara@college.edu", "Chem", "2")
    assert old_event.students.count() == 2


@pytest.mark.parametrize(
    ("staff", "roles"),
    [
        (False, {("me", Role.OWNER)}),
        (
            True,
            {("me", Role.OWNER), ("me", Role.REFEREE), ("you", Role.OWNER), ("you", Role.DESK)},
        ),
    ],
)
def test_copy_belongs_to_its_creator_and_includes_staff_on_request(
    old_event: Event, organizer: User, *, staff: bool, roles: set[tuple[str, str]]
) -> None:
    other = make_organizer()
    people = {organizer.pk: "me", other.pk: "you"}
    for user, role in ((organizer, Role.OWNER), (organizer, Role.REFEREE), (other, Role.OWNER),
                       (other, Role.DESK), (other, Role.COMMENTATOR)):  # fmt: skip
        give_role(old_event, user, role)
    made = make_copied_event(old_event, organizer, staff=staff)
    assert {(people[user], role) for user, role in made.roles.values_list("user", "role")} == roles


def test_unplayable_event_is_not_copied(old_event: Event, organizer: User) -> None:
    Event.objects.filter(pk=old_event.pk).update(table_size=11)
    old_event.refresh_from_db()
    assert (
        get_refusal_code(copy_event, old_event, organizer, CopyOptions("New Cup")) == "table-size"
    )
    assert list(Event.objects.all()) == [old_event]


def test_copying_is_logged_in_the_copy(old_event: Event, organizer: User) -> None:
    [entry] = make_copied_event(old_event, organizer).audit.all()
    assert (entry.action, entry.actor, entry.data["like"]) == ("create", organizer, old_event.pk)
    assert entry.text == "Created New Cup as a copy of Old Cup."
    assert not old_event.audit.exists()


@pytest.mark.parametrize(
    ("title", "used", "address"),
    [
        ("Spring Cup 2027!", [], "spring-cup-2027"),
        ("Cup", ["cup"], "cup-2"),
        ("Cup", ["cup", "cup-2", "cup-3"], "cup-4"),
        ("Cup", ["cup", "cup-3"], "cup-2"),
        ("Cup", ["cup-final"], "cup"),
        ("কাজল ওপেন", [], "event"),
        ("কাজল ওপেন", ["event"], "event-2"),
        ("x" * 90, [], "x" * 50),
        ("x" * 90, ["x" * 50], "x" * 50 + "-2"),
    ],
)
def test_copied_title_gets_a_unique_slug(title: str, used: list[str], address: str) -> None:
    for slug in used:
        make_event(slug=slug)
    assert choose_free_slug(title) == address
    assert len(address) <= (Event._meta.get_field("slug").max_length or 0)
