"""Tests of the cache without Redis, when rate limits still apply."""

import logging

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings

from tests.services import find_free_port
from tests.tournament.visitors import is_signed_in, make_asha, sign_in, sign_up
from tournament.settings import cache_settings

pytestmark = pytest.mark.sql

REDIS_WARNING = "Redis is away (ConnectionError): this process counts its limits alone."


@pytest.fixture(autouse=True)
def use_unreachable_redis(settings: Settings) -> None:
    settings.CACHES = {"default": cache_settings(f"redis://127.0.0.1:{find_free_port()}/0")}


@pytest.mark.django_db
def test_sign_in_works_without_redis(client: Client) -> None:
    make_asha()
    sign_in(client)
    assert is_signed_in(client)


@pytest.mark.django_db
def test_sign_up_works_without_redis(client: Client, mailoutbox: list[EmailMessage]) -> None:
    assert sign_up(client).status_code == 302
    assert len(mailoutbox) == 1


@pytest.mark.django_db
def test_five_wrong_passwords_lock_the_account_without_redis(client: Client) -> None:
    make_asha()
    for _ in range(5):
        sign_in(client, password="wrong-wrong-wrong")
    sign_in(client)
    assert not is_signed_in(client)


def test_redis_outage_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(20):
            cache.set(f"key-{number}", number)
    assert [cache.get(f"key-{number}") for number in range(20)] == list(range(20))
    assert caplog.messages == [REDIS_WARNING]


def test_every_cache_operation_works_without_redis() -> None:
    assert (cache.add("a", 1), cache.add("a", 2)) == (True, False)
    assert (cache.incr("a"), cache.has_key("a"), cache.touch("a")) == (2, True, True)
    cache.set_many({"b": 3, "c": 4})
    assert cache.get_many(["a", "b", "c"]) == {"a": 2, "b": 3, "c": 4}
    cache.delete_many(["a", "b"])
    assert cache.delete("c") is True
    cache.set("d", 5)
    cache.clear()
    assert cache.get("d") is None


def test_local_cache_has_room_for_the_rate_limits_of_many_people() -> None:
    """Check that the cache holds more entries than Django's default of 300.

    When many people sign in at the same time, each of them needs entries for rate limits.
    """
    for number in range(2000):
        cache.set(f"key-{number}", number)
    assert [number for number in range(2000) if cache.get(f"key-{number}") is None] == []
