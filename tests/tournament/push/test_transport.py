"""Requests to a push service, and what keeps them from going elsewhere."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pytest_django import Settings

from tests.push_service import PushReply, PushService
from tournament.push import transport
from tournament.push.hosts import EndpointError
from tournament.push.transport import post


def test_request_reaches_the_service_with_headers_and_body(push_service: PushService) -> None:
    answer = post(f"{push_service.origin}/push/1?v=2", {"TTL": "30"}, b"body")
    [got] = push_service.got
    assert answer == (201, None)
    assert (got.path, got.headers["ttl"], got.body) == ("/push/1?v=2", "30", b"body")
    assert got.headers["host"] == push_service.host


def test_redirects_are_not_followed(push_service: PushService) -> None:
    aside = (("Location", f"{push_service.origin}/elsewhere"),)
    push_service.replies = [PushReply(status, aside) for status in (301, 302, 307)]
    answers = [post(f"{push_service.origin}/1", {}, b"").status for _ in range(3)]
    assert answers == [301, 302, 307]
    assert {each.path for each in push_service.got} == {"/1"}


@pytest.mark.parametrize("text", ["17", " 17 "])
def test_pause_is_read_in_seconds(push_service: PushService, text: str) -> None:
    push_service.replies = [PushReply(429, (("Retry-After", text),))]
    assert post(f"{push_service.origin}/1", {}, b"") == (429, 17.0)


def test_pause_is_read_as_a_date_and_nonsense_is_passed_over(push_service: PushService) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    told = (later, "Thu, 01 Jan 1970 00:00:00 GMT", "soon", "-1", "")
    push_service.replies = [PushReply(503, (("Retry-After", each),)) for each in told]
    pauses = [post(f"{push_service.origin}/1", {}, b"").retry_after for _ in told]
    assert 50 < (pauses[0] or 0) <= 60
    assert pauses[1:] == [0.0, None, None, None]


def test_slow_service_is_given_up(
    push_service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "TIMEOUT_SECONDS", 0.3)
    push_service.replies = [PushReply(seconds=2)]
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        post(f"{push_service.origin}/1", {}, b"")
    assert time.monotonic() - began < 1.5


def test_service_that_is_away_is_an_error(push_service: PushService) -> None:
    push_service.stop()
    with pytest.raises(ConnectionRefusedError):
        post(f"{push_service.origin}/1", {}, b"")


def test_certificate_is_checked(push_service: PushService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        post(f"{push_service.origin}/1", {}, b"")
    assert push_service.got == []


def test_address_that_the_settings_no_longer_name_gets_nothing(
    push_service: PushService, settings: Settings
) -> None:
    settings.PUSH_SERVICES = []
    with pytest.raises(EndpointError):
        post(f"{push_service.origin}/1", {}, b"")
    assert push_service.got == []
