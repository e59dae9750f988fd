"""Players whom a draw would leave out because they have not checked in.

If there are many, the organizer sees their names and has to confirm.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import ngettext

from tournament.common.refusals import RefusedError
from tournament.models import Registration, Stage
from tournament.pure.codes import Code
from tournament.pure.words import join_words
from tournament.seating.queries import requires_check_in, select_candidates

# Maximum number of names in a message. Pages list all names.
MAX_NAMES = 8


@dataclass(frozen=True)
class LeftOutPlayers:
    """Players whom a draw would leave out.

    * `people`: the expected players who have not checked in.
    * `expected_count`: the number of players with a spot in the round who are not marked as absent.
    """

    people: list[Registration]
    expected_count: int

    @property
    def needs_confirmation(self) -> bool:
        """True if more than a tenth of the expected players would be left out."""
        return len(self.people) * 10 > self.expected_count

    @property
    def here(self) -> int:
        return self.expected_count - len(self.people)

    @property
    def keys(self) -> str:
        """The players' keys, as the value of the checkbox that confirms leaving them out."""
        return " ".join(str(player.pk) for player in self.people)


def find_left_out_players(stage: Stage, number: int) -> LeftOutPlayers:
    """Return the players who would get no seat if this round were drawn now."""
    if not requires_check_in(stage, number):
        return LeftOutPlayers([], 0)
    expected = list(select_candidates(stage, number).filter(absent_at=None).order_by("name"))
    return LeftOutPlayers(
        [player for player in expected if player.checked_in_at is None], len(expected)
    )


def check_left_out_confirmed(stage: Stage, number: int, confirmed: Collection[int]) -> None:
    """Check that the organizer has confirmed leaving out many players.

    Raises RefusedError with the code `left-out`.
    """
    left_out_players = find_left_out_players(stage, number)
    if left_out_players.needs_confirmation and not {
        player.pk for player in left_out_players.people
    }.issubset(confirmed):
        raise RefusedError(Code.LEFT_OUT, _describe_left_out(left_out_players))


def _describe_left_out(left_out_players: LeftOutPlayers) -> str:
    count = len(left_out_players.people)
    names = [player.name for player in left_out_players.people[:MAX_NAMES]]
    if unnamed := count - len(names):
        names.append(ngettext("{count} more", "{count} more", unnamed).format(count=unnamed))
    text = ngettext(
        "{count} of {all} has not checked in and would not be seated: {names}. Check "
        "the player in, or tick the box under “Rounds” to draw seats without them.",
        "{count} of {all} have not checked in and would not be seated: {names}. Check "
        "them in, or tick the box under “Rounds” to draw seats without them.",
        count,
    )
    return text.format(count=count, all=left_out_players.expected_count, names=join_words(names))
