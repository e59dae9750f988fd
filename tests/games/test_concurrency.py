"""Several at once: threads with connections of their own, on the database in use."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from games import services, store
from games.models import LoggedAction, Match
from games.rules.actions import Action
from games.rules.fair import faults
from games.seats import PlayerIndex, SeatNumber
from games.services.play import commit_action
from games.stored.deed import Deed
from tests.games.dealing import commit, open_
from tests.games.helpers import begin, log, make_match
from tests.typed import sure

pytestmark = pytest.mark.django_db(transaction=True)

# Threads poll SQLite for its lock; a few rounds say as much as many.
ROUNDS = 40


def together(*calls: Callable[[], object]) -> list[Any]:
    """Run the calls at the same moment, each in a thread; what each returned or raised."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            gate.wait()
            return call()
        except (services.Refused, services.Later, store.Conflict) as error:
            return error
        finally:
            connection.close()

    # All of them belong to the test's process.
    contexts = [copy_context() for _ in calls]
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(lambda context, call: context.run(run, call), contexts, calls))


def test_of_two_writers_with_the_same_version_exactly_one_wins() -> None:
    """Two processes have the same snapshot in their caches."""
    for _ in range(ROUNDS):
        match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
        snapshot = store.load(match.pk)

        def write(card: str, snapshot: store.Snapshot = snapshot) -> object:
            return commit_action(snapshot, Deed(PlayerIndex(0), Action.play(card)), timezone.now())

        results = together(lambda: write("R1"), lambda: write("R2"))
        won = [one for one in results if isinstance(one, store.Snapshot)]
        lost = [one for one in results if isinstance(one, store.Conflict)]
        assert (len(won), len(lost)) == (1, 1)
        assert Match.objects.get(pk=match.pk).version == 2
        assert len(log(match)) == 1


def test_one_action_delivered_twice_at_once_has_one_effect() -> None:
    for _ in range(ROUNDS):
        match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")

        def send(match: Match = match) -> services.Ack:
            return services.act(
                match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="double"
            )

        assert [ack.version for ack in together(send, send, send)] == [2, 2, 2]
        assert len(log(match)) == 1


def test_two_clicks_with_ids_of_their_own_are_one_play() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")

    def send(client_id: str) -> services.Ack:
        return services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id=client_id)

    answers = together(lambda: send("a"), lambda: send("b"))
    assert Counter(type(answer).__name__ for answer in answers) == {"Ack": 1, "Refused": 1}
    assert len(log(match)) == 1


# Seconds after the play at which each was received, and the lag measured there.
RACES = [
    ((1.0, 0.0), (1.001, 0.0), "call"),
    ((1.001, 0.0), (1.0, 0.0), "catch"),
    ((1.3, 0.35), (1.0, 0.0), "call"),
    ((1.3, 0.35), (1.0, 0.1), "catch"),
    ((1.2, 0.2), (1.0, 0.0), "call"),
]


@pytest.mark.parametrize(("called", "caught", "winner"), RACES * (ROUNDS // len(RACES) // 2))
def test_uno_and_its_catch_at_once_have_one_order(
    called: tuple[float, float], caught: tuple[float, float], winner: str
) -> None:
    """Both come in at once, and then both players and two clocks want it decided at once."""
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    played = LoggedAction.objects.get(hand__match=match).at

    def send(
        seat: int, action: dict[str, Any], times: tuple[float, float], now: float = 0.0
    ) -> services.Ack:
        received = played + timedelta(seconds=times[0])
        options: dict[str, Any] = {"version": 2, "client_id": f"seat {seat}", "lag": times[1]}
        options |= {"received": received, "now": max(received, played + timedelta(seconds=now))}
        return services.act(match.pk, SeatNumber(seat), action, **options)

    requests: list[tuple[int, dict[str, Any], tuple[float, float]]]
    requests = [(0, {"call": True}, called), (2, {"catch": 0}, caught)]
    answers = together(*[partial(send, *request) for request in requests])
    assert {type(answer) for answer in answers} == {services.Later}
    later = played + timedelta(seconds=5)
    answers = together(
        *[partial(send, *request, 5) for request in requests],
        lambda: services.tick(later),
        lambda: services.tick(later),
    )[:2]
    assert log(match)[1:] == [
        (0, {"call": True}, "") if winner == "call" else (2, {"catch": 0}, "")
    ]
    first, second = answers if winner == "call" else answers[::-1]
    assert (first.version, second.code) == (3, f"{winner}-first")
    cards = len(sure(Match.objects.get(pk=match.pk).state.position)["hands"][0])
    assert cards == (1 if winner == "call" else 3)


def test_a_catch_and_the_next_players_action_at_once_have_one_order() -> None:
    """The catch is before the action and counts, or after it and is refused: never neither."""
    play = {"play": "R3", "uno": True}
    for _ in range(ROUNDS // 2):
        match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
        services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")

        def send(seat: int, action: dict[str, Any], match: Match = match) -> services.Ack:
            options: dict[str, Any] = {"version": 2, "client_id": f"seat {seat}"}
            try:
                return services.act(match.pk, SeatNumber(seat), action, **options)
            except services.Later as later:
                return services.act(match.pk, SeatNumber(seat), action, now=later.until, **options)

        caught, _ = together(partial(send, 2, {"catch": 0}), partial(send, 1, play))
        done = [action for _, action, _ in log(match)][1:]
        if isinstance(caught, services.Ack):
            assert done == [{"catch": 0}, play]
        else:
            assert (done, caught.code) == ([play], "stale")


def test_the_clock_runs_out_once_however_many_look_at_it() -> None:
    match = begin(["R1 R2", "R3 R4"], "G5", "B1 B2 B3")
    when = match.due
    together(*[lambda: services.tick(when) for _ in range(4)])
    assert log(match) == [(0, {"draw": True}, "timeout")]


def test_many_tables_play_at_once_and_every_log_is_whole() -> None:
    matches = [
        services.start_match(make_match(people=0, bots=3, hand_limit=1, bot_seconds=0))
        for _ in range(4)
    ]

    def play(match: Match) -> None:
        for _ in range(400):
            current = store.load(match.pk).match
            if current.phase == "over":
                return
            services.run_due(match.pk, current.version, current.due)

    together(*[lambda match=match: play(match) for match in matches for _ in range(2)])
    for match in matches:
        match.refresh_from_db()
        numbers = LoggedAction.objects.filter(hand__match=match).order_by("number")
        assert list(numbers.values_list("number", flat=True)) == list(range(1, numbers.count() + 1))
        versions = list(numbers.values_list("version", flat=True))
        assert versions == list(range(2, len(versions) + 2))
        assert (match.phase, match.version) == ("over", versions[-1])


def test_ten_seats_that_commit_and_open_at_once_are_all_in_the_deal() -> None:
    match = make_match("ocho", people=10)
    acks = together(*(partial(commit, match, seat) for seat in range(10)))
    assert acks == [services.Ack(0)] * 10
    services.start_match(match)
    acks = together(*(partial(open_, match, seat) for seat in range(10)))
    assert sorted(ack.version for ack in acks) == [1] * 9 + [2]
    opened = sure(match.hands.get().deals.dealt).opened
    assert len(opened.shares) == 10
    assert faults(opened) is None
