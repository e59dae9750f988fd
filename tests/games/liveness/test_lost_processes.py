"""One of several processes dies: its players keep their time until they have reconnected."""

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
from tests.games.helpers import act, begin, fresh, log
from tests.games.passing import Clock, get_seconds_left, read_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


@pytest.fixture
def cut_off(time_passes: Clock, other: Process) -> Match:
    """Provide a match in which seat 0 has the turn but its process has just died.

    20 s of the turn are left.
    """
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match, number=0).update(controller=f"{other.key}0123456789")
    Seat.objects.filter(match=match, number=1).update(controller=f"{here().key}0123456789")
    time_passes.go_on(5)
    with other.enter():
        services.beat()
    services.beat()
    return match


def pass_detection_time(time_passes: Clock) -> None:
    """Let three seconds pass, in which only the living process beats."""
    for _ in range(3):
        time_passes.go_on(1)
        services.beat()


def test_cut_off_player_is_given_waiting_time(cut_off: Match, time_passes: Clock) -> None:
    pass_detection_time(time_passes)
    assert get_seconds_left(cut_off) == pytest.approx(20 - 3 + 15, abs=0.01)
    name = cut_off.seats.get(number=0).said
    assert read_log(cut_off) == [
        f"{name} was disconnected because of a problem with the site. The clock will wait up "
        "to 15 s."
    ]


