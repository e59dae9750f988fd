import pytest

from tests.factories import make_organizer, make_registrations
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.typed import sure
from tournament.events.services import (
    change_event,
    change_stage,
    create_event,
    publish_event,
    set_rules,
)
from tournament.models import AuditEntry, Event
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def test_new_event_has_two_stages_and_its_creator_as_organizer() -> None:
    organizer = make_organizer()
    event = create_event(Event(title="Cup", slug="cup"), organizer)
    assert [(stage.number, stage.label, stage.format) for stage in event.stages.all()] == [
        (1, "First round (everyone plays)", "rounds"),
        (2, "Second round (knockout)", "bracket"),
    ]
    assert list(event.organizers.all()) == [organizer]
    assert event.state == "draft"


def test_table_size_unsupported_by_the_rules_is_refused() -> None:
    event = Event(title="Cup", slug="cup", table_size=6, options={"partners": True})
    assert get_refusal_code(create_event, event, make_organizer()) == "table-size"
    assert Event.objects.count() == 0


def test_only_options_differing_from_the_rule_set_are_stored() -> None:
    event, organizer = make_organized_event(0)
    event = set_rules(event, organizer, "uno-500", {"target": 300, "challenge": True})
    assert (event.ruleset, event.options) == ("uno-500", {"target": 300})


def test_incompatible_options_are_refused() -> None:
    event, organizer = make_organized_event(0)
    options = {"partners": True, "scoring": "elimination"}
    assert get_refusal_code(set_rules, event, organizer, "uno-500", options) == "option"
    event.refresh_from_db()
    assert (event.ruleset, event.options) == ("uno-400", {})


def test_rules_cannot_change_after_the_first_round_starts() -> None:
    event, organizer = make_organized_event(4)
    drafted = seat_round(first_stage(event), organizer)
    set_rules(event, organizer, "uno-500", {})
    start_drafted_round(drafted, organizer)
    assert get_refusal_code(set_rules, event, organizer, "uno-400", {}) == "begun"
    event.refresh_from_db()
    assert event.ruleset == "uno-500"


@pytest.mark.parametrize("name", ["qualify_rule", "qualify_value", "min_matches"])
def test_cut_rule_cannot_change_after_the_cut(name: str) -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    stage.qualify_value = 6
    change_stage(stage, organizer, [name])
    make_second_stage(event, organizer, 4)
    stage.title = "Morning"
    assert get_refusal_code(change_stage, stage, organizer, [name, "title"]) == "closed"
    change_stage(stage, organizer, ["title"])
    stage.refresh_from_db()
    assert (stage.title, stage.qualify_value, stage.state) == ("Morning", 4, "closed")


def test_added_spots_go_to_the_waitlist() -> None:
    event, organizer = make_organized_event(0, capacity=2)
    rows = make_registrations(event, 4)
    event.capacity = 3
    change_event(event, organizer, ["capacity"])
    assert [r.state for r in event.registrations.all()] == ["approved"] * 3 + ["waitlist"]
    event.capacity = 2
    assert get_refusal_code(change_event, event, organizer, ["capacity"]) == "capacity"
    assert len(rows) == 4


def test_saving_settings_keeps_concurrent_changes() -> None:
    event, organizer = make_organized_event(0)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    event.title = "Another"
    change_event(event, organizer, ["title"])
    event.refresh_from_db()
    assert (event.title, event.state) == ("Another", "running")
    assert sure(AuditEntry.objects.first()).text == "Changed: title."


def test_event_can_be_published_only_once() -> None:
    event, organizer = make_organized_event(0)
    assert get_refusal_code(publish_event, event, organizer) == "state"
