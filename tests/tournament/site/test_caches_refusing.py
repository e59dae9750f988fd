"""Tests of the cache with a Redis server that refuses writes."""

import asyncio
import logging
from collections.abc import Iterator

import pytest
import redis
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from games.process import here
from tests.services import Redis
from tests.tournament.visitors import is_signed_in, make_asha, sign_in
from tournament.serving import health
from tournament.settings import cache_settings
from tournament.site.caches import RedisOutage

pytestmark = [pytest.mark.slow, pytest.mark.sql]

# Reasons why Redis refuses writes: full memory, being a replica, and too few replicas.
MAKE_REDIS_REFUSE = {
    "full": lambda client: client.config_set("maxmemory", "1"),
    "replica": lambda client: client.replicaof("127.0.0.1", 1),
    "lone": lambda client: client.config_set("min-replicas-to-write", "1"),
}
MAKE_REDIS_ACCEPT = {
    "full": lambda client: client.config_set("maxmemory", "0"),
    "replica": lambda client: client.replicaof("NO", "ONE"),
    "lone": lambda client: client.config_set("min-replicas-to-write", "0"),
}


@pytest.fixture(scope="module")
def redis_service() -> Iterator[Redis]:
    with Redis() as service:
        yield service


@pytest.fixture(params=list(MAKE_REDIS_REFUSE))
def refusal_kind(
    request: pytest.FixtureRequest, redis_service: Redis, settings: Settings
) -> Iterator[str]:
    """Make Redis refuse writes for one of several reasons, until the test ends."""
    settings.REDIS_URL = redis_service.url
    settings.CACHES = {"default": cache_settings(redis_service.url)}
    change = redis.Redis.from_url(redis_service.url)
    MAKE_REDIS_REFUSE[request.param](change)
    yield str(request.param)
    MAKE_REDIS_ACCEPT[request.param](change)
    change.close()


@pytest.mark.django_db
@pytest.mark.usefixtures("refusal_kind")
def test_sign_in_works_while_redis_refuses_writes(client: Client) -> None:
    make_asha()
    sign_in(client)
    assert is_signed_in(client)


def test_rate_limits_count_while_redis_refuses_writes(
    refusal_kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    outage = here().part(RedisOutage)
    with caplog.at_level(logging.WARNING):
        assert cache.add(f"tries-{refusal_kind}", 1)
        for expected in range(2, 5):
            outage.until = 0.0  # so that Redis is tried again immediately
            assert cache.get(f"tries-{refusal_kind}") == expected - 1
            assert cache.incr(f"tries-{refusal_kind}") == expected
    assert len(caplog.messages) == 1


@pytest.mark.usefixtures("refusal_kind")
def test_readiness_check_fails_while_redis_refuses_writes() -> None:
    [fault] = asyncio.run(health.check_redis())
    assert fault["code"] == "redis"
    assert fault["text"].startswith("Redis refuses writes (")


def test_redis_is_used_again_once_it_accepts_writes(
    refusal_kind: str, redis_service: Redis
) -> None:
    cache.set("key", 1)
    with redis.Redis.from_url(redis_service.url) as client:
        MAKE_REDIS_ACCEPT[refusal_kind](client)
    outage = here().part(RedisOutage)
    outage.until = 0.0
    cache.set("key", 2)
    assert (outage.is_ongoing, cache.get("key")) == (False, 2)
