"""`Match.state`: a match's data about the hand in play, except for its actions.

This module is pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BeforeValidator

from games.json_values.codec import AsIs, JsonValue
from games.json_values.shapes import RulesJson
from games.seats import SeatNumber

# Milliseconds by seat.
Times = Mapping[SeatNumber, int]

Facts = Mapping[str, int | str]
# Code of a note that was stored as a complete sentence.
SAID = "said"


@dataclass(frozen=True, slots=True)
class LogNote:
    """A line of the hand's log that is not an action.

    * `after`: the number of actions before it.
    * `place`: its index among the notes that follow the same action.
    * `code`: identifies the event. games/tables/notes.py contains the wording.
    * `facts`: details of the event, such as the seat.
    """

    after: int
    place: int
    code: str
    facts: Facts = field(default_factory=dict)


def _upgrade_note(data: Any) -> Any:
    """Convert a stored note to the current form. In version 1, a note was a sentence."""
    if not isinstance(data, dict) or "text" not in data:
        return data
    return {**data, "code": SAID, "facts": {"text": data["text"]}}


@dataclass(frozen=True, slots=True)
class LiveState(JsonValue):
    """The hand in play with all its secrets, and the time that its seats have used.

    * `position`: read and written only by the rules.
    * `dealt`: the version of the match after the deal.
    * `banks`: the time left in each time bank that was used in this hand.
    * `lag`: the time left in each lag quota (games/clocks/lag.py).
    * `away`: for each seat, how long its player was away in turns that the table ended.
    * `resumed`: when the last pause in the hand ended, in milliseconds since 1970.
    * `deserted`: true if the table paused automatically because no player was present.
    * `lost`: when each seat lost its connection because the process that served it died.
    * `quiet`: the latest versions of the match in which only its clocks changed.
    * `ready`: the seats that are ready for the next hand.

    The oldest states have no version, and lack the fields that were added later.
    """

    version: int = field(default=2, init=False, repr=False, compare=False)
    position: AsIs[RulesJson | None] = None
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
    notes: tuple[Annotated[LogNote, BeforeValidator(_upgrade_note)], ...] = ()
