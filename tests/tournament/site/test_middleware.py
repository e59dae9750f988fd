"""Tests of rate limits by network address."""

import asyncio
import io
from contextlib import AbstractContextManager
from typing import Any

import pytest
import uvicorn
from allauth.core.internal import ratelimit
from django.core.handlers.asgi import ASGIRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.tournament.visitors import request_code, sign_in, sign_up
from tournament.management.commands.serve import OPTIONS
from tournament.site.middleware import address_of

pytestmark = pytest.mark.django_db
PAGES = ["account_login", "account_signup", "account_request_login_code", "account_reset_password"]


def post_to_all_pages(client: Client, email: str) -> None:
    """Post to each of the pages that many people at one address use at the same time."""
    sign_in(client, login=email)
    sign_up(client, email=email)
    request_code(Client(), email)
    Client().post(reverse("account_reset_password"), {"email": email})


def test_users_sharing_an_address_do_not_block_each_other_on_rate_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Check that users at one address do not wait for each other's locks.

    allauth locks the key of a rate limit while it counts a request. It refuses a request that has
    waited for the lock for a second.
    """
    locks: list[str] = []
    lock = ratelimit.cache_lock

    def lock_and_record(key: str) -> AbstractContextManager[object]:
        locks.append(key)
        held: AbstractContextManager[object] = lock(key)
        return held

    monkeypatch.setattr(ratelimit, "cache_lock", lock_and_record)
    post_to_all_pages(Client(), "asha@college.example")
    hers, locks[:] = set(locks), []
    post_to_all_pages(Client(), "ben@college.example")
    assert (len(hers) > 4, hers & set(locks)) == (True, set())


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_rate_limits_apply_per_ipv4_address_and_per_ipv6_network(
    address: str, counted: str
) -> None:
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def get_counted_address(peer: str, forwarded: str) -> str:
    """Return the address that is counted for a request from `peer` with this header.

    The request passes through the same server as with `manage.py serve`.
    """
    seen: list[str] = []

    async def site(scope: Any, receive: Any, send: Any) -> None:
        seen.append(address_of(ASGIRequest(scope, io.BytesIO())))

    config = uvicorn.Config(site, **OPTIONS)
    config.load()
    headers = [(b"x-forwarded-for", forwarded.encode()), (b"x-forwarded-proto", b"https")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "scheme": "http"}
    scope |= {"client": (peer, 40_000), "server": ("127.0.0.1", 8000), "headers": headers}
    asyncio.run(config.loaded_app(scope, None, None))
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("127.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("127.0.0.1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        ("198.51.100.7", "203.0.113.9", "198.51.100.7"),
    ],
    ids=["trusted proxy", "IPv6", "forged address before the proxy's", "untrusted proxy"],
)
def test_forged_header_does_not_change_the_counted_address(
    peer: str, forwarded: str, counted: str
) -> None:
    assert get_counted_address(peer, forwarded) == counted
