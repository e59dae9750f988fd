"""Network lag of players: how much time it costs them, and how much they get back.

Pure code. Modelled on the LagTracker of scalachess. A `Meter` measures one socket's round
trip in two ways: by probes that the page answers, and by the socket's own pings, which a
browser answers by itself. No value claimed by a client counts. But a program can delay
its answers, so the measured lag can be raised at will. The possible gain is limited
instead. A turn is credited only from the seat's `Quota`. A race is credited with the
smallest round trip of the last seconds, at most MOST_RACE, out of the same quota. All
times are in seconds.
"""

from dataclasses import dataclass, field, replace
from typing import Self

# The mean keeps this weight when a new round trip arrives.
DECAY = 0.85
# A mean alone would favour players with a few long waits, so this many deviations are subtracted.
CAUTION = 0.8
FIRST_DEVIATION = 0.04

# A turn gives back up to a second; the formula's game is a hand of about this many turns.
TURNS = 10
MOST_GAIN = 1.0
START, MOST = 3, 7
MOST_GRACE = 2.0

# A race credits the smallest round trip of this period, up to MOST_RACE, so holding back answers
# gains no more than a line from the other side of the world.
RECENT_SECONDS = 10.0
# With so many recent echoes, a client's pings bring no more probes.
ENOUGH_ECHOES = 2
MOST_RACE = 0.15


@dataclass(frozen=True, slots=True)
class LagEstimate:
    """Decaying mean of round trips, with its deviation; unknown before the first one."""

    mean: float = 0.0
    deviation: float = FIRST_DEVIATION
    known: bool = False

    def record(self, seconds: float) -> "LagEstimate":
        seconds = min(max(0.0, seconds), MOST * MOST_GAIN)
        if not self.known:
            return LagEstimate(seconds, FIRST_DEVIATION, known=True)
        off = abs(self.mean - seconds)
        mean = seconds + DECAY * (self.mean - seconds)
        return LagEstimate(mean, DECAY * self.deviation + (1 - DECAY) * off, known=True)

    @property
    def lag(self) -> float:
        """Seconds of lag that can be credited, estimated conservatively."""
        return max(0.0, self.mean - CAUTION * self.deviation) if self.known else 0.0


@dataclass(frozen=True, slots=True)
class Lag:
    """Measured lag of a connection: the usual value, and the smallest of the last seconds."""

    usual: float = 0.0
    smallest: float = 0.0

    @classmethod
    def steady(cls, seconds: float) -> Self:
        """Return the lag of a connection with a constant delay."""
        return cls(seconds, seconds)


NO_LAG, UNKNOWN = Lag(), LagEstimate()


@dataclass(slots=True)
class Gauge:
    """Round trips measured in one of the two ways."""

    estimate: LagEstimate = UNKNOWN
    # A list: they are few, and a deque has room for sixty.
    _recent: list[tuple[float, float]] = field(default_factory=list)

    def record(self, seconds: float, now: float) -> None:
        self.estimate = self.estimate.record(seconds)
        self._recent.append((now, seconds))
        self._forget(now)

    def recent(self, now: float) -> list[float]:
        """Return the round trips that ended in the last RECENT_SECONDS."""
        self._forget(now)
        return [seconds for _, seconds in self._recent]

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0][0] < now - RECENT_SECONDS:
            del self._recent[0]


@dataclass(slots=True)
class Meter:
    """Round trips of one socket; only one probe is in flight at a time."""

    echoes: Gauge = field(default_factory=Gauge)
    pongs: Gauge = field(default_factory=Gauge)
    _number: int = 0
    _sent_at: float | None = None

    def lag(self, now: float) -> Lag:
        """Return the lag that may be credited.

        It is zero without answers from the page, and never more than the pings show.
        """
        echoes, pongs = self.echoes.recent(now), self.pongs.recent(now)
        usual = self.echoes.estimate.lag
        if pongs:
            usual = min(usual, self.pongs.estimate.lag)
        return Lag(usual, min(echoes + pongs) if echoes else 0.0)

    def smallest(self, now: float) -> tuple[float | None, float | None]:
        """Return the smallest recent round trips by echoes and by pings, each None without any.

        Recent means the last RECENT_SECONDS.
        """
        echoes, pongs = self.echoes.recent(now), self.pongs.recent(now)
        return min(echoes, default=None), min(pongs, default=None)

    def needs_echo(self, now: float) -> bool:
        """Return whether more echoes are needed to know the line."""
        return len(self.echoes.recent(now)) < ENOUGH_ECHOES

    def probe(self, now: float) -> int | None:
        """Return the number of a probe to send now, or None while one is in flight."""
        if self._sent_at is not None:
            return None
        self._number, self._sent_at = self._number + 1, now
        return self._number

    def echo(self, number: int, now: float) -> None:
        """Record the client's answer to the current probe, and ignore any other number."""
        if number == self._number and self._sent_at is not None:
            self.echoes.record(now - self._sent_at, now)
            self._sent_at = None

    def spoil(self) -> None:
        """Discard the probe in flight because the server itself was late.

        Its answer would measure nothing useful.
        """
        self._number, self._sent_at = self._number + 1, None


@dataclass(frozen=True, slots=True)
class Quota:
    """Lag that can still be credited to a seat in this hand; each turn adds `gain`."""

    gain: float
    left: float

    @classmethod
    def for_turn(cls, turn_seconds: float, remaining: float | None = None) -> Self:
        gain = min(MOST_GAIN, (0.4 * TURNS * turn_seconds + 15) / 100)
        return cls(gain, START * gain if remaining is None else remaining)

    @property
    def grace(self) -> float:
        """Seconds to wait after the seat's time is up before acting on its behalf."""
        return min(self.left, MOST_GRACE)

    def credit(self, lag: float) -> float:
        return min(lag, self.left)

    def race_credit(self, lag: Lag) -> float:
        """Return by how many seconds a call or catch counts as earlier than it arrived."""
        return self.credit(min(lag.smallest, MOST_RACE))

    def charge_for_race(self, credited: float) -> "Quota":
        """Return the quota after a race that was credited with this much.

        Unlike a turn, a race adds nothing to the quota.
        """
        return replace(self, left=self.left - self.credit(credited))

    def charge_for_turn(self, lag: float, overdue: float = 0.0) -> "Quota":
        """Return the quota after a turn credited with `lag`, or ended `overdue` seconds late."""
        spent = self.credit(max(lag, overdue, 0.0))
        return replace(self, left=min(MOST * self.gain, self.left - spent + self.gain))
