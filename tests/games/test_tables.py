"""Views as they are sent: made once for all who see the same, and no different for it."""

import asyncio
import json
from itertools import count, pairwise
from typing import Any

import pytest
from django.utils import timezone, translation

from games import queries, store
from games.clocks import presence
from games.live.tables import Table, Tables, Texts
from games.models import Match
from games.process import Process, here
from games.queries.viewing import AS_IT_IS, Shown
from games.seats import SeatNumber
from tests.games.helpers import act, begin

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.live.tables.FRESH_SECONDS", 60.0)


def shown(match: Match) -> Shown:
    return Shown(store.current(match.pk), timezone.now(), AS_IT_IS)


def view(texts: Texts, one: Shown, seat: int | None = None, since: int = -1) -> bytes:
    people = here().part(presence.Presence).known(one.snapshot.match.pk)
    number = None if seat is None else SeatNumber(seat)
    return texts.view(one, people, number, True, since)


@pytest.mark.parametrize("practice", [False, True])
@pytest.mark.parametrize("seat", [None, 0, 1])
def test_what_is_sent_is_the_view_with_the_events_since(seat: int | None, practice: bool) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", practice=practice)
    act(match, 0, {"play": "R1"})
    one, number = shown(match), None if seat is None else SeatNumber(seat)
    sent: dict[str, Any] = json.loads(view(Texts(), one, seat, 1))
    whole = queries.table_view(one.snapshot, number, {}, one.now, controls=True, stream=AS_IT_IS)
    assert sent == {
        "type": "view",
        "version": 2,
        "view": json.loads(json.dumps(whole)),
        "events": json.loads(json.dumps(queries.events_since(one.snapshot, number, 1))),
    }


def test_viewers_get_the_very_same_bytes_and_seats_their_own() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, one = Texts(), shown(match)
    assert view(texts, one) is view(texts, one)
    assert view(texts, one) is not view(texts, one, since=0)
    assert b'"card":"R3"' in view(texts, one, 1)
    assert b'"card":"R3"' not in view(texts, one, 0)


def test_nobody_gets_the_language_of_another() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts, one = Texts(), shown(match)
    view(texts, one)
    with translation.override("x-other"):
        assert len(texts._made) == 2
        view(texts, one)
    assert len(texts._made) == 4


def test_a_new_state_and_an_old_moment_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    texts = Texts()
    before = view(texts, shown(match))
    act(match, 0, {"play": "R1"})
    assert json.loads(view(texts, shown(match)))["view"]["top"] == "R1"
    assert json.loads(before)["view"]["top"] == "R5"
    monkeypatch.setattr("games.live.tables.FRESH_SECONDS", -1.0)
    assert view(texts, shown(match)) is not view(texts, shown(match))


# One for each window that is told, and for each turn that others had.
TICKS = count()


class Quiet:
    """A window that counts how often it is told."""

    language = "en"

    def __init__(self, process: Process, seat: int | None = None) -> None:
        self.process, self.told, self.leaving = process, 0, list[Any]()
        self.seat, self.told_at = seat, list[int]()

    def until_closed(self, leave: Any) -> None:
        self.leaving.append(leave)

    def show(self, live: store.Snapshot) -> None:
        self.told += 1
        self.told_at.append(next(TICKS))


def at_a_table(match: Match, turns: list[int]) -> Quiet:
    """Poke so often before each turn; the window that was told."""
    process = here()
    store.remember(store.current(match.pk))

    async def whole() -> Quiet:
        tables, window = Tables(), Quiet(process)
        table: Table = tables.join(window, match.pk)  # type: ignore[arg-type]
        running = asyncio.create_task(tables.run(process))
        for pokes in turns:
            for _ in range(pokes):
                table.poked(None)
            await asyncio.sleep(0.01)
        running.cancel()
        window.leaving[0]()
        assert process.hub.topics() == []
        return window

    return asyncio.run(whole())


def test_many_pokes_are_one_turn() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    assert at_a_table(match, [1, 100, 0]).told == 2


def told_between(sat: list[tuple[Match, Quiet]]) -> list[bool]:
    """Poke these tables; whether others had their turn between any two that were told."""
    process, others = here(), list[int]()
    windows = [window for _, window in sat]
    for match, _ in sat:
        store.remember(store.current(match.pk))

    async def play() -> None:
        tables = Tables()
        at = [tables.join(window, match.pk) for match, window in sat]  # type: ignore[arg-type]
        running = asyncio.create_task(tables.run(process))
        for table in dict.fromkeys(at):
            table.poked(None)
        while not all(window.told for window in windows):
            await asyncio.sleep(0)
            others.append(next(TICKS))
        running.cancel()
        for window in windows:
            window.leaving[0]()

    asyncio.run(play())
    told = sorted(at for window in windows for at in window.told_at)
    return [any(a < other < b for other in others) for a, b in pairwise(told)]


def test_players_are_told_first_and_others_have_their_turn_among_many_viewers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.live.tables.AT_A_STRETCH", 3)
    monkeypatch.setattr("games.live.tables.STRETCH_SECONDS", -1.0)
    match, process = begin(["R1 R2 R8", "R3 R4 R9"], "R5"), here()
    windows = [Quiet(process, seat) for seat in [None, None, 1, None, None, 0, None, None]]
    between = told_between([(match, window) for window in windows])
    assert between == [False, False, True, False, False, True, False]
    players = [at for one in windows if one.seat is not None for at in one.told_at]
    viewers = [at for one in windows if one.seat is None for at in one.told_at]
    assert (len(players), len(viewers), max(players) < min(viewers)) == (2, 6, True)


@pytest.mark.parametrize(("seconds", "others"), [(60.0, False), (-1.0, True)])
def test_tables_are_told_for_some_milliseconds_before_others_have_their_turn(
    monkeypatch: pytest.MonkeyPatch, seconds: float, others: bool
) -> None:
    monkeypatch.setattr("games.live.tables.STRETCH_SECONDS", seconds)
    matches = [begin(["R1 R2 R8", "R3 R4 R9"], "R5") for _ in range(4)]
    assert told_between([(match, Quiet(here())) for match in matches]) == [others] * 3
