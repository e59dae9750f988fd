"""Many matches are given what they are owed in steps: the site goes on, and nobody loses by it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import DataError, InterfaceError, OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services, store
from games.clocks.pulse import Pulse
from games.models import Beat, Match, Outage, Seat
from games.process import Process, here
from games.services import cut_off, making_good, outages
from tests.games.helpers import act, begin, fresh, log, make_match
from tests.games.passing import Clock, left, told

pytestmark = pytest.mark.django_db

HANDS = ["R1 R2 R8", "R3 R4 R9"]


@pytest.fixture(autouse=True)
def serves() -> Iterator[None]:
    here().part(Pulse).runs = True
    yield
    here().close()


@contextmanager
def slow(time_passes: Clock, seconds: float) -> Iterator[None]:
    """To give a match back its time takes so long."""
    give_back = outages._give_back

    def slowly(*args: Any) -> None:
        give_back(*args)
        time_passes.go_on(seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outages, "_give_back", slowly)
        yield


def away(time_passes: Clock, seconds: float = 60) -> None:
    """The site is away for so long, and comes back: nobody has been given anything yet."""
    services.keep_time()
    time_passes.go_on(seconds)
    services.keep_time()
    assert services.owing()


def test_what_giving_back_takes_is_no_outage_however_many_matches_there_are(
    time_passes: Clock,
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(12)]
    away(time_passes)
    ends = [fresh(match).turn_until for match in matches]
    with slow(time_passes, 0.4):
        for _ in range(20):
            services.keep_time()
            services.make_good(0)
    assert not services.owing()
    assert Outage.objects.count() == 1
    assert Outage.objects.get().settled
    assert [fresh(match).turn_until for match in matches] == [
        end + timedelta(seconds=60) for end in ends if end
    ]


def test_the_most_urgent_is_given_its_time_first(time_passes: Clock) -> None:
    later = begin(HANDS, "R5", turn_seconds=60)
    sooner = begin(HANDS, "R5", turn_seconds=20)
    away(time_passes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.services.making_good.BATCH", 1)
        services.make_good(0)
    assert [bool(fresh(match).outage) for match in (sooner, later)] == [True, False]


def test_steps_go_through_what_was_looked_for_once(time_passes: Clock) -> None:
    """Among a hundred thousand matches it may take as long as a step."""
    matches = [begin(HANDS, "R5") for _ in range(4)]
    away(time_passes)
    services.make_good(0)
    with CaptureQueriesContext(connection) as queries:
        for _ in matches[1:]:
            services.make_good(0)
    assert all(fresh(match).outage for match in matches)
    assert not any('ORDER BY "games_match"."due"' in query["sql"] for query in queries)


def test_what_is_urgent_after_another_outage_comes_first(time_passes: Clock) -> None:
    matches = [begin(HANDS, "R5", turn_seconds=20 + n) for n in range(3)]
    away(time_passes)
    services.make_good(0)
    away(time_passes, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.services.making_good.BATCH", 1)
        for _ in range(2):
            services.make_good(0)
    behind = [match for match in matches if fresh(match).outage < Outage.objects.latest("pk").pk]
    assert len(behind) == 1
    services.make_good()
    assert [left(match) for match in matches] == [20, 21, 22]


@pytest.mark.parametrize("due", [True, False])
def test_matches_are_given_their_time_whether_or_not_something_is_due(
    due: bool, time_passes: Clock
) -> None:
    match = begin(HANDS, "R5")
    if not due:
        Match.objects.filter(pk=match.pk).update(due=None)
    away(time_passes)
    services.make_good()
    assert left(match) == 25
    assert not services.owing()


def test_who_acts_before_the_table_has_its_turn_has_the_time_that_was_left(
    time_passes: Clock,
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    services.act(match.pk, services.SeatNumber(0), {"play": "R1"}, version=1, client_id="one")
    assert log(match) == [(0, {"play": "R1"}, "")]
    assert told(match)[0] == "The site was away for 60 s; the clocks stood still."
    services.make_good()
    assert left(match) == 25


def test_nobody_is_acted_for_before_the_table_has_its_turn(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    [(pk, version)], _ = services.due_matches(timezone.now(), 9, alone=True)
    assert services.run_due(pk, version)
    assert log(match) == []
    assert left(match) == 25
    assert services.due_matches(timezone.now(), 9, alone=True)[0] == []


def test_a_pause_before_the_table_has_its_turn_keeps_what_was_left(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    services.pause_match(match)
    time_passes.go_on(1)
    services.make_good()
    services.resume_match(match)
    assert left(match) == 25


def test_a_match_that_begins_after_the_outage_is_given_nothing_of_it(time_passes: Clock) -> None:
    old, new = begin(HANDS, "R5"), make_match()
    away(time_passes)
    services.start_match(new)
    until = fresh(new).due
    services.make_good()
    assert not services.owing()
    assert (fresh(new).due, fresh(new).outage) == (until, fresh(old).outage)
    assert told(new) == []


def test_of_two_outages_at_once_each_is_told_and_both_are_given(time_passes: Clock) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    away(time_passes, 30)
    services.make_good()
    assert left(match) == 25
    assert told(match) == [
        f"The site was away for {n} s; the clocks stood still." for n in (60, 30)
    ]
    assert fresh(match).version == 2


def test_a_table_is_given_only_what_it_has_not_got(time_passes: Clock) -> None:
    match, other_match = begin(HANDS, "R5"), begin(HANDS, "R5")
    away(time_passes)
    services.act(match.pk, services.SeatNumber(0), {"draw": True}, version=1, client_id="one")
    away(time_passes, 30)
    services.make_good()
    assert [left(one) for one in (match, other_match)] == [25, 25]
    for one in (match, other_match):
        assert len([line for line in told(one) if line.startswith("The site was away")]) == 2


def test_a_match_that_is_over_is_left_as_it_is(time_passes: Clock) -> None:
    match, going = begin(HANDS, "R5"), begin(HANDS, "R5")
    services.abandon_match(match, "Rain.")
    away(time_passes)
    services.note_ruling(match, services.SeatNumber(0), "caution", 0)
    assert (fresh(match).version, fresh(match).outage) == (2, 0)
    services.make_good()
    assert left(going) == 25


def test_an_outage_that_another_process_has_settled_is_not_given_again(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    with other.entered():
        services.beat()
    assert services.owing()
    services.make_good()
    act(match, 0, {"play": "R1"})
    assert left(match) == 25
    assert len(told(match)) == 1 + len(log(match))


def test_a_busy_table_and_a_database_that_is_away_are_tried_again(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    lend, errors = cut_off.lend, [services.Refused("busy", ""), OperationalError("away")]

    def fail(*args: Any) -> None:
        if errors:
            raise errors.pop(0)
        lend(*args)

    monkeypatch.setattr(cut_off, "lend", fail)
    services.make_good(0)
    with pytest.raises(OperationalError):
        services.make_good(0)
    assert fresh(match).version == 1
    services.make_good()
    assert left(match) == 25


def test_a_match_that_can_be_read_again_is_given_its_time_of_the_next_outage(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    with monkeypatch.context() as patch:
        patch.setattr(outages, "_give_back", lambda *_args: 1 / 0)
        services.make_good()
    assert Outage.objects.get().settled
    away(time_passes, 30)
    services.make_good()
    assert told(match) == ["The site was away for 30 s; the clocks stood still."]


def test_an_outage_that_is_found_while_another_is_settled_is_not_settled_with_it(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    settle = making_good._settle

    def hangs(*args: Any) -> None:
        """And then another thread finds it, since it is to act."""
        monkeypatch.setattr(making_good, "_settle", settle)
        time_passes.go_on(5)
        services.keep_time()
        settle(*args)

    monkeypatch.setattr(making_good, "_settle", hangs)
    services.make_good()
    assert [one.settled for one in Outage.objects.order_by("pk")] == [True, False]
    assert services.owing()
    services.make_good()
    assert left(match) == 25


def fail_for(broken: Match, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """To give this match back its time raises the error."""
    give_back = outages._give_back

    def fail(change: Any, owed: Any) -> None:
        if change.old.match.pk == broken.pk:
            raise error
        give_back(change, owed)

    monkeypatch.setattr(outages, "_give_back", fail)


def test_one_match_that_the_database_does_not_take_keeps_the_time_from_no_other(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, match = begin(HANDS, "R5"), begin(HANDS, "R5")
    away(time_passes)
    fail_for(broken, DataError("too long"), monkeypatch)
    services.make_good()
    assert left(match) == 25
    assert not services.owing()


def test_while_the_database_is_away_no_match_counts_as_one_that_cannot_be_read(
    time_passes: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(HANDS, "R5")
    away(time_passes)
    with monkeypatch.context() as patch:
        fail_for(match, InterfaceError("connection already closed"), patch)
        with pytest.raises(InterfaceError):
            services.make_good()
    services.make_good()
    assert left(match) == 25


# Players of a process that died


def dead(time_passes: Clock, other: Process, matches: list[Match]) -> None:
    """All seats 0 were connected to a process that died three seconds ago, which is just noted."""
    Seat.objects.filter(match__in=matches, number=0).update(controller=f"{other.key}0123456789")
    with other.entered():
        services.beat()
    services.beat()
    for _ in range(3):
        time_passes.go_on(1)
        services.keep_time()


def test_players_who_were_cut_off_are_waited_for_in_steps(
    time_passes: Clock, other: Process
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(3)]
    dead(time_passes, other, matches)
    services.beat()
    assert not services.owing()
    assert [round(left(match)) for match in matches] == [37, 37, 37]
    assert Beat.objects.get(process=other.key).lost_since is None


def test_nobody_who_was_cut_off_is_acted_for_before_the_table_has_its_turn(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5", turn_seconds=3, bank_seconds=0)
    dead(time_passes, other, [match])
    beat()
    assert cut_off.perhaps_cut_off(match.seats.get(number=0))
    over = timezone.now() + timedelta(seconds=9)
    [(pk, version)], _ = services.due_matches(over, 9, alone=True)
    services.run_due(pk, version, over)
    assert log(match) == []
    services.make_good()
    assert not cut_off.perhaps_cut_off(match.seats.get(number=0))
    assert fresh(match).state.lost.keys() == {0}


def beat() -> None:
    """A beat alone, as whoever acts by a deadline makes it."""
    here().part(Pulse)._last = None
    services.keep_time()


def test_who_dies_while_lending_is_replaced_and_nobody_is_lent_twice(
    time_passes: Clock, other: Process
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(3)]
    dead(time_passes, other, matches)
    beat()
    services.make_good(0)
    lent = [match for match in matches if fresh(match).state.lost]
    assert len(lent) == 1
    third = Process()
    with third.entered():
        services.beat()
    store.forget(lent[0].pk)
    assert [round(left(match)) for match in matches] == [37, 37, 37]
    assert [fresh(match).version for match in matches] == [2, 2, 2]
    assert Beat.objects.get(process=other.key).lost_since is None


def test_who_was_at_a_process_that_dies_while_others_are_being_waited_for_is_too(
    time_passes: Clock, other: Process
) -> None:
    matches, second = [begin(HANDS, "R5") for _ in range(3)], Process()
    Seat.objects.filter(match__in=matches, number=1).update(controller=f"{second.key}0123456789")
    dead(time_passes, other, matches)
    with second.entered():
        here().part(Pulse).runs = True
        beat()
    beat()
    services.make_good(0)
    for _ in range(3):
        time_passes.go_on(1)
        beat()
    services.make_good()
    assert [fresh(match).state.lost.keys() for match in matches] == [{0, 1}] * 3


def test_a_process_that_was_given_up_and_is_back_has_its_players_back(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    dead(time_passes, other, [match])
    beat()
    assert services.owing()
    for process in (other, here()):
        with process.entered():
            services.beat()
    assert not services.owing()
    assert fresh(match).state.lost == {}
    assert left(match) == 22


def test_an_outage_while_players_are_being_waited_for_moves_that_too(
    time_passes: Clock, other: Process
) -> None:
    match = begin(HANDS, "R5")
    dead(time_passes, other, [match])
    beat()
    since = Beat.objects.get(process=other.key).lost_since
    assert since is not None
    time_passes.go_on(60)
    services.keep_time()
    assert Beat.objects.get(process=other.key).lost_since == since + timedelta(seconds=60)
    services.make_good()
    assert round(left(match)) == 37
    assert not services.owing()


def test_one_match_that_cannot_be_read_keeps_it_from_no_other(
    time_passes: Clock, other: Process, caplog: pytest.LogCaptureFixture
) -> None:
    matches = [begin(HANDS, "R5") for _ in range(2)]
    dead(time_passes, other, matches)
    broken = matches[0].pk
    lend = cut_off._lend

    def fail(snapshot: Any, lost: Any) -> None:
        if snapshot.match.pk == broken:
            raise ValueError("unreadable")
        lend(snapshot, lost)

    with pytest.MonkeyPatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(cut_off, "_lend", fail)
        services.beat()
    assert round(left(matches[1])) == 37
    assert not services.owing()
    assert f"Match {broken} was not given back its time" in caplog.text
