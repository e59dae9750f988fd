"""Limit on the windows of an account, counted across all processes of the site.

Each window takes one of the account's numbered places in the cache. The cache is in Redis if
available, or else in the process's own memory. A place is renewed while its window is open, so
the places of a process that has died become free within KEPT_SECONDS.
"""

from django.core.cache import cache

from games.process import run_in_database_thread
from games.process.components import Component
from games.seats import Holder

MOST = 20
KEPT_SECONDS = 60


class Places(Component):
    """Places taken by a process's windows. Only the process's event loop uses it."""

    def __init__(self) -> None:
        self._taken: dict[str, str] = {}
        self._returned: list[str] = []

    async def take(self, account: Holder, window: str) -> str | None:
        """Return a place for this window, or None if the account already has MOST of them."""
        await self.settle()
        place = await run_in_database_thread(_take_first_free, account, window)
        if place is not None:
            self._taken[place] = window
        return place

    def leave(self, place: str) -> None:
        """Give back a place without waiting.

        The next call of `settle` updates the cache, either in the sweep or when a window opens.
        """
        if self._taken.pop(place, None) is not None:
            self._returned.append(place)

    async def settle(self) -> None:
        """Remove the places that were given back from the cache."""
        left, self._returned = self._returned, []
        if left:
            await run_in_database_thread(cache.delete_many, left)

    async def renew(self) -> None:
        """Renew the taken places in the cache. Call this method well within KEPT_SECONDS."""
        if self._taken:
            await run_in_database_thread(cache.set_many, dict(self._taken), KEPT_SECONDS)

    def close(self) -> None:
        """Give back all places, so that returning users can connect to another process."""
        cache.delete_many([*self._taken, *self._returned])
        self._taken, self._returned = {}, []


def _take_first_free(account: Holder, window: str) -> str | None:
    for number in range(MOST):
        place = f"window:{account}:{number}"
        if cache.add(place, window, KEPT_SECONDS):
            return place
    return None
