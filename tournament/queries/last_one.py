"""Who wins a second round without playing: everybody else has withdrawn."""

from collections.abc import Iterable

from tournament.models import Event, Registration, Round, Stage


def last_one(event: Event) -> Registration | None:
    """The only one still in the second stage, if there is just one and no final has been played."""
    stage = event.stages.filter(qualifiers__isnull=False).distinct().order_by("-number").first()
    if stage is None:
        return None
    played = stage.rounds.filter(state=Round.State.CLOSED).order_by("-number").first()
    if played and played.is_final:
        return None
    able = event.registrations.filter(state=Registration.State.APPROVED, pk__in=_in(stage, played))
    two = list(able[:2])
    return two[0] if len(two) == 1 else None


def _in(stage: Stage, played: Round | None) -> Iterable[int]:
    """Who may still go on: of the last round that has been played, before there is one of all."""
    if played is None:
        return stage.qualifiers.filter(active=True).values_list("registration_id", flat=True)
    seats = played.tables.filter(seats__registration__isnull=False)
    return [
        *seats.values_list("seats__registration_id", flat=True),
        *played.seating.byes,
    ]
