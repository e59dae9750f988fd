"""Number of rounds of a stage, which may depend on the number of players."""

from tournament.pure.arrangement import SeatingError, partner_rounds
from tournament.pure.brackets import BracketError, Shape, plan_bracket
from tournament.pure.formats.shapes import MatchPlan, StageShape


def count_rounds(stage: StageShape, players: int, play: MatchPlan) -> int | None:
    """Return the number of rounds if no player leaves.

    Returns None if the stage cannot be played with this number of players.
    """
    if stage.format == "bracket":
        return _count_rounds_to_final(stage.advance, players, play)
    return count_rotation_rounds(players) if stage.rotation else stage.rounds_planned


def count_rotation_rounds(players: int) -> int | None:
    """Return the number of rounds in which every player partners every other player.

    Returns None if there is no such rotation for this number of players.
    """
    try:
        return len(partner_rounds(range(players)))
    except SeatingError:
        return None


def _count_rounds_to_final(advance: int, players: int, play: MatchPlan) -> int | None:
    size = max(play.fewest, min(play.table_size, play.most))
    try:
        return len(plan_bracket(players, Shape(size, advance, play.fewest, play.most)))
    except BracketError:
        return None
