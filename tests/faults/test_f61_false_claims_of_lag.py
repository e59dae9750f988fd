"""F61: clients that delay their echoes to simulate lag win no race that they lost by 0.3 s."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.clocks.lag import MAX_RACE_CREDIT, Meter
from games.clocks.timing import quota
from games.models import LoggedAction
from games.seats import SeatNumber
from tests.faults.cases import TryCounter
from tests.games.helpers import begin
from tests.games.windows import Window, open_window
from tests.live import LiveSite
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# Returns the delay of a client's n-th echo, in seconds.
DelayFunction = Callable[[int], float]
CLAIMED_DELAYS: dict[str, DelayFunction] = {
    "0.3 s": lambda n: 0.3,
    "0.9 s": lambda n: 0.9,
    "3 s": lambda n: 3.0,
    "alternating": lambda n: 0.9 if n % 2 else 0.01,
    "fast for probes and slow for actions": lambda n: 0.0,
}
# Seconds from the call to the catch.
CATCH_DELAY = 0.30


def run_meter(
    late: DelayFunction, pongs: DelayFunction | None = None, seconds: float = 12.0
) -> tuple[Meter, float]:
    """Measure a client with delayed echoes for `seconds`, and return the meter and the end time.

    `late` and `pongs` return the delays of the n-th echo and the n-th pong, in seconds.
    """
    meter, now, n = Meter(), 1000.0, 0
    end = now + seconds
    while now < end:
        number = sure(meter.start_probe(now))
        meter.record_echo(number, now + late(n))
        if pongs is not None:
            meter.pongs.record(pongs(n), now + pongs(n))
        now, n = max(now + 2.5, now + late(n)), n + 1
    return meter, now


class CallRace:
    """Race between a call and a catch after seat 0 forgot to say UNO.

    Times are in seconds after seat 0's play.
    """

    def __init__(self) -> None:
        self.match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
        self.at = timezone.now()
        self._apply_action(0, {"play": "R1"}, 1, self.at, None)

    def _apply_action(
        self, seat: int, action: dict[str, Any], version: int, at: datetime, meter: Any
    ) -> None:
        services.act(
            self.match.pk,
            SeatNumber(seat),
            action,
            version=version,
            client_id=f"{seat}-{version}",
            now=at,
            **({} if meter is None else {"lag": meter[0].lag(meter[1])}),
        )

    def send_claim(self, seat: int, action: dict[str, Any], at: float, meter: Any = None) -> None:
        with pytest.raises(services.UndecidedError):
            self._apply_action(seat, action, 2, self.at + timedelta(seconds=at), meter)

    def get_winner(self) -> int:
        services.tick(self.at + timedelta(seconds=9))
        return LoggedAction.objects.filter(hand__match=self.match).get(number=2).player


@pytest.mark.parametrize("kind", CLAIMED_DELAYS)
def test_delaying_answers_never_makes_a_late_catch_win(kind: str, tries: TryCounter) -> None:
    rng = random.Random(61)
    for _ in tries(20, 200):
        race, called = CallRace(), rng.uniform(0.2, 2.0)
        race.send_claim(0, {"call": True}, called)
        race.send_claim(
            2,
            {"catch": 0},
            called + CATCH_DELAY,
            run_meter(CLAIMED_DELAYS[kind], CLAIMED_DELAYS[kind]),
        )
        assert race.get_winner() == 0


@pytest.mark.parametrize("kind", CLAIMED_DELAYS)
def test_lying_about_lag_gains_at_most_150_ms(kind: str) -> None:
    for pongs in (None, CLAIMED_DELAYS[kind]):
        meter, now = run_meter(CLAIMED_DELAYS[kind], pongs)
        race = CallRace()
        race.send_claim(2, {"catch": 0}, 1, (meter, now))
        race.match.refresh_from_db()
        [claim] = race.match.race.claims
        assert claim.credit <= 1000 * MAX_RACE_CREDIT == 150


def test_gains_from_lying_use_up_the_quota() -> None:
    """Check that races are charged to the hand's quota of 3 s."""
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    match.refresh_from_db()
    meter, now = run_meter(CLAIMED_DELAYS["0.9 s"])
    seat = match.seats.get(number=2)
    left, gained = quota(match, match.state, seat), 0.0
    for _ in range(100):
        credit = left.race_credit(meter.lag(now))
        left, gained = left.charge_for_race(credit), gained + credit
    assert gained == pytest.approx(3.0)


@pytest.mark.parametrize("who", ["calls", "catches"])
def test_honest_slow_phone_wins_a_race_it_led_by_200_ms(who: str, tries: TryCounter) -> None:
    """Delay both directions by 250 ± 80 ms. The earlier action arrives after the later one."""
    rng = random.Random(250)

    def random_delay() -> float:
        return rng.uniform(0.170, 0.330)

    def random_round_trip(_: int) -> float:
        return random_delay() + random_delay()

    for _ in tries(20, 200):
        race, phone = CallRace(), run_meter(random_round_trip, random_round_trip)
        arrives = 1 + random_delay()
        phones: tuple[int, dict[str, Any]] = (0, {"call": True})
        others: tuple[int, dict[str, Any]] = (2, {"catch": 0})
        if who == "catches":
            phones, others = others, phones
        claims: list[tuple[float, int, dict[str, Any], Any]] = [
            (arrives, *phones, phone),
            (1.2, *others, None),
        ]
        for at, seat, action, meter in sorted(claims, key=lambda claim: claim[0]):
            race.send_claim(seat, action, at, meter)
        assert race.get_winner() == phones[0]


class DelayingWindow:
    """Window that echoes each probe late. Its WebSocket library answers pings without delay."""

    def __init__(self, window: Window, late: DelayFunction) -> None:
        self.window, self.late = window, late
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._echo_probes, daemon=True)
        self._thread.start()

    def _echo_probes(self) -> None:
        for n, message in enumerate(self._receive_probes()):
            self._end.wait(self.late(n))
            self.window.send({"type": "echo", "n": message["n"]})

    def _receive_probes(self) -> Iterator[dict[str, Any]]:
        while not self._end.is_set():
            self.window.send({"type": "ping", "version": 1})
            try:
                yield self.window.wait_for("probe", 0.2)
            except TimeoutError:
                continue

    def stop(self) -> None:
        self._end.set()
        self._thread.join()


def test_script_in_a_page_gains_no_advantage(live_site: LiveSite, tries: TryCounter) -> None:
    """Delay every echo by 0.4 s over real sockets, and catch 0.1 s after the call."""
    for _ in tries(3, 20):
        with ExitStack() as stack:
            match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
            people = [seat.user for seat in match.seats.order_by("number")]
            first, third = (
                stack.enter_context(open_window(live_site, match, people[n])) for n in (0, 2)
            )
            for window in (first, third):
                window.wait_for("view")
            probe = next(m["n"] for m in third.heard if m["type"] == "probe")
            time.sleep(0.4)
            third.send({"type": "echo", "n": probe})
            liar = DelayingWindow(third, lambda n: 0.4)
            time.sleep(1.5)
            liar.stop()
            first.act({"play": "R1"})
            third.wait_for_view(top="R1")
            word = {"type": "action", "version": 2}
            first.send({**word, "id": "call", "action": {"call": True}})
            time.sleep(0.1)
            third.send({**word, "id": "catch", "action": {"catch": 0}})
            assert first.read_answer("call")["type"] == "ack"
            assert third.read_answer("catch")["code"] == "call-first"
