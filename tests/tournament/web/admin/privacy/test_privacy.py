"""Tests of the page about personal data."""

from copy import deepcopy

import pytest
from django.test import Client

from tests.factories import give_role, make_event, make_organizer
from tests.tournament.events.closing.test_locking import make_locked_event
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Registration, Round
from tournament.privacy.mentions import find_mentions
from tournament.web.admin.people.staff import WAITS

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shared_event(shared_rows: None) -> Event:
    return make_locked_event(4)[0]


@pytest.fixture
def event(shared_event: Event) -> Event:
    return deepcopy(shared_event)


@pytest.fixture
def client(event: Event) -> Client:
    client = Client()
    client.force_login(event.organizers.get())
    return client


def test_page_counts_the_people_before_anonymizing_them(client: Client, event: Event) -> None:
    shown = client.get(page("privacy", event)).text
    assert "4 people will be anonymized" in shown
    assert page("privacy", event) in client.get(page("closing", event)).text


def test_deleting_event_data_requires_a_reason(client: Client, event: Event) -> None:
    address = page("privacy", event)
    assert "give a reason" in press_button(client, address, "purge").lower()
    shown = press_button(client, address, "purge", reason="The term is over.")
    assert "The personal data of this event has been deleted." in shown
    assert "Delete everything now" not in shown


def test_selected_person_is_anonymized(client: Client, event: Event) -> None:
    address, one = page("privacy", event), event.registrations.all()[0]
    assert "Choose a person first." in press_button(client, address, "anonymise", reason="So.")
    shown = press_button(client, address, "anonymise", registration=one.pk, reason="Wishes it.")
    assert "Anonymized. It is no longer possible to tell who this was." in shown
    assert one.name not in shown


def test_texts_mentioning_the_name_are_listed_for_selection(client: Client, event: Event) -> None:
    address, one = page("privacy", event), event.registrations.all()[0]
    Registration.objects.filter(pk=one.pk).update(name="Zubaida Qureshi")
    Round.objects.filter(stage__event=event).update(close_reason="Zubaida was ill.")
    shown = press_button(client, address, "mentions", registration=one.pk, reason="Wishes it.")
    [mention] = find_mentions(event, Registration.objects.get(pk=one.pk))[:1]
    assert f'name="mention" value="{mention.key}"' in shown
    press_button(
        client, address, "anonymise", registration=one.pk, reason="So.", mention=mention.key
    )
    alias = Registration.objects.get(pk=one.pk).name
    reasons = Round.objects.filter(stage__event=event).values_list("close_reason", flat=True)
    assert set(reasons) == {f"{alias} was ill."}


def test_copies_in_other_events_are_shown_only_to_their_organizers(
    client: Client, event: Event
) -> None:
    other = make_event(title="Chem Night, once more")
    one = event.registrations.all()[0]
    other.students.create(name=one.name, email=one.user.email, roll_number="R-1", roll_key="r1")
    address = page("privacy", event)
    assert "Chem Night, once more" not in client.get(address).text
    give_role(other, event.organizers.get())
    assert page("privacy", other) in client.get(address).text


def test_second_organizer_confirms_deletion_and_anonymization(client: Client, event: Event) -> None:
    one = event.registrations.all()[0]
    make_organizer(event)
    address = page("privacy", event)
    assert str(WAITS) in press_button(client, address, "purge", reason="The term is over.")
    said = press_button(client, address, "anonymise", registration=one.pk, reason="Wishes it.")
    assert str(WAITS) in said
    people = client.get(page("waiting", event)).text
    assert "Delete all of the event’s personal data." in people
    assert f"Anonymize {one.name}." in people


def test_retention_period_is_set_and_shown(client: Client, event: Event) -> None:
    address = page("privacy", event)
    assert "from 1 to 3650" in press_button(client, address, "keep", days="soon")
    assert "The data will be deleted automatically on" in press_button(
        client, address, "keep", days="90"
    )
    assert "until someone deletes it" in press_button(client, address, "keep", days="")
