"""F13: a call and a catch, or a catch and the next action, at the same moment."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from games import services
from games.clocks.lag import Lag
from games.models import LoggedAction, Match
from games.seats import SeatNumber
from tests.faults.cases import TryCounter
from tests.games.helpers import begin, list_log
from tests.games.threads import run_in_threads
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


# For the call and the catch: seconds from the play until the message is received, and the measured
# lag. Then the action that comes first. At most 0.15 s of lag is credited.
RACES = [
    ((1.0, 0.0), (1.001, 0.0), "call"),
    ((1.001, 0.0), (1.0, 0.0), "catch"),
    ((1.1, 0.35), (1.0, 0.0), "call"),
    ((1.3, 0.35), (1.0, 0.1), "catch"),
    ((1.15, 0.2), (1.0, 0.0), "call"),
]


@pytest.mark.parametrize(("called", "caught", "winner"), RACES)
def test_simultaneous_uno_and_catch_have_one_order(
    called: tuple[float, float], caught: tuple[float, float], winner: str, tries: TryCounter
) -> None:
    """Send a call and a catch concurrently, then request the decision concurrently."""
    for _ in tries(4, 200):
        decide_race_once(called, caught, winner)


def decide_race_once(called: tuple[float, float], caught: tuple[float, float], winner: str) -> None:
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    played = LoggedAction.objects.get(hand__match=match).at

    def send(
        seat: int, action: dict[str, Any], times: tuple[float, float], now: float = 0.0
    ) -> services.Ack:
        received = played + timedelta(seconds=times[0])
        options: dict[str, Any] = {
            "version": 2,
            "client_id": f"seat {seat}",
            "lag": Lag.steady(times[1]),
        }
        options |= {"received": received, "now": max(received, played + timedelta(seconds=now))}
        return services.act(match.pk, SeatNumber(seat), action, **options)

    requests: list[tuple[int, dict[str, Any], tuple[float, float]]]
    requests = [(0, {"call": True}, called), (2, {"catch": 0}, caught)]
    answers = run_in_threads(*[partial(send, *request) for request in requests])
    assert {type(answer) for answer in answers} == {services.UndecidedError}
    later = played + timedelta(seconds=5)
    answers = run_in_threads(
        *[partial(send, *request, 5) for request in requests],
        lambda: services.tick(later),
        lambda: services.tick(later),
    )[:2]
    assert list_log(match)[1:] == [
        (0, {"call": True}, "") if winner == "call" else (2, {"catch": 0}, "")
    ]
    first, second = answers if winner == "call" else answers[::-1]
    assert (first.version, second.code) == (3, f"{winner}-first")
    cards = len(sure(Match.objects.get(pk=match.pk).state.position)["hands"][0])
    assert cards == (1 if winner == "call" else 3)


def test_simultaneous_catch_and_next_action_have_one_order(tries: TryCounter) -> None:
    """Check that the catch is either stored before the next action, or refused."""
    play = {"play": "R3", "uno": True}
    for _ in tries(20, 1000):
        match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
        services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")

        def send(seat: int, action: dict[str, Any], match: Match = match) -> services.Ack:
            options: dict[str, Any] = {"version": 2, "client_id": f"seat {seat}"}
            try:
                return services.act(match.pk, SeatNumber(seat), action, **options)
            except services.UndecidedError as later:
                return services.act(match.pk, SeatNumber(seat), action, now=later.until, **options)

        caught, _ = run_in_threads(partial(send, 2, {"catch": 0}), partial(send, 1, play))
        done = [action for _, action, _ in list_log(match)][1:]
        if isinstance(caught, services.Ack):
            assert done == [{"catch": 0}, play]
        else:
            assert (done, caught.code) == ([play], "stale")
