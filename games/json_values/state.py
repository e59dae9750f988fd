"""`Match.state`: a match's data about the hand in play, except its log of actions.

This module is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator

from games.json_values.codec import AsItIs, JsonValue
from games.json_values.shapes import RulesJson
from games.seats import SeatNumber

# Milliseconds by seat.
Times = Mapping[SeatNumber, int]

Facts = Mapping[str, int | str]
# Code of a note that was stored as a finished sentence.
SAID = "said"


@dataclass(frozen=True, slots=True)
class LogNote:
    """A line of the hand's log that is not an action.

    It is line number `place` and follows `after` actions. `code` says what happened, and
    `facts` say to whom and how much. The wording is in games/tables/notes.py.
    """

    after: int
    place: int
    code: str
    facts: Facts = field(default_factory=dict)


def _read_sentence(data: Any) -> Any:
    """Convert a note to its current form. Up to version 1, a note was a sentence."""
    if not isinstance(data, dict) or "text" not in data:
        return data
    return {**data, "code": SAID, "facts": {"text": data["text"]}}


@dataclass(frozen=True, slots=True)
class LiveState(JsonValue):
    """The hand in play with all its secrets, and the clock time used by its seats.

    `position` is read and written only by the rules. `dealt` is the match's version after the
    deal. `banks` contains the rest of each time bank that has been used in this hand, and `lag`
    the rest of each lag quota (games/clocks/lag.py). `away` is how long each seat was away in
    turns that the table ended. `resumed` is when the last pause in the hand ended, in
    milliseconds since 1970. `deserted` is true if the table paused automatically because no
    player was present. `lost` is the time since which each seat has been cut off because its
    player's process died. `quiet` lists the latest versions of the match in which only its
    clocks changed. `ready` lists the seats that are ready for the next hand.

    The oldest states have no version. They lack the fields that did not exist at the time.
    """

    version: int = field(default=2, init=False, repr=False, compare=False)
    position: AsItIs[RulesJson | None] = None
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
    ready: tuple[SeatNumber, ...] = ()
    notes: tuple[Annotated[LogNote, BeforeValidator(_read_sentence)], ...] = ()
