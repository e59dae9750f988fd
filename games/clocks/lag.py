"""How much of a player's time the network takes, and how much of it is given back. Pure.

After the LagTracker of scalachess. A `Meter` measures one socket's round trip by probes that the
server sends; nothing that a client claims counts. What is credited for an action is the lag
measured, at most what is left of the seat's `Quota`, so that who answers probes late on purpose
gains seconds once and not with every turn. All times are in seconds.
"""

from dataclasses import dataclass, field, replace
from typing import Self

# A new round trip counts for so much less than the mean of those before.
DECAY = 0.85
# A mean alone would give too much to who has a few long waits: so many deviations are taken off.
CAUTION = 0.8
FIRST_DEVIATION = 0.04

# A turn gives up to a second; about so many turns make a hand, the game of the formula.
TURNS = 10
MOST_GAIN = 1.0
START, MOST = 3, 7
MOST_GRACE = 2.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """A decaying mean of round trips with its deviation; nothing is known before the first."""

    mean: float = 0.0
    deviation: float = FIRST_DEVIATION
    known: bool = False

    def record(self, seconds: float) -> "Estimate":
        seconds = min(max(0.0, seconds), MOST * MOST_GAIN)
        if not self.known:
            return Estimate(seconds, FIRST_DEVIATION, known=True)
        off = abs(self.mean - seconds)
        mean = seconds + DECAY * (self.mean - seconds)
        return Estimate(mean, DECAY * self.deviation + (1 - DECAY) * off, known=True)

    @property
    def lag(self) -> float:
        """What can be credited of it: rather too little than too much."""
        return max(0.0, self.mean - CAUTION * self.deviation) if self.known else 0.0


@dataclass(slots=True)
class Meter:
    """The round trips of one socket; one probe is on its way at a time."""

    estimate: Estimate = field(default_factory=Estimate)
    _number: int = 0
    _sent_at: float | None = None

    @property
    def lag(self) -> float:
        return self.estimate.lag

    def probe(self, now: float) -> int | None:
        """The number of a probe to send now; None while one is on its way."""
        if self._sent_at is not None:
            return None
        self._number, self._sent_at = self._number + 1, now
        return self._number

    def echo(self, number: int, now: float) -> None:
        """The client's answer to a probe; any other number says nothing."""
        if number == self._number and self._sent_at is not None:
            self.estimate = self.estimate.record(now - self._sent_at)
            self._sent_at = None

    def spoil(self) -> None:
        """The server itself was late: what is on its way measures nothing."""
        self._number, self._sent_at = self._number + 1, None


@dataclass(frozen=True, slots=True)
class Quota:
    """How much lag can still be credited to a seat in this hand; each turn gives `gain` more."""

    gain: float
    left: float

    @classmethod
    def of(cls, turn_seconds: float, left: float | None = None) -> Self:
        gain = min(MOST_GAIN, (0.4 * TURNS * turn_seconds + 15) / 100)
        return cls(gain, START * gain if left is None else left)

    @property
    def grace(self) -> float:
        """For so long after its time is up the seat is not acted for."""
        return min(self.left, MOST_GRACE)

    def credit(self, lag: float) -> float:
        return min(lag, self.left)

    def after(self, lag: float, overdue: float = 0.0) -> "Quota":
        """After a turn that was credited with `lag`, or ended so long after its time was up."""
        spent = self.credit(max(lag, overdue, 0.0))
        return replace(self, left=min(MOST * self.gain, self.left - spent + self.gain))
