"""The one writer of SQLite and the changes that wait for it, which are committed together.

A commit waits for the disk. The next writer takes along everything that has arrived since, in one
transaction. A change is not reported as made before that is committed.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from django.db import transaction

Work = Callable[[], bool]


@dataclass(slots=True, eq=False)
class _WaitingChange:
    work: Work
    turn: threading.Event = field(default_factory=threading.Event)
    outcome: bool | Exception | None = None

    def alone(self) -> None:
        """Have it done in a transaction of its own."""
        try:
            with transaction.atomic():
                outcome = self.work()
        except Exception as error:
            self.outcome = error  # for the waiting thread
        else:
            self.outcome = outcome


class GroupWriter:
    """For any thread of a process, outside of transactions."""

    def __init__(self) -> None:
        # SQLite's own waiting is by polling.
        self.writer = threading.Lock()
        self._queue: list[_WaitingChange] = []
        self._queueing = threading.Lock()

    def write(self, work: Work) -> bool:
        """Have this done and committed: what it returns; its exceptions arrive as they are.

        Another thread may do it, and again alone if something failed in company.
        """
        mine = _WaitingChange(work)
        with self._queueing:
            self._queue.append(mine)
            first = self._queue[0] is mine
        if not first:
            mine.turn.wait()
        if mine.outcome is None:
            self._lead()
        if isinstance(mine.outcome, Exception):
            raise mine.outcome
        return bool(mine.outcome)

    def _lead(self) -> None:
        """Commit the waiting changes, and let the first change that came later lead next."""
        group: list[_WaitingChange] = []
        try:
            with self.writer:
                with self._queueing:
                    group += self._queue
                _commit(group)
        finally:
            with self._queueing:
                del self._queue[: len(group)]
                following = self._queue[:1]
            for one in (*group, *following):
                one.turn.set()


def _commit(group: list[_WaitingChange]) -> None:
    try:
        with transaction.atomic():
            outcomes = [one.work() for one in group]
    except Exception:
        # The group is rolled back; each change then runs alone to find out whether it failed.
        for one in group:
            one.alone()
    else:
        for one, outcome in zip(group, outcomes, strict=True):
            one.outcome = outcome
