"""SQLite's one writer commits waiting changes together, and each caller gets its own result."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.contrib.sessions.models import Session
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from games.store.statements import GroupWriter
from tests.games.windows import wait_for_condition

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

Work = Callable[[], bool]


def make_write(key: str) -> Work:
    def work() -> bool:
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now())
        return True

    return work


def load_written_keys() -> set[str]:
    return set(Session.objects.values_list("session_key", flat=True))


class WritingThreads:
    """Threads that write while the writer is held.

    `write` returns as soon as its work is queued.
    """

    def __init__(self, together: GroupWriter, pool: ThreadPoolExecutor) -> None:
        self.together, self._pool = together, pool
        self.asked: list[Future[bool]] = []

    def write(self, work: Work) -> Future[bool]:
        before = len(self.together._queue)
        self.asked.append(self._pool.submit(self._one, work))
        wait_for_condition(lambda: len(self.together._queue) == before + 1)
        return self.asked[-1]

    def _one(self, work: Work) -> bool:
        try:
            return self.together.write(work)
        finally:
            connection.close()


@contextmanager
def hold_writer() -> Iterator[WritingThreads]:
    """Hold the writer, so that writes wait until the end of the block.

    All of them have finished when the context manager exits.
    """
    together = GroupWriter()
    with ThreadPoolExecutor(4) as pool:
        with together.writer:
            yield (crowd := WritingThreads(together, pool))
        for one in crowd.asked:
            one.exception(timeout=20)


def test_single_write_returns_the_result_of_its_work() -> None:
    together = GroupWriter()
    assert together.write(make_write("one")) is True
    assert together.write(lambda: False) is False
    assert load_written_keys() == {"one"}


def test_queued_writes_share_one_transaction_and_thread() -> None:
    said: list[str] = []
    threads: set[int] = set()

    def make_recording_work(key: str) -> Work:
        def work() -> bool:
            said.append(key)
            threads.add(threading.get_ident())
            transaction.on_commit(lambda: said.append(f"{key} committed"))
            return make_write(key)()

        return work

    with hold_writer() as crowd:
        asked = [crowd.write(make_recording_work(key)) for key in "abc"]
    assert [one.result() for one in asked] == [True, True, True]
    assert said == ["a", "b", "c", "a committed", "b committed", "c committed"]
    assert (load_written_keys(), len(threads)) == ({"a", "b", "c"}, 1)


def test_writers_are_notified_only_after_the_commit() -> None:
    found: list[bool] = []

    def write_last() -> bool:
        found.append(first.done())
        return make_write("last")()

    with hold_writer() as crowd:
        first = crowd.write(make_write("first"))
        crowd.write(write_last)
    assert (first.result(), found, load_written_keys()) == (True, [False], {"first", "last"})


def test_failing_write_does_not_affect_the_others() -> None:
    with hold_writer() as crowd:
        first, twice = crowd.write(make_write("a")), crowd.write(make_write("a"))
        refused, last = crowd.write(lambda: False), crowd.write(make_write("b"))
    assert [one.exception() is None for one in (first, twice, refused, last)] == [
        *(True, False, True, True)
    ]
    assert isinstance(twice.exception(), IntegrityError)
    assert (first.result(), refused.result(), last.result()) == (True, False, True)
    assert load_written_keys() == {"a", "b"}


def test_write_arriving_during_a_transaction_is_next() -> None:
    together = GroupWriter()
    in_work, go_on = threading.Event(), threading.Event()

    def hold_until_released() -> bool:
        in_work.set()
        return go_on.wait(20)

    with ThreadPoolExecutor(2) as pool:
        crowd = WritingThreads(together, pool)
        first = pool.submit(crowd._one, hold_until_released)
        assert in_work.wait(20)
        second = crowd.write(make_write("next"))
        assert not second.done()
        go_on.set()
        assert (first.result(20), second.result(20)) == (True, True)
    assert load_written_keys() == {"next"}


def test_killed_leader_thread_hands_over_to_the_next() -> None:
    together = GroupWriter()

    def end_thread() -> bool:
        raise SystemExit

    with pytest.raises(SystemExit):
        together.write(end_thread)
    assert together.write(make_write("after")) is True
