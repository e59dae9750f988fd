"""What comes between every request and its page."""

from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.tournament.visitors import ask_for_code, sign_in, sign_up
from tournament.plumbing import middleware

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

    def noted(key: str) -> Any:
        locks.append(key)
        return lock(key)

    monkeypatch.setattr(ratelimit, "cache_lock", noted)
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


def test_a_counter_that_is_lost_while_counting_keeps_nobody_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "add", lambda *given: False)
    assert Client().post(reverse("account_login")).status_code == 200
