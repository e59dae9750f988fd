"""Attempts to deal a hand: void ones, and the one that succeeded.

An attempt is void if a listed share was not opened in time. docs/fair-deal.md describes the checks
in this module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.rules.fair.deal import (
    NO_BEFORE,
    NO_FAILED,
    DealIngredients,
    DealKey,
    FairChance,
    ShareList,
    UnfairError,
    find_broken_commitment,
    find_broken_signature,
    find_fault,
)
from games.rules.ruleset.rulesets import RuleSet
from games.rules.scoring import first_dealer
from games.rules.untrusted_json import list_of, object_of, required_value

# After this many failures to open a listed share, a player has no share in the hand's deal.
MOST_FAILURES = 2


def is_left_out(delayed: Sequence[bool]) -> bool:
    """Return whether a seat has no share in the deal of the next hand, because of earlier delays.

    ``delayed`` contains, for each earlier hand of the match, whether the seat delayed it by not
    opening its listed share. After the n-th delay, the seat has no share in the next 2^(n-1) - 1
    deals. A player who never opens a share therefore delays only hands 1, 2, 4, 8, … of a match. A
    single failure has no consequence.
    """
    times = sum(delayed)
    return times > 0 and delayed[::-1].index(True) + 1 < 1 << times - 1


@dataclass(frozen=True, slots=True)
class FairDeal:
    """The successful attempt to deal a hand, and the void attempts before it, in order."""

    dealt: DealIngredients
    void: tuple[DealIngredients, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the deal in the JSON format of records."""
        return self.dealt.to_json() | {"void": [opened.to_json() for opened in self.void]}

    @classmethod
    def from_json(cls, value: object, location: str = "fair") -> FairDeal:
        """Read a deal written by ``to_json``.

        Raises InvalidJsonError for anything else.
        """
        data = object_of(value, location)
        void = list_of(required_value(data, "void", f"{location}: "), f"{location}: void")
        attempts = (
            DealIngredients.from_json(each, f"{location}: void {n}") for n, each in enumerate(void)
        )
        return cls(DealIngredients.from_json(data, location), tuple(attempts))

    @property
    def failed_seats(self) -> set[int]:
        """Seats that delayed this hand by not opening a share that a void attempt lists."""
        return {seat for each in self.void for seat in set(each.list.listed) - set(each.shares)}

    @property
    def has_signatures(self) -> bool:
        """True if a device signed a commitment in any attempt."""
        return any(each.signed for each in (*self.void, self.dealt))

    def find_fault(self) -> str | None:
        """Describe the first inconsistency in a sentence without a full stop, or return None."""
        return next(_find_faults(self), None)

    def dealer(self, rs: RuleSet) -> int:
        """Return the index of the dealer among the players of the hand.

        The dealer is named by the list, or else drawn at random. Raises UnfairError if the list
        names a seat that does not play.
        """
        agreed = self.dealt.list
        if agreed.dealer is None:
            chance = FairChance(self.dealt, rs.cards(), prefix="dealer ")
            return first_dealer(rs, len(agreed.entries), chance)[0]
        if agreed.dealer not in agreed.seats:
            raise UnfairError(f"the list's dealer is seat {agreed.dealer}, which does not play")
        return agreed.seats.index(agreed.dealer)

    def points(self, rs: RuleSet) -> dict[str, int] | None:
        """Return the points of each card, if players draw cards to choose the dealer.

        With the points, anyone can check the choice without knowing the rules. The result is empty
        if the dealer is drawn without cards, and None if the list names the dealer.
        """
        if self.dealt.list.dealer is not None:
            return None
        if rs.first_dealer == "random":
            return {}
        return {rs.pack.notation[kind]: rs.points(kind) for kind in rs.card_counts()}


def _find_faults(deal: FairDeal) -> Iterator[str]:
    failures: Counter[int] = Counter()
    secrets: set[bytes] = set()
    for number, opened in enumerate((*deal.void, deal.dealt), 1):
        problems = [
            *_find_mismatches(opened.list, deal.dealt.list, number),
            *_find_wrongly_left_out(opened, failures),
        ]
        if opened.secret in secrets:
            problems.append("its secret was that of an attempt before")
        if wrong := _find_void_fault(opened) if opened is not deal.dealt else find_fault(opened):
            problems.append(wrong)
        if wrong := find_broken_signature(opened):
            problems.append(wrong)
        yield from (f"attempt {number}: {fault}" for fault in problems)
        secrets.add(opened.secret)
        failures.update(set(opened.list.listed) - set(opened.shares))


def _find_mismatches(agreed: ShareList, dealt: ShareList, number: int) -> Iterator[str]:
    if agreed.draw != DealKey(dealt.draw.match, dealt.draw.hand, number):
        yield "its list is that of another match, hand or attempt"
    if (agreed.dealer, agreed.deck, agreed.seats) != (dealt.dealer, dealt.deck, dealt.seats):
        yield "its list has another dealer, deck or players than the one that was dealt"


def _find_wrongly_left_out(opened: DealIngredients, failures: Counter[int]) -> Iterator[str]:
    for seat, entry in opened.list.entries:
        if entry == NO_BEFORE and not is_left_out([True] * (opened.list.draw.hand - 1)):
            yield f"seat {seat} sits out, but has not held up hands for that"
        if entry == NO_FAILED and failures[seat] < MOST_FAILURES:
            yield f"seat {seat} is left out, but failed to open {failures[seat]} times before"


def _find_void_fault(opened: DealIngredients) -> str | None:
    if opened.shares.keys() == set(opened.list.listed):
        return "it is void, but each listed share was opened"
    return find_broken_commitment(opened)
