"""How many rounds a stage is to have: the one answer, whoever asks."""

from tournament.events.formats import rotation_rounds
from tournament.models import Registration, Stage


def planned_rounds(stage: Stage) -> int | None:
    """As planned; where partners rotate, as it follows from who takes part, None while that is
    not known, and in a bracket, where it follows from who is still in."""
    if stage.format == Stage.Format.BRACKET:
        return None
    if not stage.rotation or stage.rounds.all():
        # The draw of a rotation stores what it came to.
        return stage.rounds_planned
    placed = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return rotation_rounds(placed.count())
