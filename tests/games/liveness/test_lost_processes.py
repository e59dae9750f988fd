"""Tests of the time lent to players when one of several processes dies."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import queries, services
from games.clocks import timing
from games.liveness import lost_processes as cutting
from games.models import Beat, Match, Seat
from games.process import Process, here
from games.seats import SeatNumber
from tests.games.helpers import act, begin, list_log, reload
from tests.games.moving_clock import MovingClock, get_seconds_left, read_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


@pytest.fixture
def match_with_dead_process(moving_clocks: MovingClock, other_process: Process) -> Match:
    """Create a match in which seat 0 has 20 s left for its turn, but its process has just died."""
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match, number=0).update(controller=f"{other_process.key}0123456789")
    Seat.objects.filter(match=match, number=1).update(controller=f"{here().key}0123456789")
    moving_clocks.advance(5)
    with other_process.enter():
        services.beat()
    services.beat()
    return match


def pass_detection_time(moving_clocks: MovingClock) -> None:
    """Let three seconds pass, in which only the running process sends heartbeats."""
    for _ in range(3):
        moving_clocks.advance(1)
        services.beat()


def test_cut_off_player_is_lent_time(
    match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    pass_detection_time(moving_clocks)
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20 - 3 + 15, abs=0.01)
    name = match_with_dead_process.seats.get(number=0).said
    assert read_log(match_with_dead_process) == [
        f"{name} was disconnected because of a problem with the site. The clock will wait up "
        "to 15 s."
    ]


@pytest.mark.parametrize("seconds", [0, 1, 6, 11.9])
def test_reconnected_player_keeps_the_remaining_time(
    seconds: float, match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    pass_detection_time(moving_clocks)
    moving_clocks.advance(seconds)
    services.end_loan(match_with_dead_process.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20, abs=0.01)
    services.end_loan(match_with_dead_process.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20, abs=0.01)


def test_loan_is_limited_to_15_seconds(
    match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    pass_detection_time(moving_clocks)
    moving_clocks.advance(20)
    services.end_loan(match_with_dead_process.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20 + 15 - 23, abs=0.01)


def test_player_of_a_dead_process_was_last_seen_at_its_death(
    match_with_dead_process: Match, moving_clocks: MovingClock, other_process: Process
) -> None:
    Seat.objects.filter(match=match_with_dead_process, number=0).update(
        here=other_process.key, seen_at=None
    )
    died = timezone.now()
    pass_detection_time(moving_clocks)
    seat = match_with_dead_process.seats.get(number=0)
    assert (seat.here, seat.seen_at) == ("", died)


def test_process_death_is_detected_once(
    match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    pass_detection_time(moving_clocks)
    pass_detection_time(moving_clocks)
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20 - 6 + 15, abs=0.01)
    assert Beat.objects.filter(dead=True).count() == 1


def test_player_connected_to_another_process_is_lent_no_time(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match).update(controller=f"{here().key}0123456789")
    with other_process.enter():
        services.beat()
    services.beat()
    pass_detection_time(moving_clocks)
    assert get_seconds_left(match) == 22
    assert read_log(match) == []


def test_turn_that_starts_for_a_cut_off_player_is_lent_time(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match, number=1).update(controller=f"{other_process.key}0123456789")
    with other_process.enter():
        services.beat()
    services.beat()
    pass_detection_time(moving_clocks)
    assert get_seconds_left(match) == pytest.approx(22, abs=0.01), "seat 0 is still connected"
    act(match, 0, {"play": "R1"})
    assert get_seconds_left(match) == pytest.approx(25 + 15 - 3, abs=0.01)
    moving_clocks.advance(4)
    services.end_loan(match.pk, SeatNumber(1), timezone.now())
    assert get_seconds_left(match) == pytest.approx(25, abs=0.01)


def test_player_cut_off_during_the_deal_is_lent_time(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(["R1", "R3 R4"], "R5", options={"target": 500}, between_seconds=1)
    act(match, 0, {"play": "R1"})
    Seat.objects.filter(match=match).update(controller=f"{other_process.key}0123456789")
    with other_process.enter():
        services.beat()
    services.beat()
    pass_detection_time(moving_clocks)
    services.tick(reload(match).due)
    assert reload(match).phase == Match.Phase.PLAYING
    assert reload(match).state.lost.keys() == {0, 1}
    seat = sure(reload(match).state.turn_seat)
    services.end_loan(match.pk, seat, timezone.now())
    assert get_seconds_left(match) <= 25


def test_turn_does_not_end_while_the_process_of_its_player_may_be_dead(
    match_with_dead_process: Match, moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Backdate a heartbeat, because its age is measured by the database's clock."""
    assert not cutting.may_be_cut_off(match_with_dead_process.seats.get(number=0))
    old = Beat.objects.get(process=match_with_dead_process.seats.get(number=0).controller[:6])
    Beat.objects.filter(pk=old.pk).update(at=old.at - timedelta(seconds=1.8))
    assert cutting.may_be_cut_off(match_with_dead_process.seats.get(number=0))
    over = sure(reload(match_with_dead_process).turn_until) + timedelta(seconds=3)
    [(pk, version)], _ = services.due_matches(over, 9, alone=True)
    assert services.run_due_step(pk, version, over)
    assert list_log(match_with_dead_process) == []
    assert reload(match_with_dead_process).due == over + timedelta(seconds=0.5)


