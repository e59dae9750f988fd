"""Tests of the addresses to which push messages may be sent."""

import socket
from typing import Any

import pytest
from pytest_django import Settings

from tournament.push.hosts import EndpointError, check_endpoint, find_address


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc:def",
        "https://fcm.googleapis.com:443/wp/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/QABC",
        "https://wns2-par02p.notify.windows.com/w/?token=abc",
        "https://push.college.example:8443/1",
        "https://push2.college.example/1",
    ],
)
def test_addresses_of_known_and_configured_services_are_accepted(
    settings: Settings, endpoint: str
) -> None:
    settings.PUSH_SERVICES = ["Push.college.example:8443", "push2.college.example"]
    assert check_endpoint(endpoint).scheme == "https"


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/fcm/send/abc",
        "https://fcm.googleapis.com:8443/abc",
        "https://fcm.googleapis.com:x/abc",
        "https://fcm.googleapis.com@127.0.0.1/abc",
        "https://user@fcm.googleapis.com/abc",
        "https://fcm.googleapis.com.evil.example/abc",
        "https://evilpush.apple.com.example/",
        "https://push.services.mozilla.com.example/",
        "https://notify.windows.com/",
        "https://" + "a" * 64 + ".push.apple.com/",
        "https://a..push.apple.com/",
        "https://%61.push.apple.com/",
        "https://push.college.example/1",
        "https://127.0.0.1/abc",
        "https://[::1]/abc",
        "https://localhost/abc",
        "https://169.254.169.254/latest/meta-data/",
        "https://fcm.googleapis.com\\@evil.example/abc",
        "https://fcm.googleapis.com/a b",
        "https://fcm.googleapis.com/a\r\nHost: evil.example",
        "https://fcm.googleapis.com/ä",
        "https://fcm.googleapis.com/" + "a" * 1000,
        "file:///etc/passwd",
        "//fcm.googleapis.com/abc",
        "",
    ],
)
def test_other_addresses_are_refused(settings: Settings, endpoint: str) -> None:
    settings.PUSH_SERVICES = ["push.college.example:8443"]
    with pytest.raises(EndpointError):
        check_endpoint(endpoint)


@pytest.mark.parametrize(
    ("resolved", "chosen"),
    [
        (["142.250.1.1"], "142.250.1.1"),
        (["10.0.0.1", "142.250.1.1"], "142.250.1.1"),
        (["2a00:1450::1"], "2a00:1450::1"),
        (["127.0.0.1"], None),
        (["10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1"], None),
        (["::1", "fe80::1%eth0", "fd00::1", "::ffff:10.0.0.1", "0.0.0.0"], None),
        (["224.0.0.1", "ff02::1"], None),
        ([], None),
    ],
)
def test_known_host_resolves_to_public_addresses_only(
    monkeypatch: pytest.MonkeyPatch, resolved: list[str], chosen: str | None
) -> None:
    def answer(*_arguments: Any, **_options: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in resolved]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    if chosen is None:
        with pytest.raises(OSError, match="no public address"):
            find_address("fcm.googleapis.com", 443)
    else:
        assert find_address("fcm.googleapis.com", 443) == chosen


def test_configured_service_may_be_in_the_local_network(settings: Settings) -> None:
    settings.PUSH_SERVICES = ["localhost:8443"]
    assert find_address("localhost", 8443) in ("127.0.0.1", "::1")
