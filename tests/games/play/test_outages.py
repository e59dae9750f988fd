"""Tests that the time of an outage is restored to every match once, and shown at the table."""

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
from tests.games.helpers import act, begin, list_log, make_match, reload
from tests.games.moving_clock import MovingClock, get_seconds_left, read_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


def test_regular_heartbeats_do_not_change_deadlines(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    for _ in range(5):
        services.beat()
        moving_clocks.advance(0.8)
    assert get_seconds_left(match) == 25 - 4
    assert not Outage.objects.exists()
    assert reload(match).version == 1


def test_process_keeps_one_row_for_all_its_heartbeats(moving_clocks: MovingClock) -> None:
    for _ in range(3):
        services.beat()
        moving_clocks.advance(1)
    row = Beat.objects.get()
    assert (row.process, row.dead) == (here().key, False)


def test_outage_time_is_restored_and_logged(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5", ends_at=timezone.now() + timedelta(minutes=40))
    before = reload(match)
    services.beat()
    moving_clocks.advance(23.2)
    services.beat()
    after, away = reload(match), timedelta(seconds=23.2)
    assert after.turn_until == sure(before.turn_until) + away
    assert after.due == sure(before.due) + away
    assert after.ends_at == sure(before.ends_at) + away
    assert after.outage == Outage.objects.get().pk
    assert Outage.objects.get().settled
    assert read_log(match) == [
        "The site was down for 23 s. All clocks were stopped during that time."
    ]


def test_outage_is_compensated_once(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(10)
    for _ in range(3):
        services.beat()
    here().part(Pulse).record_beat(Reading.take())
    services.compensate_outages()
    assert get_seconds_left(match) == 25


def test_long_outage_is_reported_in_minutes(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(7200)
    services.beat()
    assert read_log(match) == [
        "The site was down for 120 min. All clocks were stopped during that time."
    ]
    assert get_seconds_left(match) == 25


@pytest.mark.parametrize("step", [30, -30, 3600, -3600])
def test_clock_change_moves_the_deadlines(step: int, moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(1)
    moving_clocks.set_forward(step)
    services.beat()
    assert get_seconds_left(match) == pytest.approx(24)
    assert read_log(match) == [
        f"The site’s clock was adjusted by {step} s. No one gained or lost any time."
    ]


def test_clock_change_and_outage_are_both_logged_and_compensated_once(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(20)
    moving_clocks.set_forward(3600)
    services.beat()
    assert get_seconds_left(match) == pytest.approx(25)
    assert len(read_log(match)) == 2
    assert Outage.objects.count() == 1


def test_outage_also_stops_the_pause_between_hands(moving_clocks: MovingClock) -> None:
    match = begin(["R1", "R3 R4"], "R5", options={"target": 500}, between_seconds=12)
    act(match, 0, {"play": "R1"})
    due = sure(reload(match).due)
    services.beat()
    moving_clocks.advance(60)
    services.beat()
    assert reload(match).due == due + timedelta(seconds=60)


@pytest.mark.parametrize("phase", ["waiting", "over"])
def test_matches_not_in_play_are_unchanged(phase: str, moving_clocks: MovingClock) -> None:
    match = make_match()
    if phase == "over":
        services.start_match(match)
        services.abandon_match(match, "Rain.")
    version = reload(match).version
    services.beat()
    moving_clocks.advance(60)
    services.beat()
    assert (reload(match).version, reload(match).outage) == (version, 0)


def test_paused_match_keeps_its_remaining_time(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(1)
    services.pause_match(match)
    moving_clocks.advance(60)
    services.beat()
    moving_clocks.advance(1)
    services.resume_match(match)
    assert get_seconds_left(match) == 24


def test_paused_match_keeps_its_remaining_time_after_a_clock_change(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5", ends_at=timezone.now() + timedelta(minutes=40))
    services.beat()
    services.pause_match(match)
    for step in (3600, -7200):
        moving_clocks.set_forward(step)
        services.beat()
    moving_clocks.advance(1)
    services.resume_match(match)
    assert get_seconds_left(match) == pytest.approx(25)
    ends = sure(reload(match).ends_at) - timezone.now()
    assert ends.total_seconds() == pytest.approx(2400)


def test_outage_extends_the_round_end_of_a_deserted_table(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5", absence_seconds=5, ends_at=timezone.now() + timedelta(minutes=40))
    services.beat()
    services.tick(sure(reload(match).due))
    assert reload(match).state.deserted
    ends = sure(reload(match).ends_at)
    moving_clocks.advance(60)
    services.beat()
    assert reload(match).ends_at == ends + timedelta(seconds=60)
    assert reload(match).paused


def test_outage_does_not_count_as_absence(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5", absence_seconds=30)
    seen = timezone.now() - timedelta(seconds=1)
    Seat.objects.filter(match=match).update(seen_at=seen)
    services.beat()
    moving_clocks.advance(60)
    services.beat()
    assert {seat.seen_at for seat in match.seats.all()} == {seen + timedelta(seconds=60)}


def test_last_seen_time_after_the_outage_is_not_shifted(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(60)
    Seat.objects.filter(match=match).update(seen_at=timezone.now())
    services.beat()
    assert {seat.seen_at for seat in match.seats.all()} == {timezone.now()}


@pytest.mark.django_db(transaction=True)
def test_pending_claims_are_decided_as_if_there_had_been_no_outage(
    moving_clocks: MovingClock,
) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    act(match, 0, {"play": "R1"})
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, version=2, client_id="catch")
    [race], until = reload(match).race.running, sure(reload(match).turn_until)
    services.beat()
    moving_clocks.advance(60)
    services.beat()
    [moved] = reload(match).race.running
    assert moved == race.shift(60_000)
    assert moved.claims[0].received == race.claims[0].received + 60_000
    moving_clocks.advance(0.5)
    services.tick()
    assert list_log(match)[1:] == [(2, {"catch": 0}, "")]
    delay = sure(reload(match).turn_until) - until
    # The length of the outage, and of the race before and after it.
    assert delay.total_seconds() == pytest.approx(60.5, abs=0.01)


def test_respectful_pause_ends_after_the_clock_is_set_back(moving_clocks: MovingClock) -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", "2S 3S 4S", ruleset="ocho-cards")
    services.beat()
    act(match, 0, {"play": "4H"})
    moving_clocks.advance(1)
    moving_clocks.set_forward(-3600)
    services.beat()
    catch: dict[str, Any] = {"version": 3, "client_id": "catch"}
    with pytest.raises(services.RefusedError, match="Not so fast"):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, **catch)
    moving_clocks.advance(0.6)
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, **catch)


def test_action_sent_before_an_outage_counts_afterwards(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for step in (0, 30):
        moving_clocks.advance(60)
        moving_clocks.set_forward(step)
        services.beat()
    assert reload(match).version == 3
    act(match, 0, {"play": "R1"}, version=1)
    assert list_log(match) == [(0, {"play": "R1"}, "")]


def test_action_sent_before_another_action_and_an_outage_is_stale(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    act(match, 0, {"play": "R1"})
    services.beat()
    moving_clocks.advance(60)
    services.beat()
    with pytest.raises(services.RefusedError) as refused:
        act(match, 1, {"play": "R3"}, version=1)
    assert refused.value.code == "stale"


def test_only_the_latest_quiet_versions_are_stored(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for _ in range(outages.MAX_QUIET + 5):
        moving_clocks.advance(5)
        services.beat()
    assert len(reload(match).state.quiet) == outages.MAX_QUIET
    with pytest.raises(services.RefusedError):
        act(match, 0, {"play": "R1"}, version=1)
    act(match, 0, {"play": "R1"}, version=7)


# Several processes


def test_heartbeat_of_another_process_prevents_an_outage(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    for _ in range(5):
        moving_clocks.advance(1)
        with other_process.enter():
            services.beat()
    services.beat()
    assert get_seconds_left(match) == 20


def test_outage_found_by_two_processes_is_recorded_once(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    last = Beat.objects.get()
    moving_clocks.advance(30)
    gone = MissedSeconds(away=30)
    assert outages.record_outage(gone, last, Reading.take())
    assert not outages.record_outage(gone, last, Reading.take())
    for _ in range(2):
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.count() == 1


def test_process_that_dies_during_compensation_is_replaced(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    first, second = begin(HANDS, "R5"), begin(HANDS, "R5")
    services.beat()
    moving_clocks.advance(30)
    here().part(Pulse).runs = True
    services.beat_if_overdue()
    services.compensate_outages(0)
    assert sorted(get_seconds_left(one) for one in (first, second)) == [-5, 25]
    with other_process.enter():
        services.beat()
    assert [get_seconds_left(one) for one in (first, second)] == [25, 25]
    assert Outage.objects.get().settled


def test_first_process_to_find_a_clock_change_compensates_it(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    services.beat()
    with other_process.enter():
        services.beat()
    moving_clocks.set_forward(600)
    services.beat()
    with other_process.enter():
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.count() == 1


def test_unreadable_match_does_not_block_the_others(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, match = begin(HANDS, "R5"), begin(HANDS, "R5")
    give_back = outages._restore_outage_time

    def fail(change: Any, owed: list[Outage]) -> None:
        if change.old.match.pk == broken.pk:
            raise ValueError("unreadable")
        give_back(change, owed)

    monkeypatch.setattr(outages, "_restore_outage_time", fail)
    services.beat()
    moving_clocks.advance(30)
    with caplog.at_level(logging.ERROR):
        services.beat()
    assert get_seconds_left(match) == 25
    assert Outage.objects.get().settled
    assert f"Match {broken.pk} was not compensated for an outage" in caplog.text


def test_outages_are_found_despite_a_future_heartbeat_of_a_dead_process(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    """Check that outages are found even if a dead process has a heartbeat in the future.

    That happens if the database's clock was set back after the heartbeat.
    """
    match = begin(HANDS, "R5")
    with other_process.enter():
        services.beat()
    services.beat()
    future = timezone.now() + timedelta(hours=1)
    Beat.objects.filter(process=other_process.key).update(at=future)
    for _ in range(2):
        moving_clocks.advance(60)
        services.beat()
    assert Outage.objects.count() == 2
    assert get_seconds_left(match) == 25
