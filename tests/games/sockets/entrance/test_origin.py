"""Tests of the origins from which sockets may be opened, with and without a proxy."""

from typing import Any

import pytest
from pytest_django import Settings

from games.sockets.entrance import origin


def make_scope(
    origin: str | None = None, host: str = "cards.example.edu", scheme: str = "ws", **headers: str
) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    pairs += [(b"host", host.encode())]
    pairs += [(b"origin", origin.encode())] if origin is not None else []
    return {"type": "websocket", "headers": pairs, "scheme": scheme, "server": ("10.0.0.1", 8001)}


@pytest.fixture(autouse=True)
def site_settings(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["cards.example.edu"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://other.example.edu"]


@pytest.mark.parametrize(
    ("allowed", "scope"),
    [
        (True, make_scope("http://cards.example.edu")),
        (True, make_scope("http://CARDS.example.edu")),
        (True, make_scope("https://cards.example.edu", scheme="wss")),
        (True, make_scope("http://cards.example.edu:8000", host="cards.example.edu:8000")),
        (True, make_scope("https://other.example.edu")),
        (True, make_scope("http://cards.example.edu", x_forwarded_proto="https")),
        (False, make_scope("https://cards.example.edu")),
        (False, make_scope("https://cards.example.edu", x_forwarded_proto="https")),
        (False, make_scope("http://cards.example.edu", scheme="wss")),
        (False, make_scope("http://cards.example.edu:8000")),
        (False, make_scope("http://evil.example", host="evil.example")),
        (False, make_scope("http://cards.example.edu.evil.example")),
        (False, make_scope("null")),
        (False, make_scope("")),
        (False, make_scope()),
    ],
)
def test_only_the_scheme_host_and_port_of_the_site_are_allowed(
    allowed: bool, scope: dict[str, Any]
) -> None:
    assert origin.is_allowed(scope) is allowed


def test_duplicate_origin_headers_are_refused() -> None:
    twice = make_scope("http://cards.example.edu")
    twice["headers"] += [(b"origin", b"http://cards.example.edu")]
    assert not origin.is_allowed(twice)


def test_refused_socket_logs_its_origin_on_one_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert origin.is_foreign(make_scope("http://evil.example\nINFO") | {"path": "/ws/match/abc/"})
    assert caplog.messages == [
        "Socket refused, its Origin is [b'http://evil.example\\nINFO'] at /ws/match/abc/"
    ]
