"""Attempts to deal a hand: void ones, and the one by which the hand was dealt.

An attempt is void if a listed share was not opened in time. docs/fair-deal.md describes the checks
made here.
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

# A player who has not opened this many listed shares is left out of the hand.
MOST_FAILURES = 2


def is_left_out(held_up: Sequence[bool]) -> bool:
    """Return whether a seat has no share in the next hand, because it delayed earlier ones.

    A seat delays a hand if it does not open its listed share. After the n-th such hand, it sits out
    2^(n-1) - 1 hands. A player who never opens a share thus delays only hands 1, 2, 4, 8, … of a
    match. A player who failed once delays no further hand.
    """
    times = sum(held_up)
    return times > 0 and held_up[::-1].index(True) + 1 < 1 << times - 1


@dataclass(frozen=True, slots=True)
class FairDeal:
    """The attempt by which a hand was dealt, and the void attempts before it, in order."""

    dealt: DealIngredients
    void: tuple[DealIngredients, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the deal as JSON, in the form used in records."""
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
    def failed(self) -> set[int]:
        """Seats that delayed this hand by not opening a share that a void attempt lists."""
        return {seat for each in self.void for seat in set(each.list.listed) - set(each.shares)}

    @property
    def signed(self) -> bool:
        """True if a device signed a commitment in any attempt."""
        return any(each.signed for each in (*self.void, self.dealt))

    def fault(self) -> str | None:
        """Describe the first inconsistency in a sentence without its full stop, or return None."""
        return next(_find_faults(self), None)

    def dealer(self, rs: RuleSet) -> int:
        """Return the player of the hand who deals.

        Either the list names the dealer, or the deal draws one. Raises UnfairError if the list
        names a dealer who does not play.
        """
        agreed = self.dealt.list
        if agreed.dealer is None:
            chance = FairChance(self.dealt, rs.cards(), prefix="dealer ")
            return first_dealer(rs, len(agreed.entries), chance)[0]
        if agreed.dealer not in agreed.seats:
            raise UnfairError(f"the list's dealer is seat {agreed.dealer}, which does not play")
        return agreed.seats.index(agreed.dealer)

    def points(self, rs: RuleSet) -> dict[str, int] | None:
        """Return the points of each card in the draw for the dealer.

        They are for readers who do not know the rules. The result is empty if the rules draw a
        number instead of cards, and None if the list names the dealer.
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
