"""Sources of randomness for replaying a recorded hand.

In version 1 of the format, the record contains the random results, which only have to be possible.
From version 2 on, the results are computed and have to match the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from games.rules.chance import Chance, ChanceError, QuickChance
from games.rules.fair.deal import DealIngredients, FairChance
from games.rules.hand.position import Position
from games.rules.record.expectations import RecordMismatchError, compare
from games.rules.record.log import RecordEntry
from games.rules.record.reading import Record


class CheckedChance(Chance, Protocol):
    """Source of randomness that compares its results with the record.

    Its methods raise ChanceError or RecordMismatchError if they differ.
    """

    def start_action(self, hand: Position, entry: RecordEntry) -> None:
        """Prepare the results for the next action of the log. Call this before the action."""

    def finish_action(self, entry: RecordEntry, revealed: Mapping[str, str]) -> None:
        """Check the cards that an action revealed to its player. Call this after the action.

        ``revealed`` maps each seat to the card that was revealed from its hand.
        """

    def check_used_up(self) -> None:
        """Check that all reshuffles in the record were used.

        Raises RecordMismatchError if some were not.
        """


def chance_of(record: Record) -> CheckedChance:
    """Return the source of randomness for replaying this record."""
    if record.fair is None:
        return _RecordedChance(record)
    return _ComputedChance(record, record.fair.dealt)


class _RecordedChance:
    """Source that takes reshuffles and revealed cards from the record.

    If the record contains none, the results are arbitrary but always the same.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self._quick = QuickChance(Random(1).random)  # noqa: S311 - any fixed order will do
        self._left = list(record.reshuffles or [])
        self._reveals: list[int] = []

    def shuffle(self, kinds: list[int], /) -> None:
        if self._record.reshuffles is None:
            self._quick.shuffle(kinds)
            return
        if not self._left:
            raise ChanceError("reshuffles: one more is needed here")
        pile = self._record.rs.kinds(self._left.pop(0))
        if sorted(pile) != sorted(kinds):
            raise ChanceError("reshuffles: these are not the cards that are shuffled here")
        kinds[:] = pile

    def choice(self, n: int, /) -> int:
        return self._reveals.pop(0) if self._reveals else self._quick.choice(n)

    def start_action(self, hand: Position, entry: RecordEntry) -> None:
        if entry.reveals is not None:
            self._reveals = _list_revealed_places(hand, entry.seat, entry.reveals)

    def finish_action(self, entry: RecordEntry, revealed: Mapping[str, str]) -> None:
        if entry.reveals is not None:
            compare("reveals", entry.reveals, revealed)

    def check_used_up(self) -> None:
        if self._left:
            raise RecordMismatchError(f"reshuffles: {len(self._left)} more than there were")


def _list_revealed_places(hand: Position, seat: int, reveals: Mapping[str, str]) -> list[int]:
    """Return the place of the revealed card in each opponent's hand.

    The opponents are in the order in which an X-Ray reveals their cards.
    """
    places = []
    for other in hand.seats_around(seat)[:-1]:
        if not hand.cards(other) or hand.are_partners(seat, other):
            continue
        # If no card is named, any card will do, because the revealed cards are compared later.
        card = reveals.get(str(other), hand.cards(other)[0])
        if card not in hand.cards(other):
            raise RecordMismatchError(f"reveals: seat {other} does not hold {card}")
        places.append(hand.cards(other).index(card))
    return places


class _ComputedChance:
    """Source that computes all results from the secret and the shares."""

    def __init__(self, record: Record, opened: DealIngredients) -> None:
        self._fair = FairChance(opened, record.rs.cards())
        self._notations = record.rs.pack.notations
        self._reshuffles = record.reshuffles or []
        self._held: dict[str, list[str]] = {}

    def shuffle(self, kinds: list[int], /) -> None:
        self._fair.shuffle(kinds)
        number = self._fair.shuffles
        if number > len(self._reshuffles):
            raise ChanceError("reshuffles: one more is needed here")
        if self._reshuffles[number - 1] != self._notations(kinds):
            raise ChanceError(f"reshuffles: number {number} is not what secret and shares make")

    def choice(self, n: int, /) -> int:
        return self._fair.choice(n)

    def start_action(self, hand: Position, entry: RecordEntry) -> None:
        self._held = {str(seat): hand.cards(seat) for seat in range(hand.seats)}

    def finish_action(self, entry: RecordEntry, revealed: Mapping[str, str]) -> None:
        compare("reveals", entry.reveals or {}, revealed)
        compare("held", entry.held or {}, {seat: self._held[seat] for seat in revealed})

    def check_used_up(self) -> None:
        if left := len(self._reshuffles) - self._fair.shuffles:
            raise RecordMismatchError(f"reshuffles: {left} more than there were")
