"""Number of rounds of a stage, as planned or as derived from the number of players."""

from tournament.pure.arrangement import SeatingError, partner_rounds
from tournament.pure.brackets import BracketError, Shape, plan
from tournament.pure.formats.shapes import MatchPlan, StageShape


def rounds_for(stage: StageShape, players: int, play: MatchPlan) -> int | None:
    """Return the number of rounds for this many players if none of them leaves.

    Returns None if the stage cannot be played with that many players.
    """
    if stage.format == "bracket":
        return _count_rounds_to_final(stage.advance, players, play)
    return rotation_rounds(players) if stage.rotation else stage.rounds_planned


def rotation_rounds(players: int) -> int | None:
    """Return the number of rounds until every player has partnered every other player.

    Returns None if no such rotation exists for this number of players.
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
