"""Tests of the tables that windows watch, and of when each window gets news."""

import asyncio
from itertools import count, pairwise
from typing import Any

import pytest

from games import store
from games.models import Match
from games.process import Process, here
from games.sockets.tables import Tables, TableWindows
from tests.games.helpers import begin

pytestmark = pytest.mark.django_db


# Numbers the updates of windows and the steps of other tasks in the order in which they run.
TICK_COUNTER = count()


class CountingWindow:
    """Window that counts how often it gets news."""

    language, match_id, marked = "en", 0, 0

    def __init__(self, process: Process, seat: int | None = None) -> None:
        self.process, self.updates, self.leaving = process, 0, list[Any]()
        self.seat, self.updated_at = seat, list[int]()

    def call_on_close(self, leave: Any) -> None:
        self.leaving.append(leave)

    def show(self, live: store.Snapshot) -> None:
        self.updates += 1
        self.updated_at.append(next(TICK_COUNTER))

    def show_presence(self) -> None:
        self.updated_at.append(next(TICK_COUNTER))

    def mark_dirty(self) -> None:
        self.marked += 1


def poke_table(match: Match, poke_counts: list[int]) -> CountingWindow:
    """Send a table these numbers of pokes, and return its only window.

    The table may update the window after each group of pokes.
    """
    process = here()
    store.remember(store.current(match.pk))

    async def update_table() -> CountingWindow:
        tables, window = Tables(), CountingWindow(process)
        table: TableWindows = tables.join(window, match.pk)  # type: ignore[arg-type]
        running = asyncio.create_task(tables.run(process))
        for pokes in poke_counts:
            for _ in range(pokes):
                table.receive_poke(None)
            await asyncio.sleep(0.01)
        running.cancel()
        window.leaving[0]()
        assert process.hub.topics() == []
        return window

    return asyncio.run(update_table())


def test_many_pokes_cause_one_update() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    assert poke_table(match, [1, 100, 0]).updates == 2


def find_interruptions(pairs: list[tuple[Match, CountingWindow]]) -> list[bool]:
    """Poke these tables, and return whether other work ran between the windows' updates.

    The list has one flag for each pair of successive updates.
    """
    process, others = here(), list[int]()
    windows = [window for _, window in pairs]
    for match, _ in pairs:
        store.remember(store.current(match.pk))

    async def update_tables() -> None:
        tables = Tables()
        at = [tables.join(window, match.pk) for match, window in pairs]  # type: ignore[arg-type]
        running = asyncio.create_task(tables.run(process))
        for table in dict.fromkeys(at):
            table.receive_poke(None)
        while not all(window.updates for window in windows):
            await asyncio.sleep(0)
            others.append(next(TICK_COUNTER))
        running.cancel()
        for window in windows:
            window.leaving[0]()

    asyncio.run(update_tables())
    found = sorted(at for window in windows for at in window.updated_at)
    return [any(a < other < b for other in others) for a, b in pairwise(found)]


def test_players_are_updated_first_and_other_work_runs_between_viewers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.sockets.tables.AT_A_STRETCH", 3)
    monkeypatch.setattr("games.sockets.tables.STRETCH_SECONDS", -1.0)
    match, process = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), here()
    windows = [CountingWindow(process, seat) for seat in [None, None, 1, None, None, 0, None, None]]
    between = find_interruptions([(match, window) for window in windows])
    assert between == [False, False, True, False, False, True, False]
    players = [at for one in windows if one.seat is not None for at in one.updated_at]
    viewers = [at for one in windows if one.seat is None for at in one.updated_at]
    assert (len(players), len(viewers), max(players) < min(viewers)) == (2, 6, True)


@pytest.mark.parametrize(("seconds", "others"), [(60.0, False), (-1.0, True)])
def test_other_work_runs_after_a_few_milliseconds_of_table_updates(
    monkeypatch: pytest.MonkeyPatch, seconds: float, others: bool
) -> None:
    monkeypatch.setattr("games.sockets.tables.STRETCH_SECONDS", seconds)
    matches = [begin(["R1 R2 R8", "R3 R4 R9"], "R5") for _ in range(4)]
    assert (
        find_interruptions([(match, CountingWindow(here())) for match in matches]) == [others] * 3
    )


