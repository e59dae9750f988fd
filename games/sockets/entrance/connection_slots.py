"""Limit on the windows of an account, counted across all processes of the site.

Each window takes one of the account's numbered slots in the cache. The cache is in Redis if there
is one, and otherwise in the process's own memory. A slot is renewed while its window is open, so
the slots of a dead process become free within KEPT_SECONDS.
"""

from django.core.cache import cache

from games.process import run_in_database_thread
from games.process.components import Component
from games.seats import Holder

MAX_SLOTS = 20
KEPT_SECONDS = 60


class ConnectionSlots(Component):
    """Slots taken by a process's windows. Used only on the event loop."""

    def __init__(self) -> None:
        self._taken: dict[str, str] = {}
        self._released: list[str] = []

    async def take(self, account: Holder, window: str) -> str | None:
        """Return a slot for this window, or None if the account already has MAX_SLOTS slots."""
        await self.remove_released()
        slot = await run_in_database_thread(_take_first_free_slot, account, window)
        if slot is not None:
            self._taken[slot] = window
        return slot

    def release(self, slot: str) -> None:
        """Release a slot without waiting for the cache.

        The next call to `remove_released` removes it from the cache. The sweep and every new window
        make such a call.
        """
        if self._taken.pop(slot, None) is not None:
            self._released.append(slot)

    async def remove_released(self) -> None:
        """Remove the released slots from the cache."""
        left, self._released = self._released, []
        if left:
            await run_in_database_thread(cache.delete_many, left)

    async def renew(self) -> None:
        """Renew the taken slots in the cache. Call this method well within KEPT_SECONDS."""
        if self._taken:
            await run_in_database_thread(cache.set_many, dict(self._taken), KEPT_SECONDS)

    def close(self) -> None:
        """Release all slots, so that users can reconnect to another process."""
        cache.delete_many([*self._taken, *self._released])
        self._taken, self._released = {}, []


def _take_first_free_slot(account: Holder, window: str) -> str | None:
    for number in range(MAX_SLOTS):
        slot = f"window:{account}:{number}"
        if cache.add(slot, window, KEPT_SECONDS):
            return slot
    return None
