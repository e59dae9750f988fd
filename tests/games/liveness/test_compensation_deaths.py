"""Tests of lending time, in steps, to the players of a dead process."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services, store
from games.clocks.downtime import Pulse
from games.liveness import lost_processes
from games.models import Beat, Match, Seat
from games.process import Process, here
from tests.games.helpers import begin, list_log, reload
from tests.games.moving_clock import MovingClock, get_seconds_left

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("serving_process"), pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


def kill_other_process(moving_clocks: MovingClock, other: Process, matches: list[Match]) -> None:
    """Simulate the death, three seconds ago, of the process that serves seat 0 of each match."""
    Seat.objects.filter(match__in=matches, number=0).update(controller=f"{other.key}0123456789")
    with other.enter():
        services.beat()
    services.beat()
    for _ in range(3):
        moving_clocks.advance(1)
        services.beat_if_overdue()


def test_cut_off_players_are_lent_time_in_steps(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(3)]
    kill_other_process(moving_clocks, other_process, matches)
    services.beat()
    assert not services.has_uncompensated_matches()
    assert [round(get_seconds_left(match)) for match in matches] == [37, 37, 37]
    assert Beat.objects.get(process=other_process.key).lost_since is None


def test_table_does_not_act_for_cut_off_players_before_the_loan(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5", turn_seconds=3, bank_seconds=0)
    kill_other_process(moving_clocks, other_process, [match])
    record_heartbeat()
    assert lost_processes.may_be_cut_off(match.seats.get(number=0))
    over = timezone.now() + timedelta(seconds=9)
    [(pk, version)], _ = services.due_matches(over, 9, alone=True)
    services.run_due_step(pk, version, over)
    assert list_log(match) == []
    services.compensate_outages()
    assert not lost_processes.may_be_cut_off(match.seats.get(number=0))
    assert reload(match).state.lost.keys() == {0}


def record_heartbeat() -> None:
    """Record only a heartbeat, as a process does before it acts on a deadline."""
    here().part(Pulse)._last = None
    services.beat_if_overdue()


def test_no_time_is_lent_twice_after_a_process_is_killed(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(3)]
    kill_other_process(moving_clocks, other_process, matches)
    record_heartbeat()
    services.compensate_outages(0)
    lent = [match for match in matches if reload(match).state.lost]
    assert len(lent) == 1
    third = Process()
    with third.enter():
        services.beat()
    store.forget(lent[0].pk)
    assert [round(get_seconds_left(match)) for match in matches] == [37, 37, 37]
    assert [reload(match).version for match in matches] == [2, 2, 2]
    assert Beat.objects.get(process=other_process.key).lost_since is None


def test_players_of_a_second_dead_process_are_lent_time_as_well(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    matches, second = [begin(HANDS, "R5") for _ in range(3)], Process()
    Seat.objects.filter(match__in=matches, number=1).update(controller=f"{second.key}0123456789")
    kill_other_process(moving_clocks, other_process, matches)
    with second.enter():
        here().part(Pulse).runs = True
        record_heartbeat()
    record_heartbeat()
    services.compensate_outages(0)
    for _ in range(3):
        moving_clocks.advance(1)
        record_heartbeat()
    services.compensate_outages()
    assert [reload(match).state.lost.keys() for match in matches] == [{0, 1}] * 3


def test_no_time_is_lent_if_the_process_was_not_dead(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    kill_other_process(moving_clocks, other_process, [match])
    record_heartbeat()
    assert services.has_uncompensated_matches()
    for process in (other_process, here()):
        with process.enter():
            services.beat()
    assert not services.has_uncompensated_matches()
    assert reload(match).state.lost == {}
    assert get_seconds_left(match) == 22


def test_outage_before_the_loan_also_shifts_the_time_of_death(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    kill_other_process(moving_clocks, other_process, [match])
    record_heartbeat()
    since = Beat.objects.get(process=other_process.key).lost_since
    assert since is not None
    moving_clocks.advance(60)
    services.beat_if_overdue()
    assert Beat.objects.get(process=other_process.key).lost_since == since + timedelta(seconds=60)
    services.compensate_outages()
    assert round(get_seconds_left(match)) == 37
    assert not services.has_uncompensated_matches()


def test_unreadable_match_does_not_delay_the_others(
    moving_clocks: MovingClock, other_process: Process, caplog: pytest.LogCaptureFixture
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(2)]
    kill_other_process(moving_clocks, other_process, matches)
    broken = matches[0].pk
    lend = lost_processes._lend_time

    def fail(snapshot: Any, lost: Any) -> None:
        if snapshot.match.pk == broken:
            raise ValueError("unreadable")
        lend(snapshot, lost)

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(lost_processes, "_lend_time", fail)
        services.beat()
    assert round(get_seconds_left(matches[1])) == 37
    assert not services.has_uncompensated_matches()
    assert f"Match {broken} was not compensated for an outage" in caplog.text
