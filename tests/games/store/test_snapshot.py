"""Tests of reloading a match that another process has changed."""

import pytest
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, store
from games.json_values.race import Races
from games.models import Match
from games.seats import SeatNumber
from games.store import Snapshot
from tests.games.helpers import act, begin, make_match
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]

HANDS = ["R1 R2 R8 G1", "R3 R4 R9 G2", "R6 R7 Y1 G3"]


def list_values(row: models.Model) -> dict[str, object]:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in row.get_deferred_fields()
    }


def dump_snapshot(snapshot: Snapshot) -> dict[str, object]:
    """Return all contents of the snapshot, for comparison."""
    return {
        "match": list_values(snapshot.match),
        "seats": [list_values(seat) for seat in snapshot.seats],
        "hands": [list_values(hand) for hand in snapshot.hands],
        "actions": [list_values(action) for action in snapshot.actions],
        "position": snapshot.position and snapshot.position.to_json(),
        "rules": snapshot.rules,
    }


def test_reload_after_missed_versions_gives_the_whole_match() -> None:
    match = begin(HANDS, "R5")
    known = [store.load(match.pk)]
    for seat, card in ((0, "R1"), (1, "R3"), (2, "R6"), (0, "R2")):
        act(match, seat, {"play": card})
        whole = dump_snapshot(store.load(match.pk))
        assert [dump_snapshot(sure(store.reload(one))) for one in known] == [whole] * len(known)
        known.append(store.load(match.pk))


def test_reload_without_changes_returns_the_same_match() -> None:
    match = begin(HANDS, "R5")
    act(match, 0, {"play": "R1"})
    known = store.load(match.pk)
    assert dump_snapshot(sure(store.reload(known))) == dump_snapshot(known)


def test_reload_takes_one_query_for_any_log_length() -> None:
    match = begin(HANDS, "R5")
    known = store.load(match.pk)
    for seat, card in ((0, "R1"), (1, "R3"), (2, "R6")):
        act(match, seat, {"play": card})
    with CaptureQueriesContext(connection) as captured:
        assert sure(store.reload(known)).version == known.version + 3
    assert len(captured) == 1


def test_reload_includes_claims_and_pauses() -> None:
    match = begin(HANDS, "R5")
    known = store.load(match.pk)
    store.save_race(known, Races(), timezone.now())
    services.pause_match(match)
    new = sure(store.reload(known))
    assert dump_snapshot(new) == dump_snapshot(store.load(match.pk))
    assert (new.match.claims, new.match.paused) == (1, True)


def test_reload_between_hands_works_without_a_log() -> None:
    known = store.load(make_match().pk)
    assert dump_snapshot(sure(store.reload(known))) == dump_snapshot(known)


def test_match_with_a_dealt_or_finished_hand_is_loaded_in_full() -> None:
    match = make_match()
    before = store.load(match.pk)
    services.start_match(match)
    dealt = store.load(match.pk)
    services.play_out(match, hands=1)
    assert (store.reload(before), store.reload(dealt)) == (None, None)


def test_saved_share_requires_a_full_load_without_a_new_version() -> None:
    known = store.load(make_match().pk)
    store.save_deals(known, sure(known.prepared).deals, None)
    assert store.load(known.match.pk).version == known.version
    assert store.reload(known) is None


def test_extra_time_requires_a_full_load() -> None:
    match = begin(HANDS, "R5")
    known = store.load(match.pk)
    services.give_time(match, SeatNumber(1), 20)
    assert store.reload(known) is None


def test_different_match_with_the_same_key_is_loaded_in_full() -> None:
    known = store.load(make_match().pk)
    Match.objects.filter(pk=known.match.pk).update(public_id="another match")
    assert store.reload(known) is None


def test_outdated_match_in_the_cache_is_not_loaded_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(HANDS, "R5")
    known = store.load(match.pk)
    act(match, 0, {"play": "R1"})
    store.forget(match.pk)
    store.remember(known)
    monkeypatch.setattr(store, "load", lambda _match: pytest.fail("The whole match was loaded."))
    assert store.current(match.pk, known.version + 1).version == known.version + 1
