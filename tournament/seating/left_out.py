"""Players without check-in who would be left out of a draw.

If there are many, the organizer sees their names and has to confirm.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import ngettext

from tournament.common.refusals import RefusedError
from tournament.models import Registration, Stage
from tournament.pure.codes import Code
from tournament.pure.words import join_words
from tournament.seating.queries import asks_presence, candidates

# A message has room for this many names; the pages list them all.
NAMED = 8


@dataclass(frozen=True)
class LeftOutPlayers:
    """Players who would be left out of a draw.

    `people` have a place in the round, have not checked in and are not marked absent. `everybody`
    is the number of players who have a place in the round and are not marked absent.
    """

    people: list[Registration]
    everybody: int

    @property
    def many(self) -> bool:
        """True if this is more than a tenth, which an organizer hardly intends to leave out."""
        return len(self.people) * 10 > self.everybody

    @property
    def here(self) -> int:
        return self.everybody - len(self.people)

    @property
    def keys(self) -> str:
        """Keys of the players, as sent by the checkbox that confirms leaving them out."""
        return " ".join(str(one.pk) for one in self.people)


def left_out(stage: Stage, number: int) -> LeftOutPlayers:
    """Return the players who would have no seat if this round were drawn now."""
    if not asks_presence(stage, number):
        return LeftOutPlayers([], 0)
    expected = list(candidates(stage, number).filter(absent_at=None).order_by("name"))
    return LeftOutPlayers([one for one in expected if one.checked_in_at is None], len(expected))


def check_left_out(stage: Stage, number: int, known: Collection[int]) -> None:
    """Refuse to leave out many players without the organizer's consent.

    Refused with: left-out.
    """
    found = left_out(stage, number)
    if found.many and not {one.pk for one in found.people}.issubset(known):
        raise RefusedError(Code.LEFT_OUT, _describe_left_out(found))


def _describe_left_out(left_out_players: LeftOutPlayers) -> str:
    count = len(left_out_players.people)
    names = [one.name for one in left_out_players.people[:NAMED]]
    if more := count - len(names):
        names.append(ngettext("{count} more", "{count} more", more).format(count=more))
    text = ngettext(
        "{count} of {all} has not checked in and would not be seated: {names}. Check "
        "the player in, or tick the box under “Rounds” to draw seats without them.",
        "{count} of {all} have not checked in and would not be seated: {names}. Check "
        "them in, or tick the box under “Rounds” to draw seats without them.",
        count,
    )
    return text.format(count=count, all=left_out_players.everybody, names=join_words(names))
