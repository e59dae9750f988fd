"""The organizer's rule for the cut: how many players advance, and how ties are decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.rules.text import _

KINDS = {
    "number": "A fixed number of players from the top of the standings.",
    "share": "A share of the players who took part, rounded up.",
    "top_k": "The best players of each table.",
    "thresholds": "A number of players that depends on turnout.",
}
TIES = {
    "together": "All players tied for the last place advance.",
    "hand": "Players tied for the last place play one more hand.",
    "lots": "Lots drawn from a recorded key decide, so that anyone can repeat the draw.",
}
# `thresholds.USUAL`, parsed.
THRESHOLDS: tuple[tuple[int | None, int | Fraction], ...] = (
    (16, 0),
    (32, 8),
    (64, 16),
    (None, Fraction(1, 4)),
)


class RuleError(ValueError):
    """Raised for an invalid rule. The message explains how to correct it."""


@dataclass(frozen=True)
class QualifyingRule:
    """The rule for how many players advance.

    * `kind`: a key of KINDS.
    * `value`: for "number", the number of players. For "top_k", the number of players per table.
      For "share", a Fraction between 0 and 1. Not used for "thresholds".
    * `thresholds`: pairs of the largest turnout and the number or Fraction of players who advance.
      In the last pair, None means any larger turnout.
    * `minimum_matches`: the number of finished matches that a player needs to count as taking part.
    * `ties`: a key of TIES.
    * `lots_key`: the key for drawing lots.
    * `breakers`: keys of METRICS that separate players who are tied at a table. Used for "top_k".
    """

    kind: str
    value: int | Fraction = 0
    thresholds: tuple[tuple[int | None, int | Fraction], ...] = THRESHOLDS
    minimum_matches: int = 1
    ties: str = "together"
    lots_key: str = ""
    breakers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            text = _("“{kind}” is not a rule for advancing. Use one of these: {kinds}.")
            raise RuleError(text.format(kind=self.kind, kinds=", ".join(KINDS)))
        if self.ties not in TIES:
            text = _("“{kind}” is not a rule for ties. Use one of these: {kinds}.")
            raise RuleError(text.format(kind=self.ties, kinds=", ".join(TIES)))
        if self.ties == "lots" and not self.lots_key:
            raise RuleError(_("Drawing lots requires a key so that the draw can be repeated."))
        if self.kind in ("number", "top_k") and (self.value < 1 or self.value != int(self.value)):
            text = _(
                "{value} is not a valid number of players. Enter a whole number of at least 1."
            )
            raise RuleError(text.format(value=self.value))
        if self.kind == "share" and not 0 < self.value <= 1:
            raise RuleError(
                _(
                    "A share must be between 0 and 1, or between 0% and 100%. A quarter is 1/4 or "
                    "25%."
                )
            )
        if self.kind == "thresholds":
            _check_thresholds(self.thresholds)

    def places(self, took_part: int) -> int:
        """Return how many of the players who took part advance.

        Fractions are rounded up. The kind must not be "top_k".
        """
        amount: int | Fraction = self.value
        if self.kind == "thresholds":
            amount = next(
                advancing
                for limit, advancing in self.thresholds
                if limit is None or took_part <= limit
            )
        if self.kind == "share" or isinstance(amount, Fraction):
            amount = -(-amount * took_part // 1)
        return min(int(amount), took_part)


def _check_thresholds(thresholds: Sequence[tuple[int | None, int | Fraction]]) -> None:
    limits = [limit for limit, _to in thresholds]
    finite = [limit for limit in limits[:-1] if limit is not None]
    if not limits or limits[-1] is not None or len(finite) != len(limits) - 1:
        raise RuleError(
            _(
                "The last threshold must cover all larger numbers of players. No other "
                "threshold may do so."
            )
        )
    if finite != sorted(set(finite)):
        raise RuleError(_("Each threshold must be higher than the one before."))
