"""Tests of the page “Afterwards”, which locks the results and issues certificates."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer
from tests.tournament.events.closing.test_locking import make_finished_event, make_locked_event
from tests.tournament.organizing import page, press_button
from tournament.models import Event
from tournament.web.admin.people.staff import WAITS

pytestmark = pytest.mark.django_db


def sign_in_organizer(event: Event) -> Client:
    client = Client()
    client.force_login(event.organizers.order_by("pk")[0])
    return client


def get_certificates_address(event: Event) -> str:
    return reverse("admin:event-export", args=[event.pk, "certificates.pdf"])


def test_locking_lists_open_items_and_needs_confirmation() -> None:
    event, _organizer = make_finished_event(4)
    client, address = sign_in_organizer(event), page("closing", event)
    assert "<p>Nothing.</p>" in client.get(address).text
    assert "Read the open items and tick the box" in press_button(client, address, "lock")
    shown = press_button(client, address, "lock", sure="yes")
    assert "Results locked. 4 certificates are ready." in shown
    assert ". They are final, and the event can no longer be changed." in shown


def test_lock_button_appears_only_after_the_winner_is_announced() -> None:
    event, _organizer = make_finished_event(4)
    Event.objects.update(state="running")
    shown = sign_in_organizer(event).get(page("closing", event)).text
    assert "Announce the winner from the desk first." in shown
    assert 'value="lock"' not in shown


def test_unlocking_needs_a_second_person_and_is_listed_on_people_page() -> None:
    event, _organizer = make_locked_event(4)
    make_organizer(event)
    client, address = sign_in_organizer(event), page("closing", event)
    assert str(WAITS) in press_button(client, address, "unlock", reason="Misread.")
    assert "Unlock the event so that" in client.get(page("waiting", event)).text


def test_sole_organizer_can_unlock_with_a_reason() -> None:
    event, _organizer = make_locked_event(4)
    client, address = sign_in_organizer(event), page("closing", event)
    assert "give a reason" in press_button(client, address, "unlock").lower()
    assert "Results unlocked." in press_button(client, address, "unlock", reason="Misread.")


def test_every_desk_page_says_that_the_event_is_locked() -> None:
    event, _organizer = make_locked_event(4)
    assert (
        "The event is locked and its results are final."
        in sign_in_organizer(event).get(page("rounds", event)).text
    )


def test_settings_of_a_locked_event_cannot_be_saved() -> None:
    event, _organizer = make_locked_event(4)
    address = f"/admin/tournament/event/{event.pk}/change/"
    shown = sign_in_organizer(event).post(address, {"title": "Other"}, follow=True).text
    assert "Unlock it first" in shown
    event.refresh_from_db()
    assert event.title != "Other"


def test_all_certificates_are_in_one_file() -> None:
    event, _organizer = make_locked_event(4)
    answer = sign_in_organizer(event).get(get_certificates_address(event))
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.count(b"/Type /Page\n") == 4


def test_certificate_file_does_not_exist_before_the_lock() -> None:
    event, _organizer = make_finished_event(4)
    shown = sign_in_organizer(event).get(get_certificates_address(event), follow=True).text
    assert "Certificates are issued when the results are locked." in shown


def test_certificates_page_reports_letters_missing_from_the_font() -> None:
    event, _organizer = make_locked_event(4)
    event.registrations.filter(queue_number=1).update(name="漢")
    desk = sign_in_organizer(event)
    assert desk.get(get_certificates_address(event)).content.startswith(b"%PDF")
    shown = desk.get(page("closing", event)).text
    assert "No font on this site has all letters of “漢”, so the PDF shows ▯ for some." in shown
