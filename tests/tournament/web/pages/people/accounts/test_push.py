"""Tests of the endpoint at which a service worker subscribes its device."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import make_user
from tests.push_service import FakeDevice
from tests.tournament.visitors import asha
from tournament.models import PushSubscription
from tournament.push.encryption import public_key

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DEVICE = FakeDevice("https://fcm.googleapis.com/fcm/send/1").to_json()


@pytest.fixture
def device() -> Client:
    """Return a signed-in client that has to send a CSRF token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(asha())
    return client


def send(client: Client, method: str, content: Any, token: str | None = None) -> int:
    if token is None:
        token = client.get(reverse("push")).json()["token"]
    body = content if isinstance(content, str) else json.dumps(content)
    return client.generic(
        method, reverse("push"), body, "application/json", headers={"X-CSRFToken": token}
    ).status_code


def test_device_subscribes_with_its_language_and_session_and_unsubscribes(device: Client) -> None:
    device.cookies["language"] = "hi"
    assert send(device, "POST", DEVICE) == 204
    [kept] = PushSubscription.objects.all()
    assert (kept.endpoint, kept.language) == (DEVICE["endpoint"], "hi")
    assert kept.session == device.session.session_key
    assert (kept.public_key, kept.secret) == (DEVICE["keys"]["p256dh"], DEVICE["keys"]["auth"])
    assert send(device, "DELETE", DEVICE) == 204
    assert not PushSubscription.objects.exists()


def test_response_contains_the_key_of_the_site(device: Client) -> None:
    assert device.get(reverse("push")).json()["key"] == public_key()


def test_request_without_a_csrf_token_is_refused(device: Client) -> None:
    assert send(device, "POST", DEVICE, token="") == 403
    assert not PushSubscription.objects.exists()


def test_visitor_without_an_account_cannot_subscribe(client: Client) -> None:
    assert client.get(reverse("push")).status_code == 401
    assert client.post(reverse("push"), DEVICE, "application/json").status_code == 401


def test_endpoint_is_missing_on_a_site_without_push_messages(
    device: Client, settings: Settings
) -> None:
    settings.PUSH_MESSAGES = False
    assert device.get(reverse("push")).status_code == 404


def test_device_of_another_account_cannot_be_removed(device: Client) -> None:
    send(device, "POST", DEVICE)
    other = Client()
    other.force_login(make_user())
    assert other.delete(reverse("push"), json.dumps(DEVICE)).status_code == 204
    assert PushSubscription.objects.count() == 1


@pytest.mark.parametrize(
    "content",
    [
        "",
        "no json",
        "[]",
        "null",
        "{}",
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
        "[" * 3000,
        {"endpoint": DEVICE["endpoint"]},
        {**DEVICE, "keys": None},
        {**DEVICE, "keys": "p256dh"},
        {**DEVICE, "keys": {"p256dh": 1, "auth": 2}},
        {**DEVICE, "endpoint": "https://10.0.0.1/"},
        {**DEVICE, "endpoint": ["https://fcm.googleapis.com/"]},
        {**DEVICE, "endpoint": "https://fcm.googleapis.com/" + "a" * 9000},
        {**DEVICE, "endpoint": "https://fcm.googleapis.com/\0"},
    ],
)
def test_malformed_requests_are_refused(device: Client, content: Any) -> None:
    assert send(device, "POST", content) == 400
    assert not PushSubscription.objects.exists()
