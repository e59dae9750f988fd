"""Number of rounds of a stage: planned, or derived from the number of players."""

from tournament.pure.arrangement import SeatingError, partner_rounds
from tournament.pure.brackets import BracketError, Shape, plan
from tournament.pure.formats.shapes import MatchPlan, StageShape


def rounds_for(stage: StageShape, players: int, play: MatchPlan) -> int | None:
    """Return the number of rounds for this many players if no one leaves.

    Return None if the stage cannot be played with that number of players.
    """
    if stage.format == "bracket":
        return _count_rounds_to_final(stage.advance, players, play)
    return rotation_rounds(players) if stage.rotation else stage.rounds_planned


def rotation_rounds(players: int) -> int | None:
    """Return the number of rounds until everyone has partnered everyone else.

    Return None if that is impossible with this number of players.
    """
    try:
        return len(partner_rounds(range(players)))
    except SeatingError:
        return None


def _count_rounds_to_final(advance: int, players: int, play: MatchPlan) -> int | None:
    size = max(play.fewest, min(play.table_size, play.most))
    try:
        return len(plan(players, Shape(size, advance, play.fewest, play.most)))
    except BracketError:
        return None
