"""Tests of giving an outage's time back to every match, exactly once.

It does not matter which process finds the outage. The table shows it.
"""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.clocks.downtime import MissedSeconds, Pulse, Reading
from games.models import Beat, Outage, Seat
from games.play import outages
from games.process import Process, here
from games.seats import SeatNumber
from tests.games.helpers import act, begin, fresh, log, make_match
from tests.games.passing import Clock, get_seconds_left, read_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


def test_regular_heartbeats_change_no_deadline(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    for _ in range(5):
        services.beat()
        time_passes.go_on(0.8)
    assert get_seconds_left(match) == 25 - 4
    assert not Outage.objects.exists()
    assert fresh(match).version == 1


def test_process_keeps_one_row_for_all_its_heartbeats(time_passes: Clock) -> None:
    for _ in range(3):
        services.beat()
        time_passes.go_on(1)
    row = Beat.objects.get()
    assert (row.process, row.dead) == (here().key, False)


def test_outage_time_is_restored_and_logged(time_passes: Clock) -> None:
    match = begin(HANDS, "R5", ends_at=timezone.now() + timedelta(minutes=40))
    before = fresh(match)
    services.beat()
    time_passes.go_on(23.2)
    services.beat()
    after, away = fresh(match), timedelta(seconds=23.2)
    assert after.turn_until == sure(before.turn_until) + away
    assert after.due == sure(before.due) + away
    assert after.ends_at == sure(before.ends_at) + away
    assert after.outage == Outage.objects.get().pk
    assert Outage.objects.get().settled
    assert read_log(match) == [
        "The site was down for 23 s. All clocks were stopped during that time."
    ]


def test_outage_is_compensated_once(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(10)
    for _ in range(3):
        services.beat()
    here().part(Pulse).record_beat(Reading.take())
    services.compensate_outages()
    assert get_seconds_left(match) == 25


def test_long_outage_is_reported_in_minutes(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(7200)
    services.beat()
    assert read_log(match) == [
        "The site was down for 120 min. All clocks were stopped during that time."
    ]
    assert get_seconds_left(match) == 25


@pytest.mark.parametrize("step", [30, -30, 3600, -3600])
def test_clock_change_moves_the_deadlines(step: int, time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(1)
    time_passes.set(step)
    services.beat()
    assert get_seconds_left(match) == pytest.approx(24)
    assert read_log(match) == [
        f"The site’s clock was adjusted by {step} s. No one gained or lost any time."
    ]


def test_clock_change_and_outage_are_both_logged_and_compensated_once(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(20)
    time_passes.set(3600)
    services.beat()
    assert get_seconds_left(match) == pytest.approx(25)
    assert len(read_log(match)) == 2
    assert Outage.objects.count() == 1


def test_outage_also_stops_the_pause_between_hands(time_passes: Clock) -> None:
    match = begin(["R1", "R3 R4"], "R5", options={"target": 500}, between_seconds=12)
    act(match, 0, {"play": "R1"})
    due = sure(fresh(match).due)
    services.beat()
    time_passes.go_on(60)
    services.beat()
    assert fresh(match).due == due + timedelta(seconds=60)


@pytest.mark.parametrize("phase", ["waiting", "over"])
def test_matches_not_in_play_are_unchanged(phase: str, time_passes: Clock) -> None:
    match = make_match()
    if phase == "over":
        services.start_match(match)
        services.abandon_match(match, "Rain.")
    version = fresh(match).version
    services.beat()
    time_passes.go_on(60)
    services.beat()
    assert (fresh(match).version, fresh(match).outage) == (version, 0)


def test_paused_match_keeps_its_remaining_time(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(1)
    services.pause_match(match)
    time_passes.go_on(60)
    services.beat()
    time_passes.go_on(1)
    services.resume_match(match)
    assert get_seconds_left(match) == 24


def test_paused_match_keeps_its_remaining_time_after_a_clock_change(time_passes: Clock) -> None:
    match = begin(HANDS, "R5", ends_at=timezone.now() + timedelta(minutes=40))
    services.beat()
    services.pause_match(match)
    for step in (3600, -7200):
        time_passes.set(step)
        services.beat()
    time_passes.go_on(1)
    services.resume_match(match)
    assert get_seconds_left(match) == pytest.approx(25)
    ends = sure(fresh(match).ends_at) - timezone.now()
    assert ends.total_seconds() == pytest.approx(2400)


def test_outage_extends_the_round_end_of_a_deserted_table(time_passes: Clock) -> None:
    match = begin(HANDS, "R5", absence_seconds=5, ends_at=timezone.now() + timedelta(minutes=40))
    services.beat()
    services.tick(sure(fresh(match).due))
    assert fresh(match).state.deserted
    ends = sure(fresh(match).ends_at)
    time_passes.go_on(60)
    services.beat()
    assert fresh(match).ends_at == ends + timedelta(seconds=60)
    assert fresh(match).paused


def test_outage_does_not_count_as_absence(time_passes: Clock) -> None:
    match = begin(HANDS, "R5", absence_seconds=30)
    seen = timezone.now() - timedelta(seconds=1)
    Seat.objects.filter(match=match).update(seen_at=seen)
    services.beat()
    time_passes.go_on(60)
    services.beat()
    assert {seat.seen_at for seat in match.seats.all()} == {seen + timedelta(seconds=60)}


def test_early_return_is_not_moved_into_the_future(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(60)
    Seat.objects.filter(match=match).update(seen_at=timezone.now())
    services.beat()
    assert {seat.seen_at for seat in match.seats.all()} == {timezone.now()}


@pytest.mark.django_db(transaction=True)
def test_pending_claims_are_decided_as_without_an_outage(time_passes: Clock) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    act(match, 0, {"play": "R1"})
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, version=2, client_id="catch")
    [race], until = fresh(match).race.running, sure(fresh(match).turn_until)
    services.beat()
    time_passes.go_on(60)
    services.beat()
    [moved] = fresh(match).race.running
    assert moved == race.shift(60_000)
    assert moved.claims[0].received == race.claims[0].received + 60_000
    time_passes.go_on(0.5)
    services.tick()
    assert log(match)[1:] == [(2, {"catch": 0}, "")]
    held = sure(fresh(match).turn_until) - until
    # The outage, and the rest of the race window after it.
    assert held.total_seconds() == pytest.approx(60.5, abs=0.01)


def test_respectful_pause_ends_after_the_clock_is_set_back(time_passes: Clock) -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", "2S 3S 4S", ruleset="ocho-cards")
    services.beat()
    act(match, 0, {"play": "4H"})
    time_passes.go_on(1)
    time_passes.set(-3600)
    services.beat()
    catch: dict[str, Any] = {"version": 3, "client_id": "catch"}
    with pytest.raises(services.RefusedError, match="Not so fast"):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, **catch)
    time_passes.go_on(0.6)
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, **catch)


def test_action_sent_before_an_outage_counts_afterwards(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for step in (0, 30):
        time_passes.go_on(60)
        time_passes.set(step)
        services.beat()
    assert fresh(match).version == 3
    act(match, 0, {"play": "R1"}, version=1)
    assert log(match) == [(0, {"play": "R1"}, "")]


def test_action_sent_before_another_action_and_an_outage_is_stale(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    act(match, 0, {"play": "R1"})
    services.beat()
    time_passes.go_on(60)
    services.beat()
    with pytest.raises(services.RefusedError) as refused:
        act(match, 1, {"play": "R3"}, version=1)
    assert refused.value.code == "stale"


def test_only_the_latest_outages_are_remembered(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for _ in range(outages.MOST_QUIET + 5):
        time_passes.go_on(5)
        services.beat()
    assert len(fresh(match).state.quiet) == outages.MOST_QUIET
    with pytest.raises(services.RefusedError):
        act(match, 0, {"play": "R1"}, version=1)
    act(match, 0, {"play": "R1"}, version=7)


# Several processes


def test_heartbeat_of_another_process_prevents_an_outage(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for _ in range(5):
        time_passes.go_on(1)
        with other.enter():
            services.beat()
    services.beat()
    assert get_seconds_left(match) == 20


def test_outage_found_by_two_processes_is_recorded_once(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    last = Beat.objects.get()
    time_passes.go_on(30)
    gone = MissedSeconds(away=30)
    assert outages.record_outage(gone, last, Reading.take())
    assert not outages.record_outage(gone, last, Reading.take())
    for _ in range(2):
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.count() == 1


def test_process_that_dies_during_compensation_is_replaced(
    time_passes: Clock, other: Process
) -> None:
    first, second = begin(HANDS, "R5"), begin(HANDS, "R5")
    services.beat()
    time_passes.go_on(30)
    here().part(Pulse).runs = True
    services.record_beats()
    services.compensate_outages(0)
    assert sorted(get_seconds_left(one) for one in (first, second)) == [-5, 25]
    with other.enter():
        services.beat()
    assert [get_seconds_left(one) for one in (first, second)] == [25, 25]
    assert Outage.objects.get().settled


def test_first_process_to_find_a_clock_change_compensates_it(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    with other.enter():
        services.beat()
    time_passes.set(600)
    services.beat()
    with other.enter():
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.count() == 1


def test_unreadable_match_blocks_no_other_compensation(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, match = begin(HANDS, "R5"), begin(HANDS, "R5")
    give_back = outages._give_back

    def fail(change: Any, owed: list[Outage]) -> None:
        if change.old.match.pk == broken.pk:
            raise ValueError("unreadable")
        give_back(change, owed)

    monkeypatch.setattr(outages, "_give_back", fail)
    services.beat()
    time_passes.go_on(30)
    with caplog.at_level(logging.ERROR):
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.get().settled
    assert f"Match {broken.pk} was not given back its time" in caplog.text


def test_outages_are_found_despite_a_future_heartbeat_of_a_dead_process(
    time_passes: Clock, other: Process
) -> None:
    """Check that outages are found even if a dead process has a heartbeat in the future.

    The database's clock was set back after that heartbeat.
    """
    match = begin(HANDS, "R5")
    with other.enter():
        services.beat()
    services.beat()
    of_the_future = timezone.now() + timedelta(hours=1)
    Beat.objects.filter(process=other.key).update(at=of_the_future)
    for _ in range(2):
        time_passes.go_on(60)
        services.beat()
    assert Outage.objects.count() == 2
    assert get_seconds_left(match) == 25
