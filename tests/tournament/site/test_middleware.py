"""Middleware between every request and its page."""

import asyncio
import io
from contextlib import AbstractContextManager
from typing import Any

import pytest
import uvicorn
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.core.handlers.asgi import ASGIRequest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.tournament.visitors import ask_for_code, sign_in, sign_up
from tournament.management.commands.serve import OPTIONS
from tournament.site import middleware
from tournament.site.middleware import address_of

pytestmark = pytest.mark.django_db
PAGES = ["account_login", "account_signup", "account_request_login_code", "account_reset_password"]


def use_all(client: Client, email: str) -> None:
    """Post to each of the pages that a full hall uses at the same time."""
    sign_in(client, login=email)
    sign_up(client, email=email)
    ask_for_code(Client(), email)
    Client().post(reverse("account_reset_password"), {"email": email})


def test_people_behind_one_address_do_not_wait_for_each_other_s_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A limit holds a lock of its key while it counts, and refuses who waits a second for it."""
    locks: list[str] = []
    lock = ratelimit.cache_lock

    def lock_and_note(key: str) -> AbstractContextManager[object]:
        locks.append(key)
        held: AbstractContextManager[object] = lock(key)
        return held

    monkeypatch.setattr(ratelimit, "cache_lock", lock_and_note)
    use_all(Client(), "asha@college.example")
    hers, locks[:] = set(locks), []
    use_all(Client(), "ben@college.example")
    assert (len(hers) > 4, hers & set(locks)) == (True, set())


@pytest.mark.parametrize("page", PAGES)
def test_a_flood_from_one_address_is_stopped_for_a_minute(
    page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(middleware.PER_MINUTE, page, 3)
    monkeypatch.setattr(middleware, "minute", lambda: 7)
    codes = [Client().post(reverse(page)).status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]
    assert Client().get(reverse(page)).status_code == 200
    assert Client(REMOTE_ADDR="192.0.2.1").post(reverse(page)).status_code == 200
    monkeypatch.setattr(middleware, "minute", lambda: 8)
    assert Client().post(reverse(page)).status_code == 200


def test_one_household_s_addresses_of_ipv6_count_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(middleware.PER_MINUTE, "account_login", 1)
    monkeypatch.setattr(middleware, "minute", lambda: 7)
    clients = [Client(REMOTE_ADDR=f"2001:db8::{number}") for number in (1, 2)]
    assert [c.post(reverse("account_login")).status_code for c in clients] == [200, 429]


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
def test_limits_count_by_address_and_by_network_in_ipv6(address: str, counted: str) -> None:
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def get_counted_address(peer: str, forwarded: str) -> str:
    """Return the address by which limits count a request from `peer` with this header.

    The request goes through the server of `manage.py serve`.
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
    ids=["our proxy", "IPv6", "a visitor's own header before it", "no proxy of ours"],
)
def test_a_forged_header_does_not_change_who_is_counted(
    peer: str, forwarded: str, counted: str
) -> None:
    assert get_counted_address(peer, forwarded) == counted


def test_a_flood_with_a_new_header_each_time_is_stopped_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(middleware.PER_MINUTE, "account_login", 2)
    monkeypatch.setattr(middleware, "minute", lambda: 7)
    headers = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(3)]
    posts = [Client(headers=each).post(reverse("account_login")) for each in headers]
    assert [post.status_code for post in posts] == [200, 200, 429]


def test_a_counter_that_is_lost_while_counting_keeps_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "add", lambda *given: False)
    assert Client().post(reverse("account_login")).status_code == 200
