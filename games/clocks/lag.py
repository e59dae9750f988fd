"""Network lag of players, and the time credited to them for it.

This module is pure and modelled on the LagTracker of scalachess. A `Meter` measures the round trips
of one socket in two ways: by probes that the page answers, and by the socket's own pings, which a
browser answers automatically. Times reported by a client are never used.

A client can raise its measured lag by delaying its answers, so the possible gain is limited. Lag is
credited only up to the seat's `Quota`. In a race, the credit is the smallest round trip of the last
few seconds, up to MAX_RACE_CREDIT, and is charged to the same quota. All times are in seconds.
"""

from dataclasses import dataclass, field, replace
from typing import Self

# Weight of the old mean when a new round trip is added.
DECAY = 0.85
# A mean alone would favour players with a few long delays, so this many deviations are subtracted.
CAUTION = 0.8
FIRST_DEVIATION = 0.04

# Each turn adds up to a second to the quota. The formula assumes this many turns in a hand.
TURNS = 10
MAX_GAIN = 1.0
START_TURNS, MAX_TURNS = 3, 7
MAX_GRACE = 2.0

# The credit in a race is the smallest round trip of this period, up to MAX_RACE_CREDIT. A player
# who delays answers therefore gains no more than an honest player on the other side of the world.
RECENT_SECONDS = 10.0
# With this many recent echoes, a ping from the client no longer triggers a probe.
ENOUGH_ECHOES = 2
MAX_RACE_CREDIT = 0.15


@dataclass(frozen=True, slots=True)
class LagEstimate:
    """Decaying mean and deviation of round trips. `known` is false before the first round trip."""

    mean: float = 0.0
    deviation: float = FIRST_DEVIATION
    known: bool = False

    def record(self, seconds: float) -> "LagEstimate":
        seconds = min(max(0.0, seconds), MAX_TURNS * MAX_GAIN)
        if not self.known:
            return LagEstimate(seconds, FIRST_DEVIATION, known=True)
        difference = abs(self.mean - seconds)
        mean = seconds + DECAY * (self.mean - seconds)
        return LagEstimate(mean, DECAY * self.deviation + (1 - DECAY) * difference, known=True)

    @property
    def lag(self) -> float:
        """Conservative estimate of the lag that may be credited, in seconds."""
        return max(0.0, self.mean - CAUTION * self.deviation) if self.known else 0.0


@dataclass(frozen=True, slots=True)
class Lag:
    """Measured lag of a connection: its usual value, and the smallest of the last few seconds."""

    usual: float = 0.0
    smallest: float = 0.0

    @classmethod
    def steady(cls, seconds: float) -> Self:
        """Return the lag of a connection whose delay never changes."""
        return cls(seconds, seconds)


NO_LAG, UNKNOWN = Lag(), LagEstimate()


@dataclass(slots=True)
class Gauge:
    """Round trips of one socket, measured either by probes or by pings."""

    estimate: LagEstimate = UNKNOWN
    # A list needs less memory than a deque, which allocates room for sixty entries.
    _recent: list[tuple[float, float]] = field(default_factory=list)

    def record(self, seconds: float, now: float) -> None:
        self.estimate = self.estimate.record(seconds)
        self._recent.append((now, seconds))
        self._forget_old(now)

    def recent(self, now: float) -> list[float]:
        """Return the round trips measured within RECENT_SECONDS."""
        self._forget_old(now)
        return [seconds for _, seconds in self._recent]

    def _forget_old(self, now: float) -> None:
        while self._recent and self._recent[0][0] < now - RECENT_SECONDS:
            del self._recent[0]


@dataclass(slots=True)
class Meter:
    """Round-trip meter of one socket. Only one probe is in flight at a time."""

    echoes: Gauge = field(default_factory=Gauge)
    pongs: Gauge = field(default_factory=Gauge)
    _number: int = 0
    _sent_at: float | None = None

    def lag(self, now: float) -> Lag:
        """Return the lag that may be credited.

        The lag is zero until the page has answered a probe, and never exceeds the lag measured by
        pings.
        """
        echoes, pongs = self.echoes.recent(now), self.pongs.recent(now)
        usual = self.echoes.estimate.lag
        if pongs:
            usual = min(usual, self.pongs.estimate.lag)
        return Lag(usual, min(echoes + pongs) if echoes else 0.0)

    def smallest_round_trips(self, now: float) -> tuple[float | None, float | None]:
        """Return the smallest recent round trip of the probes, and that of the pings.

        Either is None if nothing was measured within RECENT_SECONDS.
        """
        echoes, pongs = self.echoes.recent(now), self.pongs.recent(now)
        return min(echoes, default=None), min(pongs, default=None)

    def needs_echo(self, now: float) -> bool:
        """Return whether there are too few recent echoes to estimate the lag."""
        return len(self.echoes.recent(now)) < ENOUGH_ECHOES

    def start_probe(self, now: float) -> int | None:
        """Return the number of a probe to send now, or None while one is in flight."""
        if self._sent_at is not None:
            return None
        self._number, self._sent_at = self._number + 1, now
        return self._number

    def record_echo(self, number: int, now: float) -> None:
        """Record the client's answer to the current probe, and ignore answers to earlier ones."""
        if number == self._number and self._sent_at is not None:
            self.echoes.record(now - self._sent_at, now)
            self._sent_at = None

    def cancel_probe(self) -> None:
        """Discard the probe in flight, because the server itself was late.

        Its round trip would not measure the network.
        """
        self._number, self._sent_at = self._number + 1, None


@dataclass(frozen=True, slots=True)
class Quota:
    """Lag that can still be credited to a seat in this hand. Each turn adds `gain`."""

    gain: float
    left: float

    @classmethod
    def for_turn(cls, turn_seconds: float, remaining: float | None = None) -> Self:
        gain = min(MAX_GAIN, (0.4 * TURNS * turn_seconds + 15) / 100)
        return cls(gain, START_TURNS * gain if remaining is None else remaining)

    @property
    def grace(self) -> float:
        """Seconds to wait after the seat's time is up before the table acts for it."""
        return min(self.left, MAX_GRACE)

    def credit(self, lag: float) -> float:
        return min(lag, self.left)

    def race_credit(self, lag: Lag) -> float:
        """Return how many seconds before its arrival a call or catch counts as made."""
        return self.credit(min(lag.smallest, MAX_RACE_CREDIT))

    def charge_for_race(self, credited: float) -> "Quota":
        """Return the quota that remains after a race with this much credit.

        Unlike a turn, a race does not add to the quota.
        """
        return replace(self, left=self.left - self.credit(credited))

    def charge_for_turn(self, lag: float, overdue: float = 0.0) -> "Quota":
        """Return the quota that remains after a turn.

        The turn was credited `lag` seconds, or ended `overdue` seconds late.
        """
        spent = self.credit(max(lag, overdue, 0.0))
        return replace(self, left=min(MAX_TURNS * self.gain, self.left - spent + self.gain))
