import pytest

from tests.factories import make_event, make_organizer, make_registrations
from tournament.models import AuditEntry, Registration
from tournament.people.needs import change_needs
from tournament.registration.services import withdraw

pytestmark = pytest.mark.django_db


def test_changing_needs_leaves_other_fields_unchanged() -> None:
    event = make_event()
    organizer = make_organizer(event)
    opened, other = make_registrations(event, 2)
    withdraw(Registration.objects.get(pk=opened.pk), organizer, "Has to catch a train.")
    opened.extra_seconds, opened.fixed_table = 20, 2
    change_needs(opened, organizer, ["extra_seconds", "apart_from"], [other])
    opened = Registration.objects.get(pk=opened.pk)
    assert (opened.state, opened.reason) == ("withdrawn", "Has to catch a train.")
    assert (opened.extra_seconds, opened.fixed_table) == (20, None)
    assert list(other.apart_from.all()) == [opened]


def test_list_of_players_to_keep_apart_changes_only_if_edited() -> None:
    event = make_event()
    one, other = make_registrations(event, 2)
    one.apart_from.add(other)
    one.extra_seconds = 20
    change_needs(one, make_organizer(event), ["extra_seconds"], [])
    assert list(one.apart_from.all()) == [other]


def test_changed_needs_are_logged_with_their_new_values() -> None:
    event = make_event()
    organizer = make_organizer(event)
    one, other = make_registrations(event, 2)
    one.extra_seconds, one.fixed_table = 20, 2
    change_needs(one, organizer, ["extra_seconds", "fixed_table"], [])
    change_needs(one, organizer, ["apart_from"], [other])
    one.fixed_table = None
    change_needs(one, organizer, ["fixed_table", "apart_from"], [])
    change_needs(one, organizer, [], [])
    entries = AuditEntry.objects.filter(action="needs").order_by("pk")
    assert [(entry.actor, entry.text) for entry in entries] == [
        (organizer, f"{one.name}: 20 extra seconds per turn, always at table 2."),
        (organizer, f"{one.name}: never at the same table as {other.name}."),
        (organizer, f"{one.name}: at any table, with anyone."),
    ]
