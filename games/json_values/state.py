"""`Match.state`: what a match keeps of the hand in play besides its log.

This module is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from games.json_values.shapes import Json, RulesJson
from games.seats import SeatNumber

# States without a number were written before there were any: of what they leave out nothing was
# there. A newer one is not understood. Up to 1 a note was a sentence.
VERSION = 2

# By seat, in milliseconds.
Times = Mapping[SeatNumber, int]

Facts = Mapping[str, int | str]
# The code of a note that was kept as a sentence.
SAID = "said"


@dataclass(frozen=True, slots=True)
class LogNote:
    """A line of the hand's log that is not an action.

    It is the line number `place` after `after` actions. `code` says what happened, `facts` to whom
    and how much; games/tables/notes.py has the words.
    """

    after: int
    place: int
    code: str
    facts: Facts = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Json) -> Self:
        if "text" in data:
            return cls(data["after"], data["place"], SAID, {"text": data["text"]})
        return cls(data["after"], data["place"], data["code"], data["facts"])

    def to_json(self) -> Json:
        return {
            "after": self.after,
            "place": self.place,
            "code": self.code,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class LiveState:
    """The hand in play with all its secrets, and what the clocks of its seats have used.

    `position` is what the rules stored; only the rules read it. `dealt` is the match's version
    after the deal. `banks` has what is left of the banks that were used in this hand, `lag` of the
    lag quotas (games/clocks/lag.py). `away` has for how long seats were away in turns that the
    table ended. `resumed` is when the last pause in the hand ended, in milliseconds since 1970.
    `deserted` says that the table paused by itself because no one was there. `lost` has since when
    seats are cut off because the process that they were connected to has died. `quiet` are the
    match's last versions in which nothing but its clocks changed. `ready` are the seats that no
    longer need to wait for the next hand.
    """

    position: RulesJson | None = None
    hand: int | None = None
    dealt: int = 0
    turn_seat: SeatNumber | None = None
    banks: Times = field(default_factory=dict)
    away: Times = field(default_factory=dict)
    lag: Times = field(default_factory=dict)
    resumed: int | None = None
    deserted: bool = False
    lost: Times = field(default_factory=dict)
    quiet: tuple[int, ...] = ()
    notes: tuple[LogNote, ...] = ()
    ready: tuple[SeatNumber, ...] = ()

    @classmethod
    def from_json(cls, data: Json) -> Self:
        """Load what `to_json` stored, in this version or an earlier one.

        Raises ValueError for a newer version.
        """
        if data.get("version", 0) > VERSION:
            raise ValueError(f"A match's state of version {data['version']} cannot be read.")
        return cls(
            position=data.get("position"),
            hand=data.get("hand"),
            dealt=data.get("dealt", 0),
            turn_seat=data.get("turn_seat"),
            banks=_read_times(data.get("banks", {})),
            away=_read_times(data.get("away", {})),
            lag=_read_times(data.get("lag", {})),
            resumed=data.get("resumed"),
            deserted=data.get("deserted", False),
            lost=_read_times(data.get("lost", {})),
            quiet=tuple(data.get("quiet", ())),
            ready=tuple(SeatNumber(seat) for seat in data.get("ready", ())),
            notes=tuple(LogNote.from_json(note) for note in data.get("notes", ())),
        )

    def to_json(self) -> Json:
        return {
            "version": VERSION,
            "position": self.position,
            "hand": self.hand,
            "dealt": self.dealt,
            "turn_seat": self.turn_seat,
            "banks": _write_times(self.banks),
            "away": _write_times(self.away),
            "lag": _write_times(self.lag),
            "resumed": self.resumed,
            "deserted": self.deserted,
            "lost": _write_times(self.lost),
            "quiet": list(self.quiet),
            "ready": list(self.ready),
            "notes": [note.to_json() for note in self.notes],
        }


def _read_times(data: Mapping[str, int]) -> Times:
    return {SeatNumber(int(seat)): time for seat, time in data.items()}


def _write_times(times: Times) -> dict[str, int]:
    return {str(seat): time for seat, time in times.items()}