async def join_windows(
    *windows: tuple[Match, CountingWindow],
) -> tuple[Tables, list[TableWindows], asyncio.Task[None]]:
    """Join these windows to tables, and return the tables and the task that updates them."""
    tables = Tables()
    at = [tables.join(window, match.pk) for match, window in windows]  # type: ignore[arg-type]
    return tables, at, asyncio.create_task(tables.run(here()))


def test_other_work_runs_between_many_presence_updates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.sockets.tables.AT_A_STRETCH", 3)
    monkeypatch.setattr("games.sockets.tables.STRETCH_SECONDS", -1.0)
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    windows, others = [CountingWindow(here()) for _ in range(7)], list[int]()

    async def update_tables() -> None:
        tables, _, running = await join_windows(*((match, window) for window in windows))
        tables.notify_presence([match.pk, match.pk, 0])
        while not all(window.updated_at for window in windows):
            await asyncio.sleep(0)
            others.append(next(TICK_COUNTER))
        running.cancel()

    asyncio.run(update_tables())
    found = sorted(at for window in windows for at in window.updated_at)
    between = [any(a < other < b for other in others) for a, b in pairwise(found)]
    assert between == [False, False, True, False, False, True]


def test_failing_window_does_not_block_other_windows(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class FailingWindow(CountingWindow):
        def show(self, live: store.Snapshot) -> None:
            raise ValueError("broken")

    matches = [begin(["R1 R2 R8", "R3 R4 R9"], "R5") for _ in range(2)]
    windows = [FailingWindow(here(), 0), CountingWindow(here()), CountingWindow(here())]
    for match in matches:
        store.remember(store.current(match.pk))

    async def update_tables() -> None:
        sat = zip([matches[0], matches[0], matches[1]], windows, strict=True)
        _, at, running = await join_windows(*sat)
        for table in dict.fromkeys(at):
            table.receive_poke(None)
        await asyncio.sleep(0.05)
        assert not running.done()
        running.cancel()

    asyncio.run(update_tables())
    assert [(one.updates, one.marked) for one in windows] == [(0, 1), (1, 0), (1, 0)]
    assert caplog.messages == ["A window of match 0 was not updated"]


def test_tables_marked_before_an_error_are_updated_afterwards() -> None:
    match, window = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), CountingWindow(here())
    store.remember(store.current(match.pk))

    async def update_tables() -> None:
        tables, [table], running = await join_windows((match, window))
        await asyncio.sleep(0)
        table.receive_poke(None)
        tables._rang.clear()  # as after an error in the middle of a turn
        running.cancel()
        again = asyncio.create_task(tables.run(here()))
        await asyncio.sleep(0.05)
        again.cancel()

    asyncio.run(update_tables())
    assert window.updates == 1


@pytest.mark.parametrize("error", [ValueError("unreadable"), None])
def test_match_that_cannot_be_loaded_is_retried_after_a_pause(
    error: ValueError | None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match, window = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), CountingWindow(here())
    old, asked = store.load(match.pk), list[int]()

    def current(match_id: int, at_least: int = 0) -> store.Snapshot:
        asked.append(at_least)
        if error is not None:
            raise error
        return old  # simulates a database restored to an older state

    monkeypatch.setattr(store, "current", current)

    async def update_tables() -> None:
        _, [table], running = await join_windows((match, window))
        table.receive_poke(old.version + 1)
        await asyncio.sleep(0.3)
        running.cancel()

    asyncio.run(update_tables())
    assert asked == [old.version + 1]
    assert caplog.messages == ([f"Match {match.pk} cannot be loaded"] if error else [])


def test_poke_ahead_of_the_database_does_not_block_other_updates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.sockets.tables.RETRY_SECONDS", 0.02)
    match, window = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), CountingWindow(here())
    old = store.current(match.pk)
    store.remember(old)
    monkeypatch.setattr(store, "current", lambda *_asked: old)

    async def update_tables() -> None:
        _, [table], running = await join_windows((match, window))
        updates = window.updates
        table.receive_poke(300)
        async with asyncio.timeout(5):
            while window.updates == updates:
                await asyncio.sleep(0.01)
        assert table.newest == match.version
        running.cancel()

    asyncio.run(update_tables())