def test_process_with_a_new_heartbeat_no_longer_counts_as_dead(
    match_with_dead_process: Match, moving_clocks: MovingClock, other_process: Process
) -> None:
    pass_detection_time(moving_clocks)
    with other_process.enter():
        services.beat()
    assert not Beat.objects.filter(dead=True).exists()


def test_players_are_lent_time_after_all_processes_have_died(
    match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    """Check that the downtime is restored, and that time is lent in addition."""
    moving_clocks.advance(30)
    services.beat()
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20 + 15, abs=0.01)
    moving_clocks.advance(4)
    services.end_loan(match_with_dead_process.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(match_with_dead_process) == pytest.approx(20, abs=0.01)


def test_old_heartbeats_are_deleted(moving_clocks: MovingClock, other_process: Process) -> None:
    services.beat()
    with other_process.enter():
        services.beat()
    old = Beat.objects.get(process=other_process.key)
    Beat.objects.create(
        process="older",
        machine="",
        at=old.at - timedelta(hours=2),
        wall=old.wall,
        steady=0,
        dead=True,
    )
    pass_detection_time(moving_clocks)
    assert set(Beat.objects.values_list("process", flat=True)) == {here().key, other_process.key}


def test_lent_time_is_shown_as_a_full_turn(
    match_with_dead_process: Match, moving_clocks: MovingClock
) -> None:
    pass_detection_time(moving_clocks)
    view = queries.match_view(
        reload(match_with_dead_process), match_with_dead_process.seats.get(number=0).user
    )
    clock = sure(view["clock"])
    assert clock["left_ms"] == clock["total_ms"] > 25_000


def test_connected_seat_has_no_loan() -> None:
    match, now = begin(HANDS, "R5"), timezone.now()
    seat = match.seats.get(number=0)
    assert timing.remaining_loan(match.state, seat, now) == timedelta(0)


def test_pending_claims_survive_the_loan_and_its_end(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    Seat.objects.filter(match=match, number=2).update(controller=f"{other_process.key}0123456789")
    act(match, 0, {"play": "R1"})
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, version=2, client_id="catch")
    claims, due = reload(match).race, reload(match).due
    cutting.lend_time(match.pk, {other_process.key: timezone.now()})
    assert reload(match).state.lost.keys() == {2}
    assert (reload(match).race, reload(match).due) == (claims, due)
    services.end_loan(match.pk, SeatNumber(2), timezone.now())
    assert not reload(match).state.lost
    assert (reload(match).race, reload(match).due) == (claims, due)


@pytest.mark.django_db(transaction=True)
def test_death_is_recorded_even_if_the_recording_process_dies(
    match_with_dead_process: Match,
    moving_clocks: MovingClock,
    other_process: Process,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Guard against players who count as present forever because their process died."""

    class Killed(BaseException):
        pass

    class Seats:
        def filter(self, **_which: Any) -> None:
            raise Killed

    Seat.objects.filter(match=match_with_dead_process, number=0).update(here=other_process.key)
    for _ in range(2):
        moving_clocks.advance(1)
        services.beat()
    moving_clocks.advance(1)
    with monkeypatch.context() as patch:
        patch.setattr(Seat, "objects", Seats())
        with pytest.raises(Killed):
            services.beat()
    assert match_with_dead_process.seats.get(number=0).here == other_process.key
    with Process().enter():
        services.beat()
    assert match_with_dead_process.seats.get(number=0).here == ""
