"""Plausibility check of match totals that people enter by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, ngettext

# No match has more hands than this. Totals that would need more are treated as impossible.
MOST_HANDS = 60


@dataclass(frozen=True)
class Bounds:
    """Limits that can end a match before a player reaches the target.

    * ``hands``: the maximum number of hands, or None.
    * ``timed``: true if there is a time limit.
    """

    hands: int | None = None
    timed: bool = False


def explain_impossible_totals(rs: RuleSet, points: Sequence[int], limits: Bounds) -> str:
    """Return the reason why a match cannot end with these totals, or "" if it can.

    ``points`` are the totals by seat, none of them negative. Each total on its own is checked
    exactly. All totals together are only compared with the number of hands and the points of the
    deck. A last hand worth more than half of the deck's points is possible, but is treated as a
    typing error.
    """
    if rs.partners and list(points[:2]) != list(points[2:]):
        return _("Partners (seats 1 and 3, seats 2 and 4) must have the same number of points.")
    sides = list(points[:2]) if rs.partners else list(points)
    checks = (_check_no_points, _check_target, _check_sums, _check_hands)
    return next((reason for check in checks if (reason := check(rs, sides, limits))), "")


def _check_no_points(_rs: RuleSet, sides: list[int], limits: Bounds) -> str:
    if any(sides) or limits.timed:
        return ""
    return _("At least one player must have points.")


def _check_target(rs: RuleSet, sides: list[int], limits: Bounds) -> str:
    """Return the reason why totals contradict the target, or an empty string.

    The first side to reach the target ends the match. In elimination games, the match ends once all
    sides but one have reached it.
    """
    reached = [total for total in sides if rs.reaches_target(total)]
    under, limited = len(sides) - len(reached), bool(limits.hands or limits.timed)
    text = ""
    if not (reached or limited or rs.target):
        text = _("This match has no target and no limit, so it would never end.")
    elif not reached and not limited:
        text = _(
            "No one has reached the target of {target} points, and the match has no other limit."
        )
    elif rs.scoring == "winner-takes" and len(reached) > 1:
        text = _("Only one player can have reached the target of {target} points.")
        if rs.partners:
            text = _("Only one pair can have reached the target of {target} points.")
    elif not under:
        text = _("Not everyone can have reached the target of {target} points.")
    elif rs.scoring == "elimination" and under > 1 and not limited:
        text = _(
            "The match has no other limit, so all players but one must have reached the "
            "target of {target} points."
        )
    return text.format(target=rs.target)


def _check_sums(rs: RuleSet, sides: list[int], _limits: Bounds) -> str:
    """Return the reason why the cards cannot add up to these totals, or an empty string.

    Each total must be a possible sum of cards, and the last hand must not be worth too many points
    for the deck.
    """
    for total in sides:
        if _count_fewest_hands(rs, len(sides), total) > MOST_HANDS:
            text = _("No number of hands can add up to {points} points with these cards.")
            return text.format(points=total)
    over = [total - rs.target + 1 for total in sides if rs.reaches_target(total)]
    deck = sum(map(rs.points, rs.cards()))
    if rs.scoring == "lowest" and sum(over) > deck:
        return _("The last hand would have had to be worth more points than the whole deck.")
    if 2 * max(over, default=0) > deck:
        text = _(
            "One hand would have had to be worth {points} points, more than half the value "
            "of the whole deck."
        )
        return text.format(points=max(over), deck=deck)
    return ""


def _check_hands(rs: RuleSet, sides: list[int], limits: Bounds) -> str:
    """Return the reason why totals contradict the number of hands, or an empty string.

    A hand gives points either only to its winner, or to everyone except its winner.
    """
    if limits.hands is None:
        return ""
    needed = [_count_fewest_hands(rs, len(sides), total) for total in sides]
    most = limits.hands * (1 if rs.scoring == "winner-takes" else len(sides) - 1)
    if sum(needed) <= most and max(needed) <= limits.hands:
        return ""
    if rs.scoring == "winner-takes":
        text = ngettext(
            "Only one side scores in each hand, so these totals would take {needed} hands. "
            "The match has only {hands} hand.",
            "Only one side scores in each hand, so these totals would take {needed} hands. "
            "The match has only {hands} hands.",
            limits.hands,
        )
        return text.format(hands=limits.hands, needed=sum(needed))
    text = ngettext(
        "The winner of a hand scores nothing, so these totals would take more than "
        "{hands} hand, the limit for this match.",
        "The winner of a hand scores nothing, so these totals would take more than "
        "{hands} hands, the limit for this match.",
        limits.hands,
    )
    return text.format(hands=limits.hands)


def _count_fewest_hands(rs: RuleSet, sides: int, total: int) -> int:
    """Return the smallest number of hands in which a side can reach this total.

    If the total is impossible, the result exceeds ``MOST_HANDS``.
    """
    return _map_fewest_hands(rs, sides).get(total, MOST_HANDS + 1)


@lru_cache(maxsize=32)
def _map_fewest_hands(rs: RuleSet, sides: int) -> dict[int, int]:
    """Return for each possible total the smallest number of hands that result in it.

    A side plays no more hands once it has reached the target.
    """
    one = _compute_hand_sums(rs, sides)
    going = (1 << rs.target) - 1 if rs.target else -1
    fewest = {0: 0}
    reached = 1
    for hands in range(1, MOST_HANDS + 1):
        reached = _add_sums(reached & going, one)
        new = [total for total in _list_set_bits(reached) if total not in fewest]
        fewest.update(dict.fromkeys(new, hands))
        if not new:
            break
    return fewest


def _compute_hand_sums(rs: RuleSet, sides: int) -> int:
    """Return the points that a side can get in one hand, as the bits of an integer.

    They are 0 or the points of the cards in certain hands. All players except the winner hold at
    least one card, and at least one card is on the discard pile.
    """
    others = 2 if rs.partners else sides - 1 if rs.scoring == "winner-takes" else 1
    by_cards = [1] + [0] * others
    deck = rs.cards()
    for kind in deck:
        more = rs.points(kind)
        by_cards[others] |= (by_cards[others] | by_cards[others - 1]) << more
        for held in range(others - 1, 0, -1):
            by_cards[held] |= by_cards[held - 1] << more
    most = sum(map(rs.points, deck)) - min(map(rs.points, deck))
    return (by_cards[others] & ((1 << (most + 1)) - 1)) | 1


def _add_sums(totals: int, other: int) -> int:
    """Return the sums of all pairs of totals from the two sets, as the bits of an integer."""
    sums = 0
    for total in _list_set_bits(totals):
        sums |= other << total
    return sums


def _list_set_bits(number: int) -> list[int]:
    return [place for place, bit in enumerate(reversed(bin(number)[2:])) if bit == "1"]
