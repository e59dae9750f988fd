"""Tests of check-in at the entrance."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_players
from tournament.attendance.door import VISIT_SECONDS, door_code
from tournament.models import Event, Registration

pytestmark = [pytest.mark.django_db, pytest.mark.event(check_in=True)]


@pytest.fixture
def player(event: Event) -> Registration:
    return make_players(event, 1)[0]


@pytest.fixture
def phone(player: Registration) -> Client:
    phone = Client()
    phone.force_login(player.user)
    return phone


def scan_entrance_code(phone: Client, event: Event, code: str = "") -> str:
    address = reverse("event-door", args=[event.slug, code or door_code(event)])
    return phone.get(address, follow=True).content.decode()


def tap_check_in(phone: Client, event: Event) -> str:
    return phone.post(reverse("event-here", args=[event.slug]), follow=True).content.decode()


def is_checked_in(player: Registration) -> bool:
    player.refresh_from_db()
    return player.checked_in_at is not None


def test_player_checks_in_with_one_tap_after_scanning(phone: Client, player: Registration) -> None:
    page = scan_entrance_code(phone, player.event)
    assert "Check in" in page
    assert not is_checked_in(player)
    assert "You’re checked in." in tap_check_in(phone, player.event)
    assert is_checked_in(player)


def test_code_is_removed_from_the_url(phone: Client, event: Event) -> None:
    code = door_code(event)
    answer = phone.get(reverse("event-door", args=[event.slug, code]), follow=True)
    assert answer.redirect_chain == [(reverse("event-here", args=[event.slug]), 302)]
    assert code not in answer.content.decode()


def test_signing_in_after_scanning_needs_no_second_scan(player: Registration) -> None:
    phone = Client()
    assert "Sign in" in scan_entrance_code(phone, player.event)
    phone.force_login(player.user)
    assert "You’re checked in." in tap_check_in(phone, player.event)


def test_player_cannot_check_in_without_scanning(phone: Client, player: Registration) -> None:
    assert "Scan the code at the door first." in tap_check_in(phone, player.event)
    assert not is_checked_in(player)


def test_expired_code_is_reported(phone: Client, player: Registration) -> None:
    assert "This code has expired. Scan the current one at the door." in scan_entrance_code(
        phone, player.event, "0123456789"
    )
    assert "Scan the code at the door first." in tap_check_in(phone, player.event)


def test_scan_expires_after_a_while(
    phone: Client, player: Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    scan_entrance_code(phone, player.event)
    session = phone.session
    session[f"at-door-{player.event.pk}"] -= VISIT_SECONDS
    session.save()
    assert "Scan the code at the door first." in tap_check_in(phone, player.event)


def test_unregistered_user_is_sent_to_the_desk(event: Event) -> None:
    stranger = Client()
    stranger.force_login(make_players(make_event(), 1)[0].user)
    assert "You aren’t, or are no longer, registered for this event" in scan_entrance_code(
        stranger, event
    )
    assert "You aren’t, or are no longer, registered for this event" in tap_check_in(
        stranger, event
    )


def test_checked_in_player_sees_the_check_in(phone: Client, event: Event) -> None:
    scan_entrance_code(phone, event)
    tap_check_in(phone, event)
    assert "You’re checked in." in scan_entrance_code(phone, event)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"check_in": False}, "Check-in isn’t open for this event right now."),
        ({"check_in_opens": "2099-01-01T10:00Z"}, "Check-in opens on"),
        ({"check_in_closes": "2001-01-01T10:00Z"}, "Check-in has closed. Ask at the desk."),
    ],
)
def test_page_says_if_the_event_has_no_check_in(
    phone: Client, event: Event, fields: dict[str, object], sentence: str
) -> None:
    Event.objects.filter(pk=event.pk).update(**fields)
    assert sentence in scan_entrance_code(phone, event)
