"""The planned number of rounds of a stage, as a single source for all callers."""

from collections.abc import Iterable

from tournament.models import Registration, Round, Stage
from tournament.pure.formats import rotation_rounds
from tournament.results.unplayed import find_unplayed


def planned_rounds(stage: Stage) -> int | None:
    """Return the stage's number of rounds: as planned, or more if more are played.

    If partners rotate, the number depends on the players, and is None while they are not known. In
    a bracket it is None, because it depends on the players who are still in.
    """
    if stage.format == Stage.Format.BRACKET:
        return None
    rounds = stage.rounds.all()
    if not stage.rotation or rounds:
        # The draw of a rotation stores what it came to.
        return max(stage.rounds_planned, _count_rounds(stage, rounds))
    placed = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return rotation_rounds(placed.count())


def _count_rounds(stage: Stage, rounds: Iterable[Round]) -> int:
    """Count the published rounds that were not closed without play.

    Return 0 if no more rounds than planned have been published.
    """
    begun = {each.pk for each in rounds if each.state != Round.State.DRAFT}
    # Mostly there is nothing to ask.
    return len(begun - find_unplayed(stage)) if len(begun) > stage.rounds_planned else 0
