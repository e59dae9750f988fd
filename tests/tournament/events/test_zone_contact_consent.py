"""Tests of an event's time zone, contact and consent text, on pages and in emails."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_organizer, make_registrations, make_user
from tests.tournament.helpers import get_refusal
from tests.tournament.organizing import page
from tournament.models import Event, Registration
from tournament.people.consent import compute_consent_digest
from tournament.registration.services import refuse, register

pytestmark = pytest.mark.django_db

STARTS_AT = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
LOCAL_TIME = "Tue 1 December 2026, 15:00 IST"
ASHA_CONTACT: dict[str, Any] = {
    "contact_name": "Asha",
    "contact_email": "asha@college.example",
    "contact_phone": "12 34",
    "contact_room": "Room 7",
}


def read_event_page(event: Event) -> str:
    return str(Client().get(reverse("event", args=[event.slug])).content.decode())


def test_event_page_uses_its_zone_and_other_pages_use_the_site_zone() -> None:
    event = make_event(starts_at=STARTS_AT, time_zone="Asia/Kolkata")
    assert LOCAL_TIME in read_event_page(event)
    assert timezone.get_current_timezone_name() == "UTC"
    assert "Tue 1 December 2026, 09:30 UTC" in read_event_page(make_event(starts_at=STARTS_AT))


def test_desk_uses_the_event_zone() -> None:
    event = make_event(starts_at=STARTS_AT, time_zone="Asia/Kolkata")
    client = Client()
    client.force_login(make_organizer(event))
    settings = client.get(reverse("admin:tournament_event_change", args=[event.pk]))
    assert 'value="15:00:00"' in settings.content.decode()
    register(event, make_user())
    listed = reverse("admin:tournament_registration_changelist")
    assert "IST" in client.get(f"{listed}?event__id__exact={event.pk}").content.decode()
    assert client.get(page("desk", event)).status_code == 200


def test_unknown_zone_is_refused() -> None:
    event = make_event()
    client = Client()
    client.force_login(make_organizer(event))
    shown = client.post(
        reverse("admin:tournament_event_change", args=[event.pk]), {"time_zone": "Mars/Base"}
    ).content.decode()
    assert "Mars/Base is not one of the available choices." in shown


def test_emails_use_the_event_zone_and_name_the_contact(
    django_capture_on_commit_callbacks: Any,
) -> None:
    event = make_event(
        starts_at=STARTS_AT, time_zone="Asia/Kolkata", requires_approval=True, **ASHA_CONTACT
    )
    (registration,) = make_registrations(event, 1)
    with django_capture_on_commit_callbacks(execute=True):
        refuse(registration, make_organizer(event), "No seat.")
    assert "Questions? Contact Asha, asha@college.example, 12 34, Room 7." in mail.outbox[-1].body


def test_contact_is_shown_on_the_event_page_and_in_refusals() -> None:
    event = make_event(requires_approval=True, **ASHA_CONTACT)
    user = make_user()
    refuse(register(event, user), make_organizer(event), "No seat.")
    client = Client()
    client.force_login(user)
    own = client.get(reverse("event-register", args=[event.slug])).content.decode()
    for shown in (read_event_page(event), own):
        assert "Room 7" in shown
        assert 'href="tel:1234"' in shown
        assert 'href="mailto:asha@college.example"' in shown
    assert "Questions:" not in read_event_page(make_event())


def test_registration_records_the_consent_text_shown() -> None:
    event = make_event(consent="Photos are <b>taken</b>.")
    client, user = Client(), make_user()
    client.force_login(user)
    address = reverse("event-register", args=[event.slug])
    assert "Photos are &lt;b&gt;taken&lt;/b&gt;." in client.get(address).content.decode()
    refused = client.post(address, {"name": "Asha"})
    assert "Read what you’re agreeing to, then tick the box." in refused.content.decode()
    assert (
        client.post(address, {"name": "Asha", "consent": compute_consent_digest(event)}).status_code
        == 302
    )
    mine = Registration.objects.get(user=user)
    assert mine.consent_digest == compute_consent_digest(event)
    assert mine.consented_at is not None


def test_changed_consent_text_must_be_accepted_again() -> None:
    event = make_event(consent="One.")
    read = compute_consent_digest(event)
    Event.objects.filter(pk=event.pk).update(consent="Two.")
    refused = get_refusal(register, event, make_user(), consent=read)
    assert refused.code == "consent"


def test_no_consent_is_stored_when_none_is_requested() -> None:
    mine = register(make_event(), make_user())
    assert (mine.consent_digest, mine.consented_at) == ("", None)


@pytest.mark.parametrize("page", ["event", "event-register", "my-table"])
@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("waitlist", "ask the organizers for a spot"),
        ("refused", "The organizers rejected your registration"),
        ("disqualified", "You were disqualified"),
    ],
)
def test_u71_contact_is_shown_wherever_users_are_referred_to_it(
    client: Client, page: str, state: str, expected: str
) -> None:
    event = make_event(**ASHA_CONTACT)
    [mine] = make_registrations(event, 1)
    mine.state = state
    mine.reason = "" if state == "waitlist" else "Not on the list."
    mine.save()
    event.state = Event.State.RUNNING
    event.save()
    client.force_login(mine.user)
    shown = client.get(reverse(page, args=[event.slug])).content.decode()
    assert expected in shown
    assert 'href="mailto:asha@college.example"' in shown


def test_u71_refused_registration_form_shows_the_contact(client: Client) -> None:
    event = make_event(eligibility_required=True, **ASHA_CONTACT)
    client.force_login(make_user())
    page = reverse("event-register", args=[event.slug])
    refused = client.post(page, {"roll_number": "X1"})
    assert refused.status_code == 400
    assert 'href="tel:1234"' in refused.content.decode()
