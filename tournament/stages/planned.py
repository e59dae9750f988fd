"""How many rounds a stage is to have: the one answer, whoever asks."""

from collections.abc import Iterable

from tournament.events.formats import rotation_rounds
from tournament.models import Registration, Round, Stage
from tournament.results.unplayed import find_unplayed


def planned_rounds(stage: Stage) -> int | None:
    """As planned, or more where more are played; where partners rotate, as it follows from who
    takes part, None while that is not known, and in a bracket, where it follows from who is in."""
    if stage.format == Stage.Format.BRACKET:
        return None
    rounds = stage.rounds.all()
    if not stage.rotation or rounds:
        # The draw of a rotation stores what it came to.
        return max(stage.rounds_planned, _count_rounds(stage, rounds))
    placed = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return rotation_rounds(placed.count())


def _count_rounds(stage: Stage, rounds: Iterable[Round]) -> int:
    """How many are published, or more, and have not been closed without play."""
    begun = {each.pk for each in rounds if each.state != Round.State.DRAFT}
    # Mostly there is nothing to ask.
    return len(begun - find_unplayed(stage)) if len(begun) > stage.rounds_planned else 0
