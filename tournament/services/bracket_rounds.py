"""What a bracket round is: it follows from its tables, drawn so or changed by hand since."""

from tournament import brackets
from tournament.models import Round, Stage
from tournament.queries.results import rules_of
from tournament.queries.seats import seated
from tournament.services.errors import Refused


def shape_of(stage: Stage) -> brackets.Shape:
    """The bracket that the organizer has asked for. Refused with: shape."""
    event, rules = stage.event, rules_of(stage.event)
    try:
        return brackets.Shape(
            table_size=max(rules.min_seats, min(event.table_size, rules.max_seats)),
            advance=stage.advance,
            minimum=rules.min_seats,
            maximum=rules.max_seats,
            ties=stage.cut_ties,
            lots_key=stage.lots_key,
        )
    except brackets.BracketError as error:
        raise Refused("shape", str(error)) from error


def describe(played: Round) -> str:
    """Store title and plan of a bracket round and whether it is the final; the plan in words.

    Call with the event locked. Refused with: shape.
    """
    sizes = [len(members) for members in seated(played) if members]
    byes = len(played.seating["byes"])
    played.title, played.is_final, text = f"Round {played.number}", False, ""
    if sizes:
        planned = brackets.plan_tables(sizes, byes, shape_of(played.stage), played.number)
        played.is_final, text = planned.is_final, planned.sentence
    if played.is_final:
        played.title = "Final"
    played.seating = {**played.seating, "plan": text}
    played.save(update_fields=["title", "is_final", "seating"])
    return text
