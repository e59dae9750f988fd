"""Tests of the number of viewers of a match, added up over all living processes."""

from contextlib import ExitStack

import pytest

from games import services
from games.liveness.viewer_counts import StoredCounts, count_viewers
from games.models import Beat, Match, ViewerCount
from games.process import Process, here
from games.workers import sweep
from tests.games.helpers import begin
from tests.games.windows import open_window, wait_for_condition
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


@pytest.fixture
def match(other_process: Process) -> Match:
    """Create a match, after heartbeats of this process and of another one."""
    for process in (here(), other_process):
        with process.enter():
            services.beat()
    return begin(HANDS, "R5")


def test_only_changes_are_stored() -> None:
    stored = StoredCounts()
    assert stored.find_changes({1: 0, 2: 3}) == {2: 3}
    stored.mark_stored({2: 3})
    assert (stored.find_changes({1: 0, 2: 3}), stored.matches()) == ({}, [2])
    assert stored.find_changes({2: 0}) == {2: 0}
    stored.mark_stored({2: 0})
    assert stored.matches() == []


def test_counts_of_all_processes_are_added_up(match: Match, other_process: Process) -> None:
    services.store_viewers(here().key, {match.pk: 2})
    services.store_viewers(other_process.key, {match.pk: 5})
    services.store_viewers(other_process.key, {match.pk: 4})
    assert count_viewers([match.pk]) == {match.pk: 6}
    services.store_viewers(here().key, {match.pk: 0})
    assert count_viewers([match.pk]) == {match.pk: 4}


def test_viewers_of_a_dead_process_are_not_counted(match: Match, other_process: Process) -> None:
    services.store_viewers(here().key, {match.pk: 2})
    services.store_viewers(other_process.key, {match.pk: 4})
    Beat.objects.filter(process=other_process.key).update(dead=True)
    assert count_viewers([match.pk]) == {match.pk: 2}
    Beat.objects.filter(process=other_process.key).delete()
    assert ViewerCount.objects.count() == 1


def test_practice_and_deleted_matches_are_left_out(match: Match) -> None:
    Match.objects.update(practice=True)
    services.store_viewers(here().key, {match.pk: 1, match.pk + 1: 1})
    assert ViewerCount.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_sweep_counts_people_without_a_seat(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SWEEP_SECONDS", 0.05)
    services.beat()
    match, elsewhere = begin(HANDS, "R5"), begin(HANDS, "R5")
    player = match.seats.get(number=0).user
    someone = elsewhere.seats.get(number=0).user
    with open_window(live_site, match, player):
        with ExitStack() as stack:
            for user in (None, None, someone, someone):
                stack.enter_context(open_window(live_site, match, user))
            wait_for_condition(lambda: count_viewers([match.pk]) == {match.pk: 3})
        wait_for_condition(lambda: count_viewers([match.pk]) == {})
