"""A Redis cache that falls back to the process's memory, so that rate limits always work."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from games.process import here
from games.process.components import Component

logger = logging.getLogger(__name__)

# Redis is not used for this long after a failure.
RETRY_SECONDS = 5.0
# Maximum seconds to wait for a response.
TIMEOUT = 1.0
# Redis is tested with a write, because reads still succeed if it is full or a replica.
PROBE = "lastcard:writable"


class RedisOutage(Component):
    """The state of a Redis outage, shared by all threads of a process.

    Django gives each thread its own cache object.
    """

    def __init__(self) -> None:
        self.until: float | None = None

    @property
    def is_ongoing(self) -> bool:
        return self.until is not None

    @property
    def is_paused(self) -> bool:
        return self.until is not None and time.monotonic() < self.until

    def pause_cache(self, error: Exception) -> None:
        already_paused_until, self.until = self.until, time.monotonic() + RETRY_SECONDS
        if already_paused_until is None:
            name = type(error).__name__
            logger.warning("Redis is away (%s): this process counts its limits alone.", name)

    def end(self) -> None:
        paused_until, self.until = self.until, None
        if paused_until is not None:
            logger.warning("Redis is back.")


class FallbackCacheClient:
    """Cache client that uses Redis, or the process's own cache during an outage."""

    def __init__(self, servers: list[str], MAX_ENTRIES: int = 300, **options: Any) -> None:
        retry = Retry(NoBackoff(), 1)  # One retry, in case the connection is stale.
        self.redis = RedisCacheClient(
            servers,
            socket_connect_timeout=TIMEOUT,
            socket_timeout=TIMEOUT,
            retry=retry,
            **options,
        )
        self.local = LocMemCache("without-redis", {"OPTIONS": {"MAX_ENTRIES": MAX_ENTRIES}})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            outage = here().part(RedisOutage)
            if not outage.is_paused:
                try:
                    if outage.is_ongoing:
                        self.redis.set(PROBE, 1, 60)
                    answer = getattr(self.redis, name)(*arguments)
                except RedisError as error:
                    outage.pause_cache(error)
                else:
                    outage.end()
                    return answer
            return getattr(self.local, name)(*arguments)

        return call


class FallbackCache(RedisCache):
    def __init__(self, server: str, params: dict[str, object]) -> None:
        super().__init__(server, params)
        self._class = FallbackCacheClient
