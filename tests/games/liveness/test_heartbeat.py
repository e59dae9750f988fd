"""Tests of the heartbeat that a serving process sends before it acts on a deadline."""

import threading
from typing import Any

import pytest
from django.db import connection, transaction

from games import services
from games.clocks.downtime import Pulse
from games.liveness import heartbeat
from games.models import Beat, Outage
from games.process import here
from tests.games.helpers import act, begin, reload
from tests.games.moving_clock import MovingClock, get_seconds_left, read_log

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


def test_late_serving_process_sends_its_heartbeat_before_acting(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    here().part(Pulse).runs = True
    services.beat_if_overdue()
    moving_clocks.advance(23)
    services.beat_if_overdue()
    services.compensate_outages()
    assert get_seconds_left(match) == 25
    assert Outage.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_process_with_a_recent_heartbeat_makes_no_query(
    moving_clocks: MovingClock, django_assert_num_queries: Any
) -> None:
    here().part(Pulse).runs = True
    services.beat_if_overdue()
    moving_clocks.advance(1)
    with django_assert_num_queries(0):
        services.beat_if_overdue()


def test_transaction_does_not_wait_for_a_blocked_heartbeat(
    moving_clocks: MovingClock,
) -> None:
    pulse = here().part(Pulse)
    pulse.runs = True
    pulse.beating.acquire()
    given_up = threading.Timer(10, pulse.beating.release)
    given_up.start()
    with transaction.atomic():
        services.beat_if_overdue()
    assert pulse.beating.locked()
    given_up.cancel()
    assert Beat.objects.get().process == here().key


def test_management_command_sends_no_heartbeat(moving_clocks: MovingClock) -> None:
    services.beat_if_overdue()
    assert not Beat.objects.exists()


def test_heartbeat_takes_one_query_and_one_update(
    moving_clocks: MovingClock, django_assert_num_queries: Any
) -> None:
    services.beat()
    moving_clocks.advance(1)
    with django_assert_num_queries(2) as queries:
        services.beat()
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "UPDATE"]


def test_organizer_pause_after_an_outage_keeps_the_remaining_time(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    here().part(Pulse).runs = True
    services.beat()
    moving_clocks.advance(60)
    services.pause_match(match)
    services.resume_match(match)
    assert get_seconds_left(match) == 25


@pytest.mark.django_db(transaction=True)
def test_outage_found_in_a_rolled_back_transaction_is_compensated_once(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    here().part(Pulse).runs = True
    services.beat_if_overdue()
    moving_clocks.advance(60)
    with transaction.atomic():
        services.pause_match(match)
        assert reload(match).outage
        transaction.set_rollback(True)
    assert not Outage.objects.exists()
    services.compensate_outages()
    assert reload(match).outage == 0
    services.beat_if_overdue()
    services.compensate_outages()
    assert get_seconds_left(match) == 25
    assert len(read_log(match)) == 1


@pytest.mark.django_db(transaction=True)
def test_outage_found_in_a_transaction_is_compensated_during_and_after_it(
    moving_clocks: MovingClock,
) -> None:
    paused, played = begin(HANDS, "R5"), begin(HANDS, "R5")
    here().part(Pulse).runs = True
    services.beat_if_overdue()
    moving_clocks.advance(60)
    with transaction.atomic():
        for match in (paused, begin(HANDS, "R5")):
            services.pause_match(match)
    act(played, 0, {"play": "R1"})
    services.compensate_outages()
    services.resume_match(paused)
    assert [get_seconds_left(match) for match in (paused, played)] == [25, 25]
    assert [len(read_log(match)) for match in (paused, played)] == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_slow_heartbeat_is_repeated(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a slow write to the database that delays the heartbeat by 8 s."""
    match, write = begin(HANDS, "R5"), heartbeat._write_beat
    here().part(Pulse).runs = True
    services.beat_if_overdue()

    def write_slowly(*args: Any) -> None:
        monkeypatch.setattr(heartbeat, "_write_beat", write)
        moving_clocks.advance(8)
        write(*args)

    monkeypatch.setattr(heartbeat, "_write_beat", write_slowly)
    moving_clocks.advance(1.6)
    services.pause_match(match)
    services.resume_match(match)
    assert get_seconds_left(match) == pytest.approx(25 - 1.6)


@pytest.mark.django_db(transaction=True)
def test_slowly_recorded_outage_does_not_cause_another(
    moving_clocks: MovingClock,
) -> None:
    def execute_slowly(execute: Any, *given: Any) -> Any:
        moving_clocks.advance(0.3)
        return execute(*given)

    match = begin(HANDS, "R5")
    here().part(Pulse).runs = True
    services.beat()
    before = get_seconds_left(match)
    moving_clocks.advance(4)
    with connection.execute_wrapper(execute_slowly):
        services.beat()
        services.beat()
    services.compensate_outages()
    outage = Outage.objects.get()
    assert outage.away > 5
    # The time that the last statements took is not restored.
    assert before - 4 < get_seconds_left(match) < before


def test_simultaneous_first_heartbeats_create_one_row(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat.beat()
    row = Beat.objects.get()
    monkeypatch.setattr(type(Beat.objects.all()), "update", lambda *args, **values: 0)
    heartbeat.beat()
    assert Beat.objects.get().pk == row.pk
