"""`Match.state`: a match's data on the hand in play, other than its log.

This module is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator

from games.json_values.codec import AsItIs, JsonValue
from games.json_values.shapes import RulesJson
from games.seats import SeatNumber

# By seat, in milliseconds.
Times = Mapping[SeatNumber, int]

Facts = Mapping[str, int | str]
# The code of a note that was kept as a sentence.
SAID = "said"


@dataclass(frozen=True, slots=True)
class LogNote:
    """A line of the hand's log that is not an action.

    It is line number `place`, after `after` actions. `code` says what happened; `facts` say
    to whom and how much. The wording is in games/tables/notes.py.
    """

    after: int
    place: int
    code: str
    facts: Facts = field(default_factory=dict)


def _read_sentence(data: Any) -> Any:
    """Return a note in its current form; up to version 1 it was a sentence."""
    if not isinstance(data, dict) or "text" not in data:
        return data
    return {**data, "code": SAID, "facts": {"text": data["text"]}}


@dataclass(frozen=True, slots=True)
class LiveState(JsonValue):
    """The hand in play with all its secrets, and the clock time used by its seats.

    `position` was stored by the rules; only the rules read it. `dealt` is the match's version
    after the deal. `banks` has the rest of the time banks that were used in this hand, `lag`
    that of the lag quotas (games/clocks/lag.py). `away` has for how long seats were away in
    turns that the table ended. `resumed` is when the last pause in the hand ended, in
    milliseconds since 1970. `deserted` says that the table paused automatically because no
    player was present. `lost` has since when seats are cut off because the process that they
    were connected to has died. `quiet` are the match's last versions in which only its clocks
    changed. `ready` are the seats that no longer need to wait for the next hand.

    States without a version are older than versions. Fields missing there did not exist then.
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
