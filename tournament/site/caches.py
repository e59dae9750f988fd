"""Cache in Redis, or in the process while Redis is away, so that rate limits still work."""

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

# After a failure Redis is not asked for PAUSE seconds; a request waits at most PATIENCE for its
# answer.
PAUSE = 5.0
PATIENCE = 1.0
# A Redis whose disk or memory is full, or that has become a replica, still answers reads.
PROBE = "lastcard:writable"


class RedisOutage(Component):
    """Outage state of Redis, shared by all threads of a process.

    Django gives each thread its own cache object.
    """

    def __init__(self) -> None:
        self.until: float | None = None

    @property
    def ongoing(self) -> bool:
        return self.until is not None

    @property
    def pausing(self) -> bool:
        return self.until is not None and time.monotonic() < self.until

    def pause_cache(self, error: Exception) -> None:
        before, self.until = self.until, time.monotonic() + PAUSE
        if before is None:
            name = type(error).__name__
            logger.warning("Redis is away (%s): this process counts its limits alone.", name)

    def end(self) -> None:
        before, self.until = self.until, None
        if before is not None:
            logger.warning("Redis is back.")


class Client:
    """Cache client whose every call goes to Redis or to the process's own cache."""

    def __init__(self, servers: list[str], MAX_ENTRIES: int = 300, **options: Any) -> None:
        retry = Retry(NoBackoff(), 1)  # once, for a connection that has gone stale
        self.redis = RedisCacheClient(
            servers,
            socket_connect_timeout=PATIENCE,
            socket_timeout=PATIENCE,
            retry=retry,
            **options,
        )
        self.own = LocMemCache("without-redis", {"OPTIONS": {"MAX_ENTRIES": MAX_ENTRIES}})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            outage = here().part(RedisOutage)
            if not outage.pausing:
                try:
                    if outage.ongoing:
                        self.redis.set(PROBE, 1, 60)
                    answer = getattr(self.redis, name)(*given)
                except RedisError as error:
                    outage.pause_cache(error)
                else:
                    outage.end()
                    return answer
            return getattr(self.own, name)(*given)

        return call


class Cache(RedisCache):
    def __init__(self, server: str, params: dict[str, object]) -> None:
        super().__init__(server, params)
        self._class = Client
