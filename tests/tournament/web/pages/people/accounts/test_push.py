"""Tests of the endpoint at which a service worker subscribes its device."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.factories import make_user
from tests.push_service import FakeDevice
from tests.tournament.visitors import make_asha
from tournament.models import PushSubscription
from tournament.push.encryption import public_key

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

DEVICE_JSON = FakeDevice("https://fcm.googleapis.com/fcm/send/1").to_json()


@pytest.fixture
def csrf_client() -> Client:
    """Return a signed-in client that has to send a CSRF token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_asha())
    return client


def send_request(client: Client, method: str, content: Any, token: str | None = None) -> int:
    if token is None:
        token = client.get(reverse("push")).json()["token"]
    body = content if isinstance(content, str) else json.dumps(content)
    return client.generic(
        method, reverse("push"), body, "application/json", headers={"X-CSRFToken": token}
    ).status_code


def test_device_subscribes_with_its_language_and_session_and_unsubscribes(
    csrf_client: Client,
) -> None:
    csrf_client.cookies["language"] = "hi"
    assert send_request(csrf_client, "POST", DEVICE_JSON) == 204
    [kept] = PushSubscription.objects.all()
    assert (kept.endpoint, kept.language) == (DEVICE_JSON["endpoint"], "hi")
    assert kept.session == csrf_client.session.session_key
    assert (kept.public_key, kept.secret) == (
        DEVICE_JSON["keys"]["p256dh"],
        DEVICE_JSON["keys"]["auth"],
    )
    assert send_request(csrf_client, "DELETE", DEVICE_JSON) == 204
    assert not PushSubscription.objects.exists()


def test_response_contains_the_key_of_the_site(csrf_client: Client) -> None:
    assert csrf_client.get(reverse("push")).json()["key"] == public_key()


def test_request_without_a_csrf_token_is_refused(csrf_client: Client) -> None:
    assert send_request(csrf_client, "POST", DEVICE_JSON, token="") == 403
    assert not PushSubscription.objects.exists()


def test_visitor_without_an_account_cannot_subscribe(client: Client) -> None:
    assert client.get(reverse("push")).status_code == 401
    assert client.post(reverse("push"), DEVICE_JSON, "application/json").status_code == 401


def test_endpoint_is_missing_on_a_site_without_push_messages(
    csrf_client: Client, settings: Settings
) -> None:
    settings.PUSH_MESSAGES = False
    assert csrf_client.get(reverse("push")).status_code == 404


def test_device_of_another_account_cannot_be_removed(csrf_client: Client) -> None:
    send_request(csrf_client, "POST", DEVICE_JSON)
    other = Client()
    other.force_login(make_user())
    assert other.delete(reverse("push"), json.dumps(DEVICE_JSON)).status_code == 204
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
        {"endpoint": DEVICE_JSON["endpoint"]},
        {**DEVICE_JSON, "keys": None},
        {**DEVICE_JSON, "keys": "p256dh"},
        {**DEVICE_JSON, "keys": {"p256dh": 1, "auth": 2}},
        {**DEVICE_JSON, "endpoint": "https://10.0.0.1/"},
        {**DEVICE_JSON, "endpoint": ["https://fcm.googleapis.com/"]},
        {**DEVICE_JSON, "endpoint": "https://fcm.googleapis.com/" + "a" * 9000},
        {**DEVICE_JSON, "endpoint": "https://fcm.googleapis.com/\0"},
    ],
)
def test_malformed_requests_are_refused(csrf_client: Client, content: Any) -> None:
    assert send_request(csrf_client, "POST", content) == 400
    assert not PushSubscription.objects.exists()
