"""Tests of Process, which owns all state of a serving process."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from games import store
from games.clocks.presence import PresenceBook
from games.process import Process, here, process_cache, run_in_database_thread
from games.process.components import Component
from games.process.lru import LruCache
from games.sockets.open_sockets import OpenSockets
from games.sockets.reactions import reactions_topic
from tests.games.helpers import act, begin
from tests.games.windows import list_table_sockets, open_window
from tests.live import LiveSite
from tests.services import wait_for
from tournament.asgi import Site

pytestmark = pytest.mark.sql


class SlowComponent(Component):
    """Component that takes time to create and counts its instances."""

    made = 0

    def __init__(self) -> None:
        time.sleep(0.02)
        type(self).made += 1


def test_part_is_created_once_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowComponent, "made", 0)
    process = Process()
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(process.part, [SlowComponent] * 8))
    assert (len(found), SlowComponent.made) == (1, 1)


def test_process_can_be_entered_and_left(process: Process) -> None:
    other = Process()
    assert here() is process
    with other.enter():
        assert here() is other
        assert here().part(PresenceBook) is not process.part(PresenceBook)
    assert here() is process


def test_async_work_and_database_threads_belong_to_the_calling_process() -> None:
    async def list_processes() -> list[Process]:
        return [here(), await asyncio.create_task(run_in_database_thread(here))]

    process = Process()
    with process.enter():
        assert asyncio.run(list_processes()) == [process, process]
    process.close()


def test_thread_outside_any_process_uses_the_default_process(process: Process) -> None:
    found: list[Process] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: found.append(here()))
        thread.start()
        thread.join()
    assert found[0] is found[1] is not process


def test_process_cache_is_separate_for_each_process() -> None:
    asked: list[int] = []

    @process_cache(2)
    def double(number: int) -> int:
        asked.append(number)
        return 2 * number

    assert [double(number) for number in (1, 1, 2, 3, 1)] == [2, 2, 4, 6, 2]
    assert asked == [1, 2, 3, 1]
    with Process().enter():
        assert double(1) == 2
    assert asked == [1, 2, 3, 1, 1]


def test_process_cache_keeps_the_newest_values() -> None:
    newest: LruCache[str, int] = LruCache(2)
    for number, key in enumerate("abac"):
        newest.set(key, number)
    assert [newest.get(key) for key in "abc"] == [2, None, 3]


@pytest.mark.django_db(transaction=True)
def test_processes_do_not_share_cached_matches() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    mine = store.current(match.pk)
    with Process().enter():
        assert store.find_cached(match.pk) is None
        act(match, 0, {"play": "R1"})
    assert store.find_cached(match.pk) is mine


def test_closing_ends_all_threads_and_later_use_starts_new_ones() -> None:
    before, process = set(threading.enumerate()), Process()
    for _ in range(2):
        with process.enter():
            asyncio.run(run_in_database_thread(time.monotonic))
        names = {thread.name.partition("_")[0] for thread in set(threading.enumerate()) - before}
        assert names >= {"games-db"}
        process.close()
        assert set(threading.enumerate()) - before == set()


@pytest.mark.django_db(transaction=True)
def test_two_sites_in_one_interpreter_share_nothing(live_site: LiveSite, process: Process) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    second = Process()
    other = LiveSite(Site(second))
    other.start()
    with open_window(other, match, match.seats.get(number=1).user) as window:
        window.wait_for("view")
        assert [socket.seat for socket in list_table_sockets(second)] == [1]
        assert list(process.part(OpenSockets)) == []
        others = [f"people:{match.pk}", reactions_topic(match.pk)]
        topics = {store.match_topic(match.pk), match.desk_topic, *others}
        assert (set(second.hub.topics()), process.hub.topics()) == (topics, [])
        act(match, 0, {"play": "R1"})
        assert window.wait_for_view(top="R1"), "the second site's sweep finds the change"
    wait_for(lambda: not second.hub.topics(), "the window to close")
    other.stop()
