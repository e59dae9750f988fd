"""`Seat.sitters`: who has sat at a seat from when on, where that was not one all along. Pure."""

from dataclasses import dataclass, field
from typing import NamedTuple, Self

from games.json_values.codec import JsonValue


class Sitter(NamedTuple):
    """A person (by name) or a bot that has had a seat since `after` actions of a hand."""

    name: str
    bot: str
    hand: int
    after: int

    def is_(self, other: "Sitter") -> bool:
        """Return whether both are the same person or bot."""
        return (self.name, self.bot) == (other.name, other.bot)


@dataclass(frozen=True, slots=True)
class Sitters(JsonValue):
    """All sitters of a seat in order; none if the current one has been there from the start."""

    version: int = field(default=1, init=False, repr=False, compare=False)
    ever: tuple[Sitter, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ever)

    def add(self, sitter: Sitter) -> Self:
        """With another one after them; who came at the same moment has done nothing there."""
        moment = (sitter.hand, sitter.after)
        ever = tuple(one for one in self.ever if (one.hand, one.after) != moment)
        if not (ever and ever[-1].is_(sitter)):
            ever = (*ever, sitter)
        return type(self)(ever if len(ever) > 1 else ())

    def find_at(self, hand: int, after: int) -> Sitter | None:
        """Return the sitter when `after` actions of a hand were done.

        The result is None if the seat had only one sitter.
        """
        before = [one for one in self.ever if (one.hand, one.after) <= (hand, after)]
        return before[-1] if before else None

    def list_arrivals(self, hand: int) -> tuple[Sitter, ...]:
        """Return the sitters who came while this hand was played, after its first action."""
        return tuple(one for one in self.ever if one.hand == hand and one.after)
