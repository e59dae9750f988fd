"""`Seat.sitters`: the successive holders of a seat, if there was more than one.

This module is pure.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from games.json_values.codec import JsonValue


class Sitter(NamedTuple):
    """A person or bot that has held a seat.

    * `bot`: "" for a person, otherwise the bot's strength.
    * `hand`, `after`: the hand in which the seat was taken, and the number of actions before that.
    """

    name: str
    bot: str
    hand: int
    after: int

    def is_same_as(self, other: "Sitter") -> bool:
        """Return whether this and `other` are the same person or bot."""
        return (self.name, self.bot) == (other.name, other.bot)


@dataclass(frozen=True, slots=True)
class Sitters(JsonValue):
    """All holders of a seat in order. Empty if the seat has had only one holder."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    ever: tuple[Sitter, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ever)

    def add(self, sitter: Sitter) -> Self:
        """Return the history with another holder added.

        A holder who took the seat at the same moment never acted and is dropped.
        """
        moment = (sitter.hand, sitter.after)
        ever = tuple(earlier for earlier in self.ever if (earlier.hand, earlier.after) != moment)
        if not (ever and ever[-1].is_same_as(sitter)):
            ever = (*ever, sitter)
        return type(self)(ever if len(ever) > 1 else ())

    def find_at(self, hand: int, after: int) -> Sitter | None:
        """Return who held the seat after `after` actions of this hand.

        Returns None if the seat has had only one holder.
        """
        before = [sitter for sitter in self.ever if (sitter.hand, sitter.after) <= (hand, after)]
        return before[-1] if before else None

    def list_arrivals(self, hand: int) -> tuple[Sitter, ...]:
        """Return the holders who took the seat during this hand, after its first action."""
        return tuple(sitter for sitter in self.ever if sitter.hand == hand and sitter.after)
