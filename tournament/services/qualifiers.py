"""A qualifier who withdraws is replaced by the next in line."""

from tournament.models import Qualifier, Registration, Round, Stage, TableSeat
from tournament.queries.cut import cut, rule_of


def step_down(registration: Registration, reason: str) -> list[Qualifier]:
    """Take the registration out of later stages; who steps in. Call with the event locked.

    Once a stage's first round is being played nobody steps in: there the next of the own table
    takes the place when the following round is drawn.
    """
    stepped_in = []
    for leaving in registration.qualified.filter(active=True).select_related("stage"):
        leaving.active = False
        leaving.note = f"{leaving.note} Withdrew: {reason or 'no reason given'}."[:200]
        leaving.save(update_fields=["active", "note"])
        if not _begun(leaving.stage):
            stepped_in += _next_in_line(leaving)
    return stepped_in


def _begun(stage: Stage) -> bool:
    begun = (Round.State.RUNNING, Round.State.CLOSED)
    return stage.rounds.filter(state__in=begun).exists()


def _next_in_line(leaving: Qualifier) -> list[Qualifier]:
    stage = leaving.stage
    before = stage.event.stages.get(number=stage.number - 1)
    away = stage.qualifiers.filter(active=False).values_list("registration_id", flat=True)
    outcome = cut(before, rule_of(before), gone=dict.fromkeys(away, "withdrew"))
    known = set(stage.qualifiers.values_list("registration_id", flat=True))
    highest = max(stage.qualifiers.values_list("seed", flat=True))
    made = [
        stage.qualifiers.create(
            registration_id=pk,
            seed=highest + number,
            note=f"In place of {leaving.registration.name}.",
        )
        for number, pk in enumerate((p for p in outcome.through if p not in known), 1)
    ]
    for one in made[:1]:
        _take_seat(leaving, one)
    return made


def _take_seat(leaving: Qualifier, coming: Qualifier) -> None:
    """Seats that are drawn but not played yet go to who steps in."""
    drawn = (Round.State.DRAFT, Round.State.PUBLISHED)
    seats = TableSeat.objects.filter(registration=leaving.registration)
    seats.filter(table__round__stage=leaving.stage, table__round__state__in=drawn).update(
        registration=coming.registration
    )
