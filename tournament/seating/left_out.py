"""Whom a draw would leave out since they have not checked in: many are named, and asked about."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import ngettext

from tournament.common.codes import Code
from tournament.common.refusals import Refused
from tournament.common.words import join_words
from tournament.models import Registration, Stage
from tournament.seating.queries import asks_presence, candidates

# A message has room for so many names; the pages that ask have them all.
NAMED = 8


@dataclass(frozen=True)
class LeftOut:
    """`people` have a place in the round, have not checked in and are not marked absent;
    `everybody` counts who has a place in it and is not marked absent."""

    people: list[Registration]
    everybody: int

    @property
    def many(self) -> bool:
        """More than a tenth: likely nobody means to go on without them."""
        return len(self.people) * 10 > self.everybody

    @property
    def here(self) -> int:
        return self.everybody - len(self.people)

    @property
    def keys(self) -> str:
        """Who they are, as the tick that accepts it sends it."""
        return " ".join(str(one.pk) for one in self.people)


def left_out(stage: Stage, number: int) -> LeftOut:
    """Who would have no seat in this round of the stage if it were drawn now."""
    if not asks_presence(stage, number):
        return LeftOut([], 0)
    expected = list(candidates(stage, number).filter(absent_at=None).order_by("name"))
    return LeftOut([one for one in expected if one.checked_in_at is None], len(expected))


def check_left_out(stage: Stage, number: int, known: Collection[int]) -> None:
    """Refuse to leave out many of whom nobody has said so. Refused with: left-out."""
    found = left_out(stage, number)
    if found.many and not {one.pk for one in found.people}.issubset(known):
        raise Refused(Code.LEFT_OUT, _describe_left_out(found))


def _describe_left_out(found: LeftOut) -> str:
    count = len(found.people)
    names = [one.name for one in found.people[:NAMED]]
    if more := count - len(names):
        names.append(ngettext("{count} more", "{count} more", more).format(count=more))
    text = ngettext(
        "{count} of {all} has not checked in and would not be seated: {names}. Check "
        "the player in, or tick under “Rounds” that seats are drawn without them.",
        "{count} of {all} have not checked in and would not be seated: {names}. Check them in, or "
        "tick under “Rounds” that seats are drawn without them.",
        count,
    )
    return text.format(count=count, all=found.everybody, names=join_words(names))
