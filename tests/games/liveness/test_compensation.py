"""Tests of compensating many matches for an outage in steps."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import DataError, InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services
from games.liveness import compensation, lost_processes
from games.models import Match, Outage
from games.play import outages
from games.process import Process
from tests.games.helpers import act, begin, list_log, make_match, reload
from tests.games.moving_clock import MovingClock, get_seconds_left, read_log

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("serving_process"), pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


@contextmanager
def slow_down_compensation(moving_clocks: MovingClock, seconds: float) -> Iterator[None]:
    """Make the compensation of each match take `seconds`."""
    give_back = outages._restore_outage_time

    def compensate_slowly(*args: Any) -> None:
        give_back(*args)
        moving_clocks.advance(seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outages, "_restore_outage_time", compensate_slowly)
        yield


def take_site_down(moving_clocks: MovingClock, seconds: float = 60) -> None:
    """Simulate an outage of `seconds` for which no match has been compensated yet."""
    services.beat_if_overdue()
    moving_clocks.advance(seconds)
    services.beat_if_overdue()
    assert services.has_uncompensated_matches()


def test_compensating_many_matches_does_not_count_as_an_outage(
    moving_clocks: MovingClock,
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(12)]
    take_site_down(moving_clocks)
    ends = [reload(match).turn_until for match in matches]
    with slow_down_compensation(moving_clocks, 0.4):
        for _ in range(20):
            services.beat_if_overdue()
            services.compensate_outages(0)
    assert not services.has_uncompensated_matches()
    assert Outage.objects.count() == 1
    assert Outage.objects.get().settled
    assert [reload(match).turn_until for match in matches] == [
        end + timedelta(seconds=60) for end in ends if end
    ]


def test_most_urgent_match_is_compensated_first(moving_clocks: MovingClock) -> None:
    later = begin(HANDS, "R5", turn_seconds=60)
    sooner = begin(HANDS, "R5", turn_seconds=20)
    take_site_down(moving_clocks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.liveness.compensation.BATCH", 1)
        services.compensate_outages(0)
    assert [bool(reload(match).outage) for match in (sooner, later)] == [True, False]


def test_compensation_steps_reuse_one_search(moving_clocks: MovingClock) -> None:
    """Guard against repeated searches. On a large site, a search can take as long as a step."""
    matches = [begin(HANDS, "R5") for _ in range(4)]
    take_site_down(moving_clocks)
    services.compensate_outages(0)
    with CaptureQueriesContext(connection) as queries:
        for _ in matches[1:]:
            services.compensate_outages(0)
    assert all(reload(match).outage for match in matches)
    assert not any('ORDER BY "games_match"."due"' in query["sql"] for query in queries)


def test_urgency_is_reconsidered_after_another_outage(moving_clocks: MovingClock) -> None:
    matches = [begin(HANDS, "R5", turn_seconds=20 + n) for n in range(3)]
    take_site_down(moving_clocks)
    services.compensate_outages(0)
    take_site_down(moving_clocks, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.liveness.compensation.BATCH", 1)
        for _ in range(2):
            services.compensate_outages(0)
    behind = [match for match in matches if reload(match).outage < Outage.objects.latest("pk").pk]
    assert len(behind) == 1
    services.compensate_outages()
    assert [get_seconds_left(match) for match in matches] == [20, 21, 22]


@pytest.mark.parametrize("due", [True, False])
def test_match_is_compensated_with_or_without_a_due_time(
    due: bool, moving_clocks: MovingClock
) -> None:
    match = begin(HANDS, "R5")
    if not due:
        Match.objects.filter(pk=match.pk).update(due=None)
    take_site_down(moving_clocks)
    services.compensate_outages()
    assert get_seconds_left(match) == 25
    assert not services.has_uncompensated_matches()


def test_player_acting_before_compensation_keeps_the_remaining_time(
    moving_clocks: MovingClock,
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    services.act(match.pk, services.SeatNumber(0), {"play": "R1"}, version=1, client_id="one")
    assert list_log(match) == [(0, {"play": "R1"}, "")]
    assert (
        read_log(match)[0]
        == "The site was down for 60 s. All clocks were stopped during that time."
    )
    services.compensate_outages()
    assert get_seconds_left(match) == 25


def test_table_does_not_act_for_players_before_compensation(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    [(pk, version)], _ = services.due_matches(timezone.now(), 9, alone=True)
    assert services.run_due_step(pk, version)
    assert list_log(match) == []
    assert get_seconds_left(match) == 25
    assert services.due_matches(timezone.now(), 9, alone=True)[0] == []


def test_pause_before_compensation_keeps_the_remaining_time(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    services.pause_match(match)
    moving_clocks.advance(1)
    services.compensate_outages()
    services.resume_match(match)
    assert get_seconds_left(match) == 25


def test_match_started_after_the_outage_gets_no_compensation(moving_clocks: MovingClock) -> None:
    old, new = begin(HANDS, "R5"), make_match()
    take_site_down(moving_clocks)
    services.start_match(new)
    until = reload(new).due
    services.compensate_outages()
    assert not services.has_uncompensated_matches()
    assert (reload(new).due, reload(new).outage) == (until, reload(old).outage)
    assert read_log(new) == []


def test_consecutive_outages_share_one_log_line(moving_clocks: MovingClock) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    take_site_down(moving_clocks, 30)
    services.compensate_outages()
    assert get_seconds_left(match) == 25
    assert read_log(match) == [
        "The site was down for 90 s. All clocks were stopped during that time."
    ]
    assert reload(match).version == 2


def test_compensated_table_is_compensated_again_only_for_the_next_outage(
    moving_clocks: MovingClock,
) -> None:
    match, other_match = begin(HANDS, "R5"), begin(HANDS, "R5")
    take_site_down(moving_clocks)
    services.act(match.pk, services.SeatNumber(0), {"draw": True}, version=1, client_id="one")
    take_site_down(moving_clocks, 30)
    services.compensate_outages()
    assert [get_seconds_left(one) for one in (match, other_match)] == [25, 25]
    # With no action in between, the two outages share one log line.
    for one, lengths in ((match, (60, 30)), (other_match, (90,))):
        assert [line for line in read_log(one) if line.startswith("The site was down")] == [
            f"The site was down for {seconds} s. All clocks were stopped during that time."
            for seconds in lengths
        ]


def test_finished_match_stays_unchanged(moving_clocks: MovingClock) -> None:
    match, going = begin(HANDS, "R5"), begin(HANDS, "R5")
    services.abandon_match(match, "Rain.")
    take_site_down(moving_clocks)
    services.note_ruling(match, services.SeatNumber(0), "caution", 0)
    assert (reload(match).version, reload(match).outage) == (2, 0)
    services.compensate_outages()
    assert get_seconds_left(going) == 25


def test_outage_settled_by_another_process_is_not_compensated_again(
    moving_clocks: MovingClock, other_process: Process
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    with other_process.enter():
        services.beat()
    assert services.has_uncompensated_matches()
    services.compensate_outages()
    act(match, 0, {"play": "R1"})
    assert get_seconds_left(match) == 25
    assert len(read_log(match)) == 1 + len(list_log(match))


def test_compensation_is_retried_after_conflicts_and_database_errors(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    lend, errors = (
        lost_processes.lend_time,
        [services.RefusedError("busy", ""), OperationalError("away")],
    )

    def fail(*args: Any) -> None:
        if errors:
            raise errors.pop(0)
        lend(*args)

    monkeypatch.setattr(lost_processes, "lend_time", fail)
    services.compensate_outages(0)
    with pytest.raises(OperationalError):
        services.compensate_outages(0)
    assert reload(match).version == 1
    services.compensate_outages()
    assert get_seconds_left(match) == 25


def test_repaired_match_is_compensated_for_the_next_outage(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    with monkeypatch.context() as patch:
        patch.setattr(outages, "_restore_outage_time", lambda *_args: 1 / 0)
        services.compensate_outages()
    assert Outage.objects.get().settled
    take_site_down(moving_clocks, 30)
    services.compensate_outages()
    assert read_log(match) == [
        "The site was down for 30 s. All clocks were stopped during that time."
    ]


def test_outage_found_during_settlement_is_settled_separately(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    settle = compensation._mark_settled

    def settle_after_a_hang(*args: Any) -> None:
        """Simulate a hang of 5 s, after which another thread detects a second outage."""
        monkeypatch.setattr(compensation, "_mark_settled", settle)
        moving_clocks.advance(5)
        services.beat_if_overdue()
        settle(*args)

    monkeypatch.setattr(compensation, "_mark_settled", settle_after_a_hang)
    services.compensate_outages()
    assert [one.settled for one in Outage.objects.order_by("pk")] == [True, False]
    assert services.has_uncompensated_matches()
    services.compensate_outages()
    assert get_seconds_left(match) == 25


def fail_for(broken: Match, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the compensation of this match raise `error`."""
    give_back = outages._restore_outage_time

    def fail(change: Any, owed: Any) -> None:
        if change.old.match.pk == broken.pk:
            raise error
        give_back(change, owed)

    monkeypatch.setattr(outages, "_restore_outage_time", fail)


def test_match_that_cannot_be_compensated_does_not_block_the_others(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, match = begin(HANDS, "R5"), begin(HANDS, "R5")
    take_site_down(moving_clocks)
    fail_for(broken, DataError("too long"), monkeypatch)
    services.compensate_outages()
    assert get_seconds_left(match) == 25
    assert not services.has_uncompensated_matches()


def test_database_outage_marks_no_match_as_unreadable(
    moving_clocks: MovingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    take_site_down(moving_clocks)
    with monkeypatch.context() as patch:
        fail_for(match, InterfaceError("connection already closed"), patch)
        with pytest.raises(InterfaceError):
            services.compensate_outages()
    services.compensate_outages()
    assert get_seconds_left(match) == 25
