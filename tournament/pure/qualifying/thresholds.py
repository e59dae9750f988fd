"""Thresholds for the cut: how many players advance, depending on how many took part.

Organizers write them like this: `17: 8, 33: 16, 65: 25%`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from games.rules.text import _, ngettext
from tournament.pure.qualifying.rules import RuleError
from tournament.pure.words import join_words

Thresholds = tuple[tuple[int | None, int | Fraction], ...]
Step = tuple[int, int | Fraction]

# See seating.md. With 17 or more players, 8 advance; with 33 or more, 16; with 65 or more, a
# quarter. With fewer than 17, there is no second round.
USUAL = "17: 8, 33: 16, 65: 25%"
_STEP = re.compile(r"(\d{1,5})\s*:\s*(\d{1,5})\s*(%?)")


def read_thresholds(text: str) -> Thresholds:
    """Parse an organizer's text into the form of `QualifyingRule.thresholds`.

    Raises RuleError with a message for the user.
    """
    steps = _parse_steps(text)
    starts = [start for start, _places in steps]
    if starts != sorted(set(starts)):
        raise RuleError(_("Each threshold must be higher than the one before."))
    limits: list[int | None] = [start - 1 for start in starts]
    return tuple(zip([*limits, None], [0, *(places for _start, places in steps)], strict=True))


def describe_thresholds(text: str) -> str:
    """Describe the thresholds in an organizer's text as a phrase.

    For example: "8 if there are at least 17 players and 16 if there are at least 33 players".
    """
    return join_words(list(_describe_steps(_parse_steps(text))))


def find_smallest_turnout(text: str) -> int:
    """Return the smallest turnout at which any players advance, or 0 if there is none.

    Raises RuleError with a message for the user.
    """
    return next((start for start, places in _parse_steps(text) if places), 0)


def _describe_steps(steps: Sequence[Step]) -> Iterator[str]:
    for start, places in steps:
        is_percentage = isinstance(places, Fraction)
        shown = f"{int(places * 100)}%" if is_percentage else str(places)
        text = ngettext(
            "{places} if there is at least {start} player",
            "{places} if there are at least {start} players",
            start,
        )
        yield text.format(places=shown, start=start)


def _parse_steps(text: str) -> list[Step]:
    """Return pairs of the smallest turnout and the number or Fraction of players who advance."""
    return [_parse_step(part) for part in text.split(",")]


def _parse_step(part: str) -> Step:
    match = _STEP.fullmatch(part.strip())
    if match is None:
        text = _(
            "“{text}” is not a threshold. Write a number of players, a colon and the "
            "number of players who advance, for example “17: 8”."
        )
        raise RuleError(text.format(text=part.strip()))
    start, places, percent_sign = match.groups()
    if percent_sign and int(places) > 100:
        # xgettext:no-python-format
        raise RuleError(_("No more than 100% can advance."))
    return int(start), Fraction(int(places), 100) if percent_sign else int(places)
