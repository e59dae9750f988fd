"""Tests of the group writer for SQLite, which commits waiting changes together."""

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
    """Threads that write while another thread holds the writer's lock.

    `write` returns as soon as its work is queued.
    """

    def __init__(self, group_writer: GroupWriter, pool: ThreadPoolExecutor) -> None:
        self.group_writer, self._pool = group_writer, pool
        self.futures: list[Future[bool]] = []

    def write(self, work: Work) -> Future[bool]:
        before = len(self.group_writer._queue)
        self.futures.append(self._pool.submit(self._write_and_close, work))
        wait_for_condition(lambda: len(self.group_writer._queue) == before + 1)
        return self.futures[-1]

    def _write_and_close(self, work: Work) -> bool:
        try:
            return self.group_writer.write(work)
        finally:
            connection.close()


@contextmanager
def hold_writer() -> Iterator[WritingThreads]:
    """Hold the writer's lock, so that writes wait until the end of the block.

    All writes have finished when the context manager exits.
    """
    group_writer = GroupWriter()
    with ThreadPoolExecutor(4) as pool:
        with group_writer.writer:
            yield (writers := WritingThreads(group_writer, pool))
        for one in writers.futures:
            one.exception(timeout=20)


def test_single_write_returns_the_result_of_its_work() -> None:
    group_writer = GroupWriter()
    assert group_writer.write(make_write("one")) is True
    assert group_writer.write(lambda: False) is False
    assert load_written_keys() == {"one"}


def test_queued_writes_share_one_transaction_and_thread() -> None:
    events: list[str] = []
    threads: set[int] = set()

    def make_recording_work(key: str) -> Work:
        def work() -> bool:
            events.append(key)
            threads.add(threading.get_ident())
            transaction.on_commit(lambda: events.append(f"{key} committed"))
            return make_write(key)()

        return work

    with hold_writer() as writers:
        futures = [writers.write(make_recording_work(key)) for key in "abc"]
    assert [one.result() for one in futures] == [True, True, True]
    assert events == ["a", "b", "c", "a committed", "b committed", "c committed"]
    assert (load_written_keys(), len(threads)) == ({"a", "b", "c"}, 1)


def test_writers_are_notified_only_after_the_commit() -> None:
    found: list[bool] = []

    def write_last() -> bool:
        found.append(first.done())
        return make_write("last")()

    with hold_writer() as writers:
        first = writers.write(make_write("first"))
        writers.write(write_last)
    assert (first.result(), found, load_written_keys()) == (True, [False], {"first", "last"})


def test_failing_write_does_not_affect_the_others() -> None:
    with hold_writer() as writers:
        first, twice = writers.write(make_write("a")), writers.write(make_write("a"))
        refused, last = writers.write(lambda: False), writers.write(make_write("b"))
    assert [one.exception() is None for one in (first, twice, refused, last)] == [
        *(True, False, True, True)
    ]
    assert isinstance(twice.exception(), IntegrityError)
    assert (first.result(), refused.result(), last.result()) == (True, False, True)
    assert load_written_keys() == {"a", "b"}


def test_write_that_arrives_during_a_transaction_runs_next() -> None:
    group_writer = GroupWriter()
    in_work, go_on = threading.Event(), threading.Event()

    def hold_until_released() -> bool:
        in_work.set()
        return go_on.wait(20)

    with ThreadPoolExecutor(2) as pool:
        writers = WritingThreads(group_writer, pool)
        first = pool.submit(writers._write_and_close, hold_until_released)
        assert in_work.wait(20)
        second = writers.write(make_write("next"))
        assert not second.done()
        go_on.set()
        assert (first.result(20), second.result(20)) == (True, True)
    assert load_written_keys() == {"next"}


def test_exit_of_the_leading_thread_does_not_block_later_writes() -> None:
    group_writer = GroupWriter()

    def end_thread() -> bool:
        raise SystemExit

    with pytest.raises(SystemExit):
        group_writer.write(end_thread)
    assert group_writer.write(make_write("after")) is True
