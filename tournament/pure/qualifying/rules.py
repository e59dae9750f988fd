"""The organizer's rule: how many advance, what counts as taking part, and ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.rules.text import _

KINDS = {
    "number": "A number of players, the best of the standings.",
    "share": "A share of those who took part, rounded up to whole players.",
    "top_k": "The best of each table.",
    "thresholds": "A number that grows with the number of those who took part.",
}
TIES = {
    "together": "All who share the last place go through together.",
    "hand": "Those who share the last place play one more hand for it.",
    "lots": "Lots decide, drawn from a recorded key: anyone can run the draw again.",
}
# `thresholds.USUAL` in parsed form.
THRESHOLDS: tuple[tuple[int | None, int | Fraction], ...] = (
    (16, 0),
    (32, 8),
    (64, 16),
    (None, Fraction(1, 4)),
)


class RuleError(ValueError):
    """Raised for a rule that makes no sense; the message suggests a valid one."""


@dataclass(frozen=True)
class QualifyingRule:
    """The rule for how many players advance.

    `kind`: key of KINDS. `value`: number of players for "number" and "top_k" (of each table), a
    Fraction between 0 and 1 for "share", unused for "thresholds". `thresholds`: pairs of the
    largest turnout and how many advance (players, or a Fraction of them), the last with None for
    "more". `minimum_matches`: finished matches needed to count as taking part. `ties`: key of
    TIES. `breakers`: keys of standings.METRICS that for "top_k" separate players who share a
    place at a table.
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
        """Return how many players advance if `took_part` took part.

        Not for use with "top_k". Fractions are rounded up.
        """
        amount: int | Fraction = self.value
        if self.kind == "thresholds":
            amount = next(to for upto, to in self.thresholds if upto is None or took_part <= upto)
        if self.kind == "share" or isinstance(amount, Fraction):
            amount = -(-amount * took_part // 1)
        return min(int(amount), took_part)


def _check_thresholds(thresholds: Sequence[tuple[int | None, int | Fraction]]) -> None:
    limits = [upto for upto, _to in thresholds]
    whole = [upto for upto in limits[:-1] if upto is not None]
    if not limits or limits[-1] is not None or len(whole) != len(limits) - 1:
        raise RuleError(
            _(
                "The last threshold must cover all larger numbers of players. No other "
                "threshold may do so."
            )
        )
    if whole != sorted(set(whole)):
        raise RuleError(_("Each threshold must be higher than the one before."))
