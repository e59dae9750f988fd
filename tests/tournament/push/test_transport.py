"""Tests of requests to push services."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pytest_django import Settings

from tests.push_service import PushReply, PushService
from tournament.push import transport
from tournament.push.hosts import EndpointError
from tournament.push.transport import post


def test_request_delivers_headers_and_body(push_service: PushService) -> None:
    answer = post(f"{push_service.origin}/push/1?v=2", {"TTL": "30"}, b"body")
    [request] = push_service.requests
    assert answer == (201, None)
    assert (request.path, request.headers["ttl"], request.body) == ("/push/1?v=2", "30", b"body")
    assert request.headers["host"] == push_service.host


def test_redirects_are_not_followed(push_service: PushService) -> None:
    aside = (("Location", f"{push_service.origin}/elsewhere"),)
    push_service.replies = [PushReply(status, aside) for status in (301, 302, 307)]
    answers = [post(f"{push_service.origin}/1", {}, b"").status for _ in range(3)]
    assert answers == [301, 302, 307]
    assert {each.path for each in push_service.requests} == {"/1"}


@pytest.mark.parametrize("text", ["17", " 17 "])
def test_retry_after_in_seconds_is_read(push_service: PushService, text: str) -> None:
    push_service.replies = [PushReply(429, (("Retry-After", text),))]
    assert post(f"{push_service.origin}/1", {}, b"") == (429, 17.0)


def test_retry_after_date_is_read_and_invalid_values_are_ignored(push_service: PushService) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    values = (later, "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "-1", "")
    push_service.replies = [PushReply(503, (("Retry-After", each),)) for each in values]
    pauses = [post(f"{push_service.origin}/1", {}, b"").retry_after for _ in values]
    assert 50 < (pauses[0] or 0) <= 60
    assert pauses[1:] == [0.0, None, None, None]


def test_request_to_a_slow_service_times_out(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "TIMEOUT_SECONDS", 0.3)
    push_service.replies = [PushReply(seconds=2)]
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        post(f"{push_service.origin}/1", {}, b"")
    assert time.monotonic() - began < 1.5


def test_unreachable_service_raises_an_error(push_service: PushService) -> None:
    push_service.stop()
    with pytest.raises(ConnectionRefusedError):
        post(f"{push_service.origin}/1", {}, b"")


def test_untrusted_certificate_is_refused(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        post(f"{push_service.origin}/1", {}, b"")
    assert push_service.requests == []


def test_address_removed_from_the_settings_receives_nothing(
    push_service: PushService, settings: Settings
) -> None:
    settings.PUSH_SERVICES = []
    with pytest.raises(EndpointError):
        post(f"{push_service.origin}/1", {}, b"")
    assert push_service.requests == []