@pytest.mark.parametrize("seconds", [0, 1, 6, 11.9])
def test_reconnected_player_keeps_the_remaining_time(
    seconds: float, cut_off: Match, time_passes: Clock
) -> None:
    pass_detection_time(time_passes)
    time_passes.go_on(seconds)
    services.end_loan(cut_off.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(cut_off) == pytest.approx(20, abs=0.01)
    services.end_loan(cut_off.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(cut_off) == pytest.approx(20, abs=0.01)


def test_waiting_time_is_limited_to_15_seconds(cut_off: Match, time_passes: Clock) -> None:
    pass_detection_time(time_passes)
    time_passes.go_on(20)
    services.end_loan(cut_off.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(cut_off) == pytest.approx(20 + 15 - 23, abs=0.01)


def test_player_of_a_dead_process_is_gone_since_its_death(
    cut_off: Match, time_passes: Clock, other: Process
) -> None:
    Seat.objects.filter(match=cut_off, number=0).update(here=other.key, seen_at=None)
    died = timezone.now()
    pass_detection_time(time_passes)
    seat = cut_off.seats.get(number=0)
    assert (seat.here, seat.seen_at) == ("", died)


def test_process_death_is_detected_once(cut_off: Match, time_passes: Clock) -> None:
    pass_detection_time(time_passes)
    pass_detection_time(time_passes)
    assert get_seconds_left(cut_off) == pytest.approx(20 - 6 + 15, abs=0.01)
    assert Beat.objects.filter(dead=True).count() == 1


def test_player_connected_to_another_process_gets_no_waiting_time(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match).update(controller=f"{here().key}0123456789")
    with other.enter():
        services.beat()
    services.beat()
    pass_detection_time(time_passes)
    assert get_seconds_left(match) == 22
    assert read_log(match) == []


def test_turn_starting_for_a_cut_off_player_also_waits(time_passes: Clock, other: Process) -> None:
    match = begin(HANDS, "R5")
    Seat.objects.filter(match=match, number=1).update(controller=f"{other.key}0123456789")
    with other.enter():
        services.beat()
    services.beat()
    pass_detection_time(time_passes)
    assert get_seconds_left(match) == pytest.approx(22, abs=0.01), "seat 0 is here"
    act(match, 0, {"play": "R1"})
    assert get_seconds_left(match) == pytest.approx(25 + 15 - 3, abs=0.01)
    time_passes.go_on(4)
    services.end_loan(match.pk, SeatNumber(1), timezone.now())
    assert get_seconds_left(match) == pytest.approx(25, abs=0.01)


def test_player_cut_off_during_the_deal_gets_waiting_time(
    time_passes: Clock, other: Process
) -> None:
    match = begin(["R1", "R3 R4"], "R5", options={"target": 500}, between_seconds=1)
    act(match, 0, {"play": "R1"})
    Seat.objects.filter(match=match).update(controller=f"{other.key}0123456789")
    with other.enter():
        services.beat()
    services.beat()
    pass_detection_time(time_passes)
    services.tick(fresh(match).due)
    assert fresh(match).phase == Match.Phase.PLAYING
    assert fresh(match).state.lost.keys() == {0, 1}
    seat = sure(fresh(match).state.turn_seat)
    services.end_loan(match.pk, seat, timezone.now())
    assert get_seconds_left(match) <= 25


def test_turn_does_not_end_while_its_process_may_be_dead(
    cut_off: Match, time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that no turn ends while its process may be dead.

    The age of a heartbeat is measured by the database's clock, so the test backdates one.
    """
    assert not cutting.may_be_cut_off(cut_off.seats.get(number=0))
    old = Beat.objects.get(process=cut_off.seats.get(number=0).controller[:6])
    Beat.objects.filter(pk=old.pk).update(at=old.at - timedelta(seconds=1.8))
    assert cutting.may_be_cut_off(cut_off.seats.get(number=0))
    over = sure(fresh(cut_off).turn_until) + timedelta(seconds=3)
    [(pk, version)], _ = services.due_matches(over, 9, alone=True)
    assert services.run_due(pk, version, over)
    assert log(cut_off) == []
    assert fresh(cut_off).due == over + timedelta(seconds=0.5)


def test_process_with_a_new_heartbeat_is_alive_again(
    cut_off: Match, time_passes: Clock, other: Process
) -> None:
    pass_detection_time(time_passes)
    with other.enter():
        services.beat()
    assert not Beat.objects.filter(dead=True).exists()


def test_players_get_waiting_time_after_all_processes_die(
    cut_off: Match, time_passes: Clock
) -> None:
    """Check that the players of all dead processes get their time and are waited for.

    The new process gives back the time of the outage.
    """
    time_passes.go_on(30)
    services.beat()
    assert get_seconds_left(cut_off) == pytest.approx(20 + 15, abs=0.01)
    time_passes.go_on(4)
    services.end_loan(cut_off.pk, SeatNumber(0), timezone.now())
    assert get_seconds_left(cut_off) == pytest.approx(20, abs=0.01)


def test_old_heartbeats_are_deleted(time_passes: Clock, other: Process) -> None:
    services.beat()
    with other.enter():
        services.beat()
    old = Beat.objects.get(process=other.key)
    Beat.objects.create(
        process="older",
        machine="",
        at=old.at - timedelta(hours=2),
        wall=old.wall,
        steady=0,
        dead=True,
    )
    pass_detection_time(time_passes)
    assert set(Beat.objects.values_list("process", flat=True)) == {here().key, other.key}


def test_lent_time_is_shown_as_a_full_turn(cut_off: Match, time_passes: Clock) -> None:
    pass_detection_time(time_passes)
    view = queries.match_view(fresh(cut_off), cut_off.seats.get(number=0).user)
    clock = sure(view["clock"])
    assert clock["left_ms"] == clock["total_ms"] > 25_000


def test_lent_time_is_the_rest_of_fifteen_seconds() -> None:
    match, now = begin(HANDS, "R5"), timezone.now()
    seat = match.seats.get(number=0)
    assert timing.remaining_grace(match.state, seat, now) == timedelta(0)


def test_pending_claims_survive_disconnection_and_reconnection(
    time_passes: Clock, other: Process
) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    Seat.objects.filter(match=match, number=2).update(controller=f"{other.key}0123456789")
    act(match, 0, {"play": "R1"})
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, version=2, client_id="catch")
    claims, due = fresh(match).race, fresh(match).due
    cutting.lend_time(match.pk, {other.key: timezone.now()})
    assert fresh(match).state.lost.keys() == {2}
    assert (fresh(match).race, fresh(match).due) == (claims, due)
    services.end_loan(match.pk, SeatNumber(2), timezone.now())
    assert not fresh(match).state.lost
    assert (fresh(match).race, fresh(match).due) == (claims, due)


@pytest.mark.django_db(transaction=True)
def test_process_that_dies_while_handling_a_death_is_replaced(
    cut_off: Match, time_passes: Clock, other: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guard against players who count as present forever because their process died."""

    class Killed(BaseException):
        pass

    class Seats:
        def filter(self, **_which: Any) -> None:
            raise Killed

    Seat.objects.filter(match=cut_off, number=0).update(here=other.key)
    for _ in range(2):
        time_passes.go_on(1)
        services.beat()
    time_passes.go_on(1)
    with monkeypatch.context() as patch:
        patch.setattr(Seat, "objects", Seats())
        with pytest.raises(Killed):
            services.beat()
    assert cut_off.seats.get(number=0).here == other.key
    with Process().enter():
        services.beat()
    assert cut_off.seats.get(number=0).here == ""
