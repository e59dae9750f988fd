"""What a bracket round is: it follows from its tables, drawn so or changed by hand since."""

from dataclasses import replace

from tournament import brackets
from tournament.models import Round, Stage
from tournament.queries import going_on as read
from tournament.queries.seats import seated
from tournament.services.errors import Refused
from tournament.services.language import of_the_site


def shape_of(stage: Stage) -> brackets.Shape:
    """The bracket that the organizer has asked for. Refused with: shape."""
    try:
        return read.shape_of(stage)
    except brackets.BracketError as error:
        raise Refused("shape", str(error)) from error


def describe(played: Round) -> None:
    """Store the plan of a bracket round and whether it is the final.

    Call with the event locked. Refused with: shape.
    """
    planned = _plan_of(played)
    played.is_final = planned is not None and planned.is_final
    with of_the_site():
        text = planned.sentence if planned else ""
    played.seating = replace(played.seating, plan=text)
    played.save(update_fields=["is_final", "seating"])


def _plan_of(played: Round) -> brackets.RoundPlan | None:
    """What the round's tables make of it; None while nobody sits at one."""
    sizes = [len(members) for members in seated(played) if members]
    byes = len(played.seating.byes)
    shape = shape_of(played.stage)
    return brackets.plan_tables(sizes, byes, shape, played.number) if sizes else None


def way_to_final(stage: Stage) -> list[str]:
    """The rounds of a bracket in words: as they are drawn, then as they will be if all stay.

    Refused with: shape, few.
    """
    rounds = list(stage.rounds.order_by("number"))
    drawn = [played.seating.plan for played in rounds]
    last = _plan_of(rounds[-1]) if rounds else None
    if last and last.is_final:
        return drawn
    count = last.through if last else stage.qualifiers.filter(active=True).count()
    try:
        coming = brackets.plan(count, shape_of(stage), last.number + 1 if last else 1)
    except brackets.BracketError as error:
        raise Refused("few", str(error)) from error
    return [*drawn, *(each.sentence for each in coming)]
