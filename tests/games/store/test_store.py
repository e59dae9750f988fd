"""Tests of loading and saving matches: compare-and-swap, cache and transactions."""

import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, store
from games.json_values.race import Races
from games.models import Match
from games.process import here
from games.process.liveness import Liveness
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot
from tests.games.helpers import act, begin, make_match
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def pause_match(snapshot: Snapshot) -> MatchChange:
    change = MatchChange.from_snapshots(snapshot, timezone.now())
    change.match["paused_at"] = change.now
    return change


def test_commit_on_an_old_version_conflicts_and_writes_nothing() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    old = store.load(match.pk)
    store.commit(pause_match(old))
    with pytest.raises(store.ConflictError):
        store.commit(pause_match(old))
    assert Match.objects.get(pk=match.pk).version == 2


def test_every_commit_marks_the_database_as_available(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    liveness = here().part(Liveness)

    def marks_database_as_available(write: Callable[[], object]) -> bool:
        monkeypatch.setattr(liveness, "_answered", time.monotonic() - 100)
        write()
        return liveness.seconds_since_answer < 50

    def commit_and_roll_back() -> None:
        with transaction.atomic():
            store.commit(pause_match(store.load(match.pk)))
            transaction.set_rollback(True)

    assert not marks_database_as_available(commit_and_roll_back)
    assert marks_database_as_available(lambda: store.save_race(store.load(match.pk), Races(), None))
    assert marks_database_as_available(lambda: store.commit(pause_match(store.load(match.pk))))


def test_write_that_ignores_a_new_claim_conflicts() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    old = store.load(match.pk)
    due = timezone.now()
    noted = store.save_race(old, Races(), due)
    assert (noted.version, noted.match.claims) == (old.version, old.match.claims + 1)
    with pytest.raises(store.ConflictError):
        store.commit(pause_match(old))
    with pytest.raises(store.ConflictError):
        store.save_race(old, Races(), None)
    store.set_due_time(old, None)
    assert Match.objects.get(pk=match.pk).due == due
    assert store.commit(pause_match(noted)).version == old.version + 1


def test_position_is_stored_once_with_each_state_change() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    loaded = store.load(match.pk)
    change = MatchChange.from_snapshots(loaded, timezone.now())
    change.state = replace(change.state, deserted=True)
    committed = store.commit(change)
    _hand, position = loaded.in_play
    stored = Match.objects.get(pk=match.pk).state
    assert (stored.position, stored.deserted) == (position.to_json(), True)
    for snapshot in (loaded, committed, sure(store.reload(loaded))):
        assert snapshot.match.state.position is None


def test_matches_with_equal_options_share_their_rules() -> None:
    options = {"target": 80}
    one, same, other = (
        store.load(make_match(options=own).pk) for own in (options, {**options}, {"target": 90})
    )
    assert one.rules is same.rules
    assert one.match.options is same.match.options
    assert (one.rules.target, other.rules.target) == (80, 90)


def test_action_on_a_cached_match_reads_nothing_from_the_database() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with CaptureQueriesContext(connection) as captured:
        services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="x")
    statements = [query["sql"].split()[0] for query in captured.captured_queries]
    written = [one for one in statements if one not in ("BEGIN", "COMMIT")]
    assert written in (["UPDATE", "INSERT"], ["WITH"])


@pytest.mark.postgres
def test_postgresql_plans_the_action_statement_once() -> None:
    match = begin(["R1 R2 R3 R8", "R4 R6 R7 R9"], "R5")
    for number, card in enumerate(["R1", "R4", "R2", "R6", "R3", "R7"]):
        act(match, number % 2, {"play": card})
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) > 0 FROM pg_prepared_statements WHERE statement LIKE 'WITH swapped%'"
        )
        assert cursor.fetchone() == (True,)
    with CaptureQueriesContext(connection) as captured:
        act(match, 0, {"play": "R8"})
    assert "WITH" in [query["sql"].split()[0] for query in captured.captured_queries]


def test_cache_size_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CACHED", 3)
    matches = [services.start_match(make_match()) for _ in range(5)]
    assert [store.find_cached(match.pk) is not None for match in matches] == [False] * 2 + [
        True
    ] * 3


def test_cached_match_is_reloaded_for_a_newer_version() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    old = store.load(match.pk)
    act(match, 0, {"play": "R1"})
    store.forget(match.pk)
    store.remember(old)
    assert store.current(match.pk).version == 1
    assert store.current(match.pk, at_least=2).version == 2


def test_rolled_back_change_is_neither_cached_nor_poked(monkeypatch: pytest.MonkeyPatch) -> None:
    pokes = []
    monkeypatch.setattr(here().hub, "poke", lambda *poke: pokes.append(poke))
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    pokes.clear()
    with transaction.atomic():
        act(match, 0, {"play": "R1"})
        assert store.current(match.pk).version == 2
        transaction.set_rollback(True)
    assert store.current(match.pk).version == 1
    assert pokes == []


def test_pokes_are_sent_after_the_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    pokes = []

    def poke(*arguments: object) -> None:
        assert not connection.in_atomic_block
        pokes.append(arguments)

    match = begin(["R1 R2", "R3 G9"], "R5", topic="event:7")
    monkeypatch.setattr(here().hub, "poke", poke)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    assert pokes == [(f"match:{match.pk}", 2), (f"match:{match.pk}", 3)]
    act(match, 0, {"play": "R2"})
    assert pokes[2:] == [(f"match:{match.pk}", 4), ("event:7",)]


def test_stale_cache_cannot_write_to_a_new_database() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    snapshot = store.load(match.pk)
    Match.objects.filter(pk=match.pk).update(public_id="another match")
    with pytest.raises(store.ConflictError):
        store.commit(pause_match(snapshot))
