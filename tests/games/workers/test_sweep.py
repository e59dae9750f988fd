"""Tests of the sweep, which soon sends windows whatever they have missed."""

from collections.abc import Collection
from itertools import chain, count

import pytest
from django.db import OperationalError

from games import services
from games.clocks import timing
from games.sockets.tables import TableWindows
from games.workers import background, sweep
from tests.games.helpers import begin
from tests.games.windows import open_window, wait_for_condition
from tests.live import LiveSite

pytestmark = pytest.mark.sql


@pytest.mark.parametrize("keys", [range(400), range(0, 800, 2), [f"key-{n}" for n in range(400)]])
@pytest.mark.parametrize("every", [1, 2, 8, 20])
def test_sweep_cycle_covers_each_key_once_in_small_portions(
    keys: list[int | str], every: int
) -> None:
    portions = [sweep.Portion(number, every) for number in range(7, 7 + every)]
    checked = [[key for key in keys if key in portion] for portion in portions]
    assert sorted(chain(*checked), key=str) == sorted(keys, key=str)
    assert max(len(some) for some in checked) <= 2.5 * len(keys) / every


@pytest.mark.django_db(transaction=True)
def test_sweep_sends_a_view_that_the_table_missed(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = (seat.user for seat in match.seats.order_by("number"))
    with open_window(live_site, match, first) as one, open_window(live_site, match, second) as two:
        for window in (one, two):
            window.wait_for("view")
        monkeypatch.setattr(sweep, "DESKS_EVERY", 2)
        monkeypatch.setattr(TableWindows, "show_newest", lambda _table: True)
        assert one.act({"play": "R1"})["type"] == "ack"
        assert two.wait_for_view(top="R1")["turn"] == 1


@pytest.mark.django_db(transaction=True)
def test_recurring_errors_do_not_skip_any_portion(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, checked, read = count(1), set[int](), sweep.load_match_versions

    def fail_often(topics: Collection[str]) -> dict[str, int]:
        if next(calls) % 3 == 0:
            raise OperationalError("connection refused")
        return read(topics)

    async def record_portion(process: object, portion: sweep.Portion) -> None:
        checked.add(portion.number % portion.every)

    monkeypatch.setattr(background, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(sweep, "LINES_EVERY", 8)
    monkeypatch.setattr(sweep, "load_match_versions", fail_often)
    monkeypatch.setattr(sweep, "_store_round_trips", record_portion)
    with open_window(live_site, begin(["R1 R2 R8", "R3 R4 R9"], "R5")) as window:
        window.wait_for("view")
        wait_for_condition(lambda: checked == set(range(8)))


@pytest.mark.django_db(transaction=True)
def test_broken_match_does_not_prevent_session_checks(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    checked = set[int]()

    def fail_to_resume(match: int, _now: object) -> None:
        raise ValueError(f"{match} is unreadable")

    async def record_portion(process: object, portion: sweep.Portion) -> None:
        checked.add(portion.number % portion.every)

    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        monkeypatch.setattr(services, "resume_deserted_table", fail_to_resume)
        monkeypatch.setattr(timing, "is_deserted", lambda _match: True)
        monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.05)
        monkeypatch.setattr(sweep, "_check_sessions", record_portion)
        wait_for_condition(lambda: checked == set(range(sweep.SESSIONS_EVERY)))
        wait_for_condition(lambda: f"Match {match.pk} was not checked" in caplog.messages)
